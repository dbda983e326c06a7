"""The catalogue: one module per finding, registered by being here."""

from __future__ import annotations

import pkgutil
from importlib import import_module

for _module in sorted(m.name for m in pkgutil.iter_modules(__path__)):
    import_module(f"{__name__}.{_module}")
