"""The exchange methods as named values."""

from __future__ import annotations

from types import SimpleNamespace

from . import _weft

via = SimpleNamespace(**_weft.methods())
"""weft.via.alltoallw is "alltoallw"; `weft methods` describes each one. Some take a number in their
text, as "kway(3)". With weft.via.fastest all are timed when the plan is made."""
