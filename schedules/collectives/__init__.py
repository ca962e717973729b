"""The collectives that are known: each file makes one or more, which commands and files know by their names.

A new one is a file. What is known of it alone, a lower bound or a construction, its file may register
(:data:`fatcube.schedules.bounds.BOUNDS`, :data:`fatcube.schedules.construct.CONSTRUCTIONS`); what registers none has the bound that holds
for any collective and the greedy schedule. Never here: a schedule.
"""

import importlib
import pkgutil

for _, _name, _ in pkgutil.iter_modules(__path__):
    importlib.import_module(f"{__name__}.{_name}")
