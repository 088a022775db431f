"""How a global array is dealt out to the ranks of a communicator, and lies in their memory."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property
from itertools import permutations
from typing import TYPE_CHECKING

from . import _weft
from .end import End, Shape, Slices, boxes_text, slices_of

if TYPE_CHECKING:
    from mpi4py import MPI

Boxes = list[list[Slices]]


class Distribution:
    """Who owns what of a global array, for elements of any dtype; equal if layouts are equal.

        x.distribution.layout     # "slab(0)", as Plan's input= and output= take it
        x.distribution.boxes(1)   # what rank 1 owns: [(slice(4, 8), slice(0, 6))]
    """

    def __init__(self, plan: _weft.Plan, output: bool, shape: Shape, layout: str,
                 comm: MPI.Comm) -> None:
        self._plan, self._output = plan, output
        self._asked = layout
        self.shape = shape
        self.comm = comm
        self.end = End(plan, output, comm.rank)

    @classmethod
    def of_layout(cls, shape: Shape, layout: str, comm: MPI.Comm) -> Distribution:
        """Local. Raises BadRequest if the layout does not fit the shape or the ranks."""
        place = "".join(layout.split())
        text = f"redistribute:1:{'x'.join(map(str, shape))} in={place} out={place}"
        return cls(_weft.plan_for_ranks(text, comm.size), False, shape, place, comm)

    def boxes(self, rank: int) -> list[Slices]:
        """What any rank owns: a list of tuples of slices, empty if it owns nothing."""
        return slices_of(self._plan.boxes(self._output, rank))

    def box(self, rank: int, number: int = 0) -> Slices:
        """The box of that number of any rank. A rank that owns nothing has an empty one, as
        DistArray.slices has it."""
        return slices_of([self._plan.box(self._output, rank, number)])[0]

    @cached_property
    def layout(self) -> str:
        """The layout as text (docs/text.md), in full: the same for equal distributions."""
        every = [self.boxes(rank) for rank in range(self.comm.size)]
        row_major = self.end.order == tuple(range(len(self.shape)))
        order = "" if row_major else "@" + "".join(str(axis) for axis in self.end.order)
        gaps = re.search(r"[+/]\([^()]*\)$", self._asked)
        return f"{_where(self.shape, every)}{order}{gaps.group() if gaps else ''}"

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        return (isinstance(other, Distribution) and self.shape == other.shape
                and self.comm == other.comm and self.layout == other.layout)

    def __hash__(self) -> int:
        return hash((self.shape, self.layout))

    def __repr__(self) -> str:
        return f"<weft.Distribution of {self.shape}: {self.layout}>"


def single_on(root: int, shape: Shape, ranks: int) -> str:
    """The layout in which one rank owns everything."""
    if root == 0:
        return "single"
    whole = boxes_text([tuple(slice(0, extent) for extent in shape)])
    return f"boxes({'|'.join(whole if rank == root else '' for rank in range(ranks))})"


def _where(shape: Shape, every: Boxes) -> str:
    """What the boxes of all ranks are called: cut axes if they are dealt out so, else the boxes."""
    ranks = len(every)
    for count in range(1, min(3, len(shape)) + 1):
        for parts in _factors(ranks, count):
            for axes in permutations(range(len(shape)), count):
                cuts = dict(zip(axes, parts))
                if all(_cut_box(shape, cuts, rank) == every[rank] for rank in range(ranks)):
                    return _cuts_text(cuts)
    if every == [[tuple(slice(0, extent) for extent in shape)], *([] for _ in every[1:])]:
        return "single"
    return f"boxes({'|'.join(map(boxes_text, every))})"


def _cuts_text(cuts: dict[int, int]) -> str:
    if len(cuts) == 1:
        return f"slab({next(iter(cuts))})"
    name = "pencil" if len(cuts) == 2 else "cut"
    return f"{name}({','.join(f'{axis}:{parts}' for axis, parts in cuts.items())})"


def _factors(number: int, count: int) -> Iterator[tuple[int, ...]]:
    """All ways to write a number as a product of so many, of which none is 1 unless it has to."""
    if count == 1:
        yield (number,)
        return
    for factor in range(2, number // 2 + 1):
        if number % factor == 0:
            for rest in _factors(number // factor, count - 1):
                yield (factor, *rest)


def _cut_box(shape: Shape, cuts: dict[int, int], rank: int) -> list[Slices]:
    """What a rank owns if axes are cut in so many parts; the last one varies fastest with it."""
    box = [slice(0, extent) for extent in shape]
    for axis, parts in reversed(cuts.items()):
        rank, part = divmod(rank, parts)
        box[axis] = slice(shape[axis] * part // parts, shape[axis] * (part + 1) // parts)
    return [tuple(box)] if all(cut.start < cut.stop for cut in box) else []
