"""A rank's part of the input or the output array."""

from functools import cached_property

import numpy as np

from .errors import BadRequest
from .view import view_of

_dtypes = {
    ("f32", False): np.dtype(np.float32),
    ("f32", True): np.dtype(np.complex64),
    ("f64", False): np.dtype(np.float64),
    ("f64", True): np.dtype(np.complex128),
}


class Part:
    """What this process's array at one end of a plan has to be like: numpy's, or a device's.

    An array has the problem's axes (n/2+1 where halved), with batch > 1 the last one is the batch.
    The order of axes in memory is in the strides, which count bytes. An array of several boxes is
    one-dimensional memory, in which each box has a place.
    """

    def __init__(self, plan, output):
        self._plan, self._output = plan, output
        rank = plan.rank()
        self.name = "output" if output else "input"
        self.any_dtype = plan.kind() == "redistribute"
        if self.any_dtype:
            self.dtype = np.dtype((np.void, plan.element_bytes()))
        else:
            self.dtype = _dtypes[plan.precision(), plan.kind() != ("c2r" if output else "r2c")]
        self.order = tuple(plan.order(output))
        self.boxes = slices_of(plan.boxes(output, rank))
        self.size = plan.size(output, rank)
        self.bytes = self.size * self.dtype.itemsize

    @property
    def slices(self):
        """Its place in the global array: a tuple of slices, or a list of such for several boxes."""
        return self.boxes if self._several else self._box

    @property
    def shape(self):
        return (self.size,) if self._several else _extents(self._box)

    @cached_property
    def strides(self):
        return (self.dtype.itemsize,) if self._several else self._place(0)[1]

    @property
    def _several(self):
        return len(self.boxes) > 1

    @property
    def _box(self):
        """The only box; of a rank that owns nothing, an empty one."""
        return self.boxes[0] if self.boxes else (slice(0, 0),) * len(self.order)

    def _place(self, box):
        """Where a box lies in the array: its offset and its strides, in bytes."""
        where = (self._output, self._plan.rank(), box)
        unit = self.dtype.itemsize
        return self._plan.offset(*where) * unit, tuple(n * unit for n in self._plan.strides(*where))

    def empty(self, memory, dtype=None):
        """The array of this part at the start of `memory`, which has bytes."""
        dtype = self.dtype if dtype is None else np.dtype(dtype)
        if complaint := self._complaint_of_dtype(dtype):
            raise BadRequest(complaint)
        return np.ndarray(self.shape, dtype, buffer=memory, strides=self.strides)

    def views(self, array):
        """Views of an array's boxes."""
        if not isinstance(array, np.ndarray):
            raise BadRequest(self._of_no_kind(array))
        if complaint := self._misfit(array):
            raise BadRequest(complaint)
        if not self._several:
            return [array] * len(self.boxes)
        memory = array.view(np.uint8)
        return [np.ndarray(_extents(box), array.dtype, memory, *self._place(number))
                for number, box in enumerate(self.boxes)]

    def look_at(self, arrays, stream):
        """How the arrays of the fields lie in memory, and what is wrong with them; empty if nothing
        is. stream: where they are going to be used."""
        views = []
        for array in arrays:
            view, complaint = self._look_at(array, stream)
            if complaint:
                return [], complaint
            views.append(view)
        return views, "" if views else f"the list of {self.name} arrays is empty"

    def _look_at(self, array, stream):
        try:
            view = view_of(array, stream)
        except Exception as error:  # Of any package's: all ranks have to learn of it.
            has = type(array).__name__
            return None, f"the {self.name} array is of {has}, which cannot be used: {error}"
        if view is None:
            return None, self._of_no_kind(array)
        if complaint := self._misfit(view):
            return None, complaint
        if not view.writeable:
            return None, f"the {self.name} array is read-only, but transforms write to both arrays"
        return view, ""

    def _of_no_kind(self, array):
        has = type(array).__name__
        return (f"the {self.name} array is of {has}, the plan needs a numpy array, or a device's "
                "with __cuda_array_interface__ or __dlpack__")

    def _misfit(self, array):
        if complaint := self._complaint_of_dtype(array.dtype):
            return complaint
        if array.shape != self.shape:
            boxes = f" elements for {len(self.boxes)} boxes" if self._several else ""
            return self._needs("shape", array.shape, self.shape) + boxes
        if array.size > 0 and self._steps(array.strides) != self._steps(self.strides):
            return self._needs("strides", array.strides, self.strides) + (
                f": axes {self.order} in memory, slowest first; plan.empty() makes such arrays")
        return ""

    def _complaint_of_dtype(self, dtype):
        if not self.any_dtype:
            return "" if dtype == self.dtype else self._needs("dtype", dtype, self.dtype)
        if dtype.itemsize != self.dtype.itemsize:
            has = f"{dtype} of {dtype.itemsize} bytes"
            return self._needs("dtype", has, f"elements of {self.dtype.itemsize}")
        if dtype.hasobject or dtype.subdtype is not None:
            return self._needs("dtype", dtype, "elements that are plain bytes")
        return ""

    def _needs(self, what, has, needed):
        return f"the {self.name} array has {what} {has}, the plan needs {needed}"

    def _steps(self, strides):
        """The strides that matter: those of axes with neighbours."""
        return [step for step, extent in zip(strides, self.shape) if extent > 1]


def _extents(box):
    return tuple(cut.stop - cut.start for cut in box)


def slices_of(boxes):
    """Boxes, each a pair of lower and upper bounds, as tuples of slices."""
    return [tuple(slice(lo, hi) for lo, hi in zip(*box)) for box in boxes]
