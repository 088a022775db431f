"""Wisdom: results of tuning, as text to keep, to merge, and to carry to other machines.

All calls are local. A new plan uses the wisdom of rank 0: imported entries, results of its tuning,
and the files of wisdom on its node (docs/tuning.md).
"""

from __future__ import annotations

from typing import NamedTuple

from . import _weft


class Imported(NamedTuple):
    """The result of an import."""

    entries: int
    """The number of entries that were new, or better than known ones."""
    skipped: list[str]
    """Skipped lines, with the reason: "line 3: ..."."""


def import_text(text: str) -> Imported:
    """Adds the entries of a text, one a line, to what this process knows; files stay as they are.

    Lines that are damaged, of another version or of another program are skipped. Returns an
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
