"""Wisdom: what tuning has found, as text that can be kept, merged and brought elsewhere.

All calls are local. When a plan is made, what rank 0 knows counts: what it has imported, what it has
found by tuning, and what the files of wisdom on its node have (docs/tuning.md).
"""

from __future__ import annotations

from typing import NamedTuple

from . import _weft


class Imported(NamedTuple):
    """What an import brought."""

    entries: int
    """How many entries were new, or better than those known."""
    skipped: list[str]
    """Lines that were passed over, with the reason: "line 3: ..."."""


def import_text(text: str) -> Imported:
    """Adds the entries of a text, one a line, to what this process knows; files stay as they are.

    Lines that are damaged, of another version or of another program are passed over. Returns an
    Imported.
    """
    return Imported(*_weft.wisdom_import(text))


def export_text() -> str:
    """All that this process knows, files included, as import_text takes it."""
    return _weft.wisdom_export()


def forget(problem: str = "*", site: str = "*") -> int:
    """Removes the entries whose problem and site (as `weft wisdom show` prints it) fit the patterns,
    in which * stands for any text, from this process and the user's file; returns how many.

    Raises Error with the code SYSTEM if the file cannot be changed.
    """
    return _weft.wisdom_forget(problem, site)
