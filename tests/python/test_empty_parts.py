"""Ranks that own nothing: their parts begin where they would, and keep the axes that are not cut."""

import numpy as np
import pytest
from mpi4py import MPI

import weft
from weft import DistArray

world = MPI.COMM_WORLD


def lengths(box):
    return tuple(cut.stop - cut.start for cut in box)


@pytest.mark.parametrize("ranks", range(1, 14))
@pytest.mark.parametrize("cut", ["balanced", "block"])
def test_edges_ascend_and_find_owners(ranks, cut):
    plan = weft.Plan.for_ranks(f"c2c:f64:3x9x4 in=slab(0) out=slab(2)@201 cut={cut}", ranks)
    for box, boxes, axis, n in ((plan.in_box, plan.in_boxes, 0, 3),
                                (plan.out_box, plan.out_boxes, 2, 4)):
        parts = [box(rank) for rank in range(ranks)]
        edges = [part[axis].start for part in parts]
        assert edges == [0, *(part[axis].stop for part in parts[:-1])] and parts[-1][axis].stop == n
        for rank, part in enumerate(parts):
            assert boxes(rank) == ([part] if part[axis].start < part[axis].stop else [])
            for other, length in enumerate((3, 9, 4)):
                assert other == axis or part[other] == slice(0, length)
        for index in range(n):
            owner = np.searchsorted(edges, index, side="right") - 1
            assert parts[owner][axis].start <= index < parts[owner][axis].stop
    first = 0 if cut == "block" else max(0, -(-ranks // 3) - 1)  # docs/layout.md has it so
    assert plan.in_box(first)[0].start == 0 < plan.in_box(first)[0].stop
    with pytest.raises(weft.BadRequest, match="which owns"):
        plan.in_box(0, 1)


def test_of_grids_and_lists():
    plan = weft.Plan.for_ranks("c2c:f64:3x2x7 in=pencil(0:2,1:4) out=single", 8)
    assert plan.in_box(0) == np.s_[0:1, 0:0, 0:7] and plan.in_box(6) == np.s_[1:3, 1:1, 0:7]
    assert plan.out_box(5) == np.s_[3:3, 0:2, 0:7]
    plan = weft.Plan.for_ranks("c2c:f64:4x6 in=boxes(|[0:1,0:6][1:4,0:6])", 2)
    assert plan.in_box(0) == np.s_[4:4, 0:6] and plan.in_box(1, 1) == np.s_[1:4, 0:6]


def test_sums_along_a_cut_axis_have_one_shape():
    x = DistArray.zeros((1, 9, 4), float, "slab(0)", world)
    x.local[...] = np.arange(36).reshape(9, 4)
    part = x.local.sum(axis=0)
    assert part.shape == (9, 4) and x.local.shape == lengths(x.slices)
    total = np.empty_like(part)
    world.Allreduce(part, total)
    np.testing.assert_array_equal(total, np.arange(36).reshape(9, 4))
    assert x.distribution.box(world.rank) == x.slices == x.distribution.box(world.rank, 0)
    assert [values.size for values in x.coordinates(box=0)] == [len(x.boxes), 9, 4]
    column = np.arange(9.0)[:, None]
    np.testing.assert_array_equal((x + column).local, x.local + column)


@pytest.mark.parametrize("text", ["c2c:f64:1x9x4 in=slab(0) out=slab(0)", "r2c:f64:1x2x6 in_place",
                                  "r2c:f32:2x1x6*3 in=pencil(0,1)@b201 out=pencil(1,2)+(1,0,0)"])
def test_arrays_of_plans_have_these_shapes(text):
    plan = weft.Plan(text, world)
    a, b = plan.empty()
    assert a.shape == plan.in_shape == lengths(plan.in_slices)
    assert b.shape == plan.out_shape == lengths(plan.out_slices)
    assert plan.in_slices == plan.in_box(world.rank) and plan.out_slices == plan.out_box(world.rank)
    a[...] = 1
    fft = plan.bind(a, b)
    fft.forward()
    fft.backward()
    np.testing.assert_allclose(a, np.prod(plan.shape), rtol=1e-5)


def test_padded_plans_and_files_work_there(tmp_path):
    path = world.bcast(str(tmp_path / "empty.npy"))
    values = np.random.default_rng(1).standard_normal((1, 6, 5))
    x = DistArray.from_global(values, comm=world)
    x.save(path)
    loaded = DistArray.load(path, "slab(1)", world)
    np.testing.assert_array_equal(loaded.local, values[loaded.slices])
    padded = weft.PaddedPlan((1, 6, 5), world, kind="r2c", scale="forward")
    spectrum = weft.fft.rfftn(x, norm="forward", layout=padded.out_layout)
    back = weft.fft.irfftn(padded.forward(padded.backward(spectrum)), (1, 6, 5), norm="forward")
    np.testing.assert_allclose(back.local, values[back.slices], atol=1e-14)
