"""Distributed arrays in layouts of every kind, for tests of them."""

import numpy as np
import pytest
from mpi4py import MPI

import weft

world = MPI.COMM_WORLD
shape = (6, 5, 7)
dealt = [np.s_[i : i + 1, 0:5, 0:7] for i in range(world.rank, 6, world.size)]
layouts = ["slab(0)", "slab(2)@201", "pencil(0,1)", "brick@120", "single", "slab(1)+(0,1,2)",
           "boxes"]
in_layouts = pytest.mark.parametrize("layout", layouts)


def own(layout):
    """`boxes` stands for rows that are dealt out, several on a rank."""
    return weft.boxes(dealt, world) if layout == "boxes" else layout


def whole(dtype=float):
    values = np.random.default_rng(1).standard_normal(shape)
    return values.astype(dtype) if np.dtype(dtype).kind != "c" else values + 1j * values[::-1]


def expect(array, values, rtol=0):
    """rtol: numpy's kernels round differently where arrays are aligned differently."""
    for box, view in zip(array.boxes, array.views):
        if rtol == 0:
            np.testing.assert_array_equal(view, values[box])
        else:
            np.testing.assert_allclose(view, values[box], rtol=rtol)
    assert world.allreduce(sum(view.size for view in array.views)) == values.size
