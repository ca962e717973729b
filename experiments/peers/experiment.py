"""The experiment of peers: routers of others and ours, in one flow."""

from collections.abc import Iterable
from pathlib import Path

from experiments.experiment import Experiment, Record, Settings
from experiments.peers.measure import Ours, Row, measure_ours, measure_peer, our_routers
from experiments.peers.page import page
from experiments.peers.peer import PUBLISHED, Peer, read_peers
from fatcube.groundwork.record import record
from fatcube.groundwork.validation import ParameterError

__all__ = ["EXPERIMENT"]


def _cases(path: Path) -> dict[str, Peer | Ours]:
    """The routers that a file describes, and those of ours that are of the same sizes."""
    described = read_peers(path)
    wanted = {(peer.ports, peer.virtual_channels) for peer in described}
    ours = [one for one in our_routers() if (one.ports, one.virtual_channels) in wanted]
    return {_name(one): one for one in (*described, *ours)}


def _name(one: Peer | Ours) -> str:
    parts = [one.name, f"{one.ports} ports"]
    if one.virtual_channels > 1:
        parts.append(f"{one.virtual_channels} channels")
    if isinstance(one, Ours):
        parts.append(f"{one.cycles_per_hop} cycle{'s' if one.cycles_per_hop > 1 else ''} per hop")
    return ", ".join(parts)


def _check(chosen: Iterable[Peer | Ours], settings: Settings) -> None:
    if settings.checkouts is None and any(isinstance(one, Peer) for one in chosen):
        raise ParameterError("--checkouts must be given, or --stored")


def _measure(case: Peer | Ours, settings: Settings) -> Record:
    if isinstance(case, Ours):
        row = measure_ours(case, seeds=settings.seeds, fmax=settings.fmax)
    else:
        assert settings.checkouts is not None
        row = measure_peer(case, checkouts=settings.checkouts, seeds=settings.seeds, fmax=settings.fmax)
    return record({"router": _name(case), "seeds": list(settings.seeds), "fmax": settings.fmax}, row.to_json())


EXPERIMENT = Experiment(
    name="peers",
    about="published routers and ours, in one flow: area and clock",
    cases=_cases,
    described=PUBLISHED,
    measure=_measure,
    check=_check,
    page=page,
    takes=("checkouts", "seeds", "fmax"),
    stays=lambda record: not Row.from_json(record["measured"]).as_today,
    failed=lambda record: record["measured"]["problem"] is not None,
)
