"""A rank's part of the input or the output array of a plan: what arrays have to be like."""

from __future__ import annotations

from typing import Any, Optional

import numpy as np
from numpy.typing import DTypeLike

from . import _weft
from .end import Array, End, Shape, boxes_text
from .errors import BadRequest
from .r2c_axis import R2cAxis, Known, none
from .view import View, view_of

_dtypes: dict[tuple[str, bool], np.dtype[Any]] = {
    ("f32", False): np.dtype(np.float32),
    ("f32", True): np.dtype(np.complex64),
    ("f64", False): np.dtype(np.float64),
    ("f64", True): np.dtype(np.complex128),
}


class Part:
    """What this process's array at one end of a plan has to be like: numpy's, or a device's.

    An array has the problem's axes (n/2+1 along the r2c axis), with batch > 1 the last one is the batch.
    The order of axes in memory is in the strides, which count bytes.
    """

    def __init__(self, plan: _weft.Plan, output: bool) -> None:
        self.end = End(plan, output, plan.rank())
        self.name = "output" if output else "input"
        self.any_dtype = plan.kind() == "redistribute"
        if self.any_dtype:
            self.dtype: np.dtype[Any] = np.dtype((np.void, plan.element_bytes()))
        else:
            real = plan.kind() in ("r2r", "c2r" if output else "r2c")
            self.dtype = _dtypes[plan.precision(), not real]
        self.r2c_axis = _r2c_axis_of(plan, output)
        # Why a transform writes to the array that it reads; empty: it does not.
        self.overwritten = ("the plan is in place" if plan.in_place() else
                            "may_destroy_input lets a transform write to what it reads"
                            if plan.may_destroy_input() else "")
        self.shape = self.end.shape
        self.strides = self.end.strides(self.dtype.itemsize)
        self._steps = self.end.steps(self.strides)
        self.bytes = self.end.size * self.dtype.itemsize

    @property
    def slices(self) -> Any:
        """Its place in the global array: a tuple of slices, or a list of such for several boxes."""
        return self.end.boxes if self.end.several else self.end.only_box

    def empty(self, memory: Optional[Array], dtype: Optional[DTypeLike] = None) -> Array:
        """The array of this part at the start of `memory`, which has bytes; None: of its own."""
        asked = self.dtype if dtype is None else np.dtype(dtype)
        if complaint := self._complaint_of_dtype(asked):
            raise BadRequest(complaint)
        return self.end.allocated(asked) if memory is None else self.end.array(memory, asked)

    def views(self, array: Array) -> list[Array]:
        """Views of an array's boxes."""
        if not isinstance(array, np.ndarray):
            raise BadRequest(self._of_no_kind(array))
        if complaint := self._misfit(array):
            raise BadRequest(complaint)
        return self.end.views_of(array)

    def look_at(self, arrays: list[Any], stream: Optional[int],
                writes: str) -> tuple[list[View], str]:
        """How the arrays of the fields lie in memory, and what is wrong with them; empty if nothing
        is. stream: where they are going to be used. writes: why they are written to, if they are.
        """
        views = []
        for array in arrays:
            view, complaint = self._look_at(array, stream, writes)
            if view is None:
                return [], complaint
            views.append(view)
        return views, "" if views else f"the list of {self.name} arrays is empty"

    def _look_at(self, array: Any, stream: Optional[int],
                 writes: str) -> tuple[Optional[View], str]:
        try:
            view = view_of(array, stream)
        except Exception as error:  # Of any package's: all ranks have to learn of it.
            has = type(array).__name__
            return None, f"the {self.name} array is of {has}, which cannot be used: {error}"
        if view is None:
            return None, self._of_no_kind(array)
        if complaint := self._misfit(view) or self._misplaced(array):
            return None, complaint
        if writes and not view.writeable:
            return None, f"the {self.name} array is read-only, but {writes}"
        return view, ""

    def _of_no_kind(self, array: object) -> str:
        has = type(array).__name__
        return (f"the {self.name} array is of {has}, the plan needs a numpy array, or a device's "
                "with __cuda_array_interface__ or __dlpack__")

    def _misfit(self, array: Any) -> str:
        if complaint := self._complaint_of_dtype(array.dtype):
            return complaint
        # Layouts in which the same rank owns all have other shapes where nothing is owned.
        if array.shape != self.shape and not (0 in array.shape and 0 in self.shape):
            boxes = f" elements for {len(self.end.boxes)} boxes" if self.end.several else ""
            return self._needs("shape", array.shape, self.shape) + boxes
        if array.strides != self.strides and not self._steps_fit(array.strides):
            return self._needs("strides", array.strides, self.strides) + (
                f": axes {self.end.order} in memory, slowest first; plan.empty() makes such arrays"
                + self._hint(array.strides))
        return ""

    def _misplaced(self, array: Any) -> str:
        """For a DistArray of the right shape that has another part of the whole array here: that of
        another layout, or of a communicator with other ranks."""
        distribution = getattr(array, "distribution", None)
        if distribution is None or distribution.end.boxes == self.end.boxes:
            return ""
        return self._needs("the part", boxes_text(distribution.end.boxes),
                           boxes_text(self.end.boxes)) + " on this rank"

    def _steps_fit(self, strides: Shape) -> bool:
        return 0 in self.shape or self.end.steps(strides) == self._steps

    def _hint(self, strides: Shape) -> str:
        """For an array in Fortran's order: the layout that has it."""
        axes = range(len(self.end.order))
        steps = [self.dtype.itemsize]
        for extent in self.shape[:-1]:
            steps.append(steps[-1] * extent)
        if self.end.several or len(axes) > 6 or list(strides) != steps:
            return ""
        order = "".join(str(axis) for axis in reversed(axes))
        return (f"; for arrays in Fortran's order add @{order} to the layout: "
                f'{self.name}="slab(0)@{order}"')

    def _complaint_of_dtype(self, dtype: np.dtype[Any]) -> str:
        if not self.any_dtype:
            return "" if dtype == self.dtype else self._needs("dtype", dtype, self.dtype)
        if dtype.itemsize != self.dtype.itemsize:
            has = f"{dtype} of {dtype.itemsize} bytes"
            return self._needs("dtype", has, f"elements of {self.dtype.itemsize}")
        if dtype.hasobject or dtype.subdtype is not None:
            return self._needs("dtype", dtype, "elements that are plain bytes")
        return ""

    def _needs(self, what: str, has: object, needed: object) -> str:
        return f"the {self.name} array has {what} {has}, the plan needs {needed}"


Views = tuple[list[View], list[View]]


def look_at(parts: tuple[Part, Part], input: Any, output: Any, stream: Optional[int],
            backward: bool = False) -> tuple[Views, str]:
    """How the arrays of both ends lie in memory, and what is wrong with them for a transform in that
    direction."""
    target = 0 if backward else 1
    ways = [part.overwritten for part in parts]
    ways[target] = f"{'backward' if backward else 'forward'}() writes to it"
    first, complaint = parts[0].look_at(fields_of(input), stream, ways[0])
    if not complaint:
        second, complaint = parts[1].look_at(fields_of(output), stream, ways[1])
        if not complaint:
            return (first, second), ""
    return ([], []), complaint


def fields_of(arrays: Any) -> list[Any]:
    """The arrays of all fields; of one field the one array."""
    return list(arrays) if isinstance(arrays, (list, tuple)) else [arrays]


def addresses(ends: Views) -> tuple[list[int], list[int]]:
    return [view.address for view in ends[0]], [view.address for view in ends[1]]


def arrays_text(source: Part, target: Part) -> str:
    """The arrays in words: "float64 (4, 8) -> complex128 (8, 3)"."""
    return f"{source.dtype} {source.shape} -> {target.dtype} {target.shape}"


def _r2c_axis_of(plan: _weft.Plan, output: bool) -> Known:
    """What the array of that end knows of an r2c axis once it is written."""
    axis = plan.r2c_axis()
    if plan.kind() == ("r2c" if output else "c2r"):
        return R2cAxis(axis, (plan.modes() or plan.shape())[axis])
    whole = plan.kind() == "c2c" and len(plan.axes()) == len(plan.shape())
    return none if whole or axis >= 0 else None
