"""The collectives of the papers (fat-cube paper, section 4), and all-reduce, for which they have no symbol."""

from fatcube.schedules.collective import Collective, End

Collective.OAB = Collective(value="OAB", words=("broadcast", "multicast"), origin=End.ROOT, destination=End.ALL)
Collective.OAS = Collective(value="OAS", words=("scatter",), origin=End.ROOT)
Collective.AOG = Collective(value="AOG", words=("gather",), destination=End.ROOT)
Collective.AOR = Collective(value="AOR", words=("reduce",), origin=End.ALL, destination=End.ROOT)
Collective.AAB = Collective(value="AAB", words=("all-gather", "allgather", "m-to-n-broadcast"), destination=End.ALL)
Collective.AAR = Collective(value="AAR", words=("reduce-scatter", "reducescatter"), origin=End.ALL)
Collective.AAS = Collective(value="AAS", words=("all-to-all", "alltoall", "m-to-n-scatter"))
Collective.ALL_REDUCE = Collective(
    value="all-reduce", words=("all-reduce", "allreduce"), phases_of=(Collective.AAR, Collective.AAB)
)
