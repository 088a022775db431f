"""A rank's part of the input or the output array."""

import numpy as np

_dtypes = {
    ("f32", False): np.dtype(np.float32),
    ("f32", True): np.dtype(np.complex64),
    ("f64", False): np.dtype(np.float64),
    ("f64", True): np.dtype(np.complex128),
}


class Part:
    """What this process's numpy array at one end of a plan has to be like.

    Axes are those of the problem's shape (n/2+1 where halved), with batch > 1 the last one is the
    batch. The order of axes in memory is in the strides, which count bytes.
    """

    def __init__(self, plan, output):
        rank = plan.rank()
        self.name = "output" if output else "input"
        self.dtype = _dtypes[plan.precision(), plan.kind() != ("c2r" if output else "r2c")]
        self.order = tuple(plan.order(output))
        self.boxes = slices_of(plan.boxes(output, rank)) or [(slice(0, 0),) * len(self.order)]
        self.strides = tuple(n * self.dtype.itemsize for n in plan.strides(output, rank))
        self.bytes = plan.size(output, rank) * self.dtype.itemsize

    @property
    def slices(self):
        """Its place in the global array: a tuple of slices, or a list of such for several boxes."""
        return self.boxes[0] if len(self.boxes) == 1 else self.boxes

    @property
    def shape(self):
        (box,) = self.boxes
        return tuple(cut.stop - cut.start for cut in box)

    def view(self, memory):
        """An array of the right shape and strides at the start of `memory`, which has bytes."""
        return np.ndarray(self.shape, self.dtype, buffer=memory, strides=self.strides)

    def complaint(self, array):
        """What is wrong with an array, quoting both values; empty if nothing is."""
        if not isinstance(array, np.ndarray):
            return f"the {self.name} array is of {type(array).__name__}, the plan needs a numpy array"
        if array.dtype != self.dtype:
            return self._needs("dtype", array.dtype, self.dtype)
        if array.shape != self.shape:
            return self._needs("shape", array.shape, self.shape)
        if array.size > 0 and self._steps(array.strides) != self._steps(self.strides):
            return self._needs("strides", array.strides, self.strides) + (
                f": axes {self.order} in memory, slowest first; plan.empty() makes such arrays")
        if not array.flags.writeable:
            return f"the {self.name} array is read-only, but transforms write to both arrays"
        return ""

    def _needs(self, what, has, needed):
        return f"the {self.name} array has {what} {has}, the plan needs {needed}"

    def _steps(self, strides):
        """The strides that matter: those of axes with neighbours."""
        return [step for step, extent in zip(strides, self.shape) if extent > 1]


def slices_of(boxes):
    """Boxes, each a pair of lower and upper bounds, as tuples of slices."""
    return [tuple(slice(lo, hi) for lo, hi in zip(*box)) for box in boxes]
