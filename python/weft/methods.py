"""The exchange methods as named values."""

from __future__ import annotations

from types import SimpleNamespace

from . import _weft

via = SimpleNamespace(**_weft.methods())
"""weft.via.alltoallw is "alltoallw"; `weft methods` says what each does. Some take a number in their
text, as "kway(3)". weft.via.fastest has all tried when the plan is made."""
