"""Layouts of the caller's boxes, as texts for a plan's input= and output=."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Optional, SupportsIndex, Union

from . import _weft
from .communicator import communicator

if TYPE_CHECKING:
    from mpi4py import MPI

Box = Union[Sequence[slice], slice]


def boxes(mine: Iterable[Box], comm: Optional[MPI.Comm] = None) -> str:
    """The layout `boxes(..)` in which every rank owns the boxes that it gives in `mine`.

        rows = weft.boxes([np.s_[x : x + 1, 0:64] for x in range(comm.rank, 64, comm.size)], comm)
        plan = weft.Plan(shape=(64, 64), input=rows, comm=comm)

    Collective over comm (None: COMM_WORLD). `mine` is a list, which may be empty, of tuples of
    slices in global indices; with batch > 1 the last axis is the batch, or left out. An order,
    padding or strides can be appended to the text (docs/text.md). Raises the same BadRequest on
    every rank if one gives something else. Plan checks whether the boxes cover the array.
    """
    comm, address = communicator(comm)
    bounds: list[_weft.Bounds]
    try:
        bounds, complaint = [_bounds(box) for box in mine], ""
    except (TypeError, OverflowError) as error:
        bounds, complaint = [], str(error)
    return _weft.boxes_text(bounds, address, complaint)


def _bounds(box: Any) -> _weft.Bounds:
    """Lower and upper bounds of a tuple of slices."""
    cuts = box if isinstance(box, (tuple, list)) else (box,)
    for cut in cuts:
        whole = isinstance(cut, slice) and cut.stop is not None and cut.step in (None, 1)
        if not whole:
            raise TypeError(f"the box {box!r} has to be of slices with ends: slice(LO, HI)")
    return ([_index(cut.start or 0) for cut in cuts], [_index(cut.stop) for cut in cuts])


def _index(value: SupportsIndex) -> int:
    number = operator.index(value)
    if abs(number) >= 2**63:
        raise OverflowError(f"the bound {number} of a box has more than 63 bits")
    return number
