"""Where a rank's part of an array lies, in the global array and in memory."""

from __future__ import annotations

from typing import Any, Optional

import numpy as np
from numpy.typing import NDArray

from . import _weft
from .errors import BadRequest

Array = NDArray[Any]
Shape = tuple[int, ...]
Slices = tuple[slice, ...]


class End:
    """One end of a plan, its input or its output, on one rank, for elements of any size.

    Boxes are tuples of slices in global indices; with batch > 1 the last axis is the batch. Of plans
    of 8 x 6 elements in slab(0) on 2 ranks, rank 1 has `boxes` [(slice(4, 8), slice(0, 6))] and
    `shape` (4, 6). An array of several boxes is one-dimensional memory, in which each box has a
    place. Of a rank that owns nothing `boxes` is empty and `only_box` has no elements: it begins where
    the rank's part would, and is whole along axes that are not cut.
    """

    def __init__(self, plan: _weft.Plan, output: bool, rank: int) -> None:
        self._plan, self._output, self._rank = plan, output, rank
        self.order: Shape = tuple(plan.order(output))
        self.boxes = slices_of(plan.boxes(output, rank))
        self.size = plan.size(output, rank)
        self.several = len(self.boxes) > 1
        self.only_box = self.boxes[0] if self.boxes else slices_of([plan.box(output, rank, 0)])[0]
        self._strides: dict[int, Shape] = {}
        self.shape: Shape = (self.size,) if self.several else extents(self.only_box)

    def box(self, number: Optional[int]) -> Slices:
        """The box with that number; None: the only one. Raises BadRequest if there are others."""
        if number is None:
            if self.several:
                raise BadRequest(f"this rank owns {len(self.boxes)} boxes; say which one with box=")
            return self.only_box
        if number == 0 and not self.boxes:
            return self.only_box
        if not 0 <= number < len(self.boxes):
            raise BadRequest(f"box={number}, but this rank owns {len(self.boxes)} boxes")
        return self.boxes[number]

    def strides(self, unit: int) -> Shape:
        """The strides of this rank's array, in bytes, of elements of `unit` bytes."""
        found = self._strides.get(unit)
        if found is None:
            found = self._strides[unit] = (unit,) if self.several else self._place(0, unit)[1]
        return found

    def _place(self, box: int, unit: int) -> tuple[int, Shape]:
        """Where a box lies in the array: its offset and its strides, in bytes."""
        where = (self._output, self._rank, box)
        steps = self._plan.strides(*where)
        return self._plan.offset(*where) * unit, tuple(step * unit for step in steps)

    def array(self, memory: Array, dtype: np.dtype[Any]) -> Array:
        """The array at the start of `memory`, which is of bytes."""
        return np.ndarray(self.shape, dtype, buffer=memory, strides=self.strides(dtype.itemsize))

    def allocated(self, dtype: np.dtype[Any]) -> Array:
        """The array in memory of its own, uninitialised. Raises BadRequest unless elements of that
        dtype are plain bytes."""
        if dtype.hasobject or dtype.subdtype is not None or dtype.itemsize == 0:
            raise BadRequest(f"dtype {dtype}: elements that are plain bytes are needed")
        return self.array(_weft.allocate(self.size * dtype.itemsize), dtype)

    def views_of(self, array: Array) -> list[Array]:
        """Views of the boxes in an array of this end."""
        if not self.several:
            return [array] * len(self.boxes)
        memory = array.view(np.uint8)
        views: list[Array] = []
        for number, box in enumerate(self.boxes):
            offset, strides = self._place(number, array.dtype.itemsize)
            views.append(np.ndarray(extents(box), array.dtype, memory, offset, strides))
        return views

    def steps(self, strides: Shape) -> list[int]:
        """The strides that matter: those of axes with neighbours."""
        return [step for step, extent in zip(strides, self.shape) if extent > 1]


def extents(box: Slices) -> Shape:
    return tuple(cut.stop - cut.start for cut in box)


def boxes_text(boxes: list[Slices]) -> str:
    """As layouts have them: "[0:4,0:6][8:9,0:6]"."""
    return "".join(f"[{','.join(f'{cut.start}:{cut.stop}' for cut in box)}]" for box in boxes)


def slices_of(boxes: list[_weft.Bounds]) -> list[Slices]:
    """Boxes, each a pair of lower and upper bounds, as tuples of slices."""
    return [tuple(slice(lo, hi) for lo, hi in zip(*box)) for box in boxes]
