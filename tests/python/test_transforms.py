"""Transforms against numpy's of the whole array."""

import numpy as np
import pytest
from mpi4py import MPI

import weft

world = MPI.COMM_WORLD
tolerance = {"f32": 2e-6, "f64": 1e-14}


def whole(kind, shape, axes):
    """A global real or complex array of random values, and its spectrum."""
    random = np.random.default_rng(7)
    values = random.standard_normal(shape)
    if kind == "c2c":
        values = values + 1j * random.standard_normal(shape)
        return values, np.fft.fftn(values, axes=axes)
    return values, np.fft.rfftn(values, axes=axes)


def expect_close(array, expected, precision):
    assert array.shape == expected.shape
    scale = max(np.abs(expected).max(initial=0), 1)
    assert np.abs(array - expected).max(initial=0) < tolerance[precision] * 50 * scale


def expect_right(plan, kind, precision, shape, axes):
    """Both directions. The last of `axes` is the r2c axis."""
    values, spectrum = whole(kind, shape, axes)
    count = np.prod([shape[axis] for axis in axes])
    source, target = (spectrum, values * count) if kind == "c2r" else (values, spectrum)
    a, b = plan.empty()
    fft = plan.bind(a, b)
    a[...] = source[plan.in_slices]
    fft.forward()
    expect_close(b, target[plan.out_slices], precision)
    fft.backward()
    expect_close(a, source[plan.in_slices] * count, precision)


@pytest.mark.parametrize("kind", ["c2c", "r2c", "c2r"])
@pytest.mark.parametrize("axes", [(1, 0), (2, 0, 1), (2, 1), (0, 2)])
def test_the_last_axis_listed_is_the_r2c_axis(kind, axes):
    plan = weft.Plan(shape=(6, 9, 8), kind=kind, axes=axes, comm=world)
    expect_right(plan, kind, "f64", (6, 9, 8), axes)


@pytest.mark.parametrize("precision", ["f32", "f64"])
@pytest.mark.parametrize("kind", ["c2c", "r2c", "c2r"])
@pytest.mark.parametrize(
    "shape, settings",
    [
        ((13,), ""),
        ((8, 9), "in=slab(1)@10"),
        ((12, 10, 9), ""),
        ((5, 7, 6), "in=slab(0) out=slab(0)@012"),
        ((5, 7, 6), "in=slab(2)@201 out=slab(1)@120; decomposition=slab; via=alltoallw"),
        ((4, 3, 5, 6), "in=pencil(0,1)"),
        ((2, 1, 3), "in=single"),
    ],
)
def test_against_numpy(kind, precision, shape, settings):
    plan = weft.Plan(f"{kind}:{precision}:{'x'.join(map(str, shape))} {settings}", world)
    expect_right(plan, kind, precision, shape, tuple(range(len(shape))))


@pytest.mark.parametrize("kind", ["c2c", "r2c", "c2r"])
def test_arguments(kind):
    named = {} if kind == "c2c" else {"r2c_axis": 0}
    plan = weft.Plan(shape=(6, 5, 7), kind=kind, precision="f64", batch=3, axes=(0, 2),
                     input="slab(1)", output="free@012", choice="engine=reference", comm=world,
                     **named)
    assert "axes=0,2" in plan.text and "engine=reference" in plan.text
    expect_right(plan, kind, "f64", (6, 5, 7, 3), (2, 0))


def test_scale():
    plan = weft.Plan(shape=[6, 4], scale=("none", "n"))
    a, b = plan.empty()
    fft = plan.bind(a, b)
    a[...] = 3
    fft.forward()
    fft.backward()
    assert np.abs(a - 3).max(initial=0) < 1e-14


def test_in_place():
    plan = weft.Plan("c2c:f64:6x5x4 in=slab(0) out=slab(1) in_place", world)
    a, b = plan.empty()
    values, spectrum = whole("c2c", (6, 5, 4), (0, 1, 2))
    fft = plan.bind(a, b)
    a[...] = values[plan.in_slices]
    fft.forward()
    expect_close(b, spectrum[plan.out_slices], "f64")
    fft.backward()
    expect_close(a, values[plan.in_slices] * 120, "f64")


def test_own_arrays_without_copies():
    plan = weft.Plan("c2c:f64:6x5x4 in=slab(0)@012 out=slab(0)@012", world)
    a = np.ones(plan.in_shape, complex)
    b = np.zeros(plan.out_shape, complex)
    fft = plan.bind(a, b)
    fft.forward()
    assert fft.input is a and fft.output is b
    total = world.allreduce(b.sum())
    assert abs(total - 120) < 1e-12


def test_communicators():
    half = world.Split(world.rank % 2, -world.rank)
    for comm in (half, MPI.COMM_SELF, world.Dup()):
        plan = weft.Plan("r2c:f64:6x5x8", comm)
        assert (plan.rank, plan.ranks) == (comm.rank, comm.size)
        expect_right(plan, "r2c", "f64", (6, 5, 8), (0, 1, 2))
        if comm is not MPI.COMM_SELF:
            comm.Free()


def test_transforms_outlive_plans_and_names_of_arrays():
    plan = weft.Plan("c2c:f64:6x5x4", world)
    a, b = plan.empty()
    a[...] = 1
    fft = plan.bind(a, b)
    del plan, a, b
    fft.forward()
    assert abs(world.allreduce(fft.output.sum()) - 120) < 1e-12
    fft.backward()
    assert np.abs(fft.input - 120).max(initial=0) < 1e-12


def test_started_transforms_go_on_together():
    """Waited for in the opposite order on every second rank, then tested."""
    bound = []
    for shape, settings in (((12, 10, 9), ""), ((5, 7, 6), "; via=alltoallv"),
                            ((8, 6, 7), "; decomposition=pencil")):
        plan = weft.Plan(f"c2c:f64:{'x'.join(map(str, shape))} {settings}", world)
        values, spectrum = whole("c2c", shape, (0, 1, 2))
        a, b = plan.empty()
        a[...] = values[plan.in_slices]
        back = values[plan.in_slices] * np.prod(shape)
        bound.append((plan.bind(a, b), spectrum[plan.out_slices], back))
    for fft, _, _ in bound:
        fft.start_forward()
    for fft, spectrum, _ in bound[:: -1 if world.rank % 2 else 1]:
        fft.wait()
        expect_close(fft.output, spectrum, "f64")
    for fft, _, _ in bound:
        fft.start_backward()
    for fft, _, back in bound:
        while not fft.test():
            pass
        assert fft.test()
        expect_close(fft.input, back, "f64")


def test_started_transforms_are_not_started_again():
    plan = weft.Plan("c2c:f64:6x5x4", world)
    fft = plan.bind(*plan.empty())
    assert fft.test()
    fft.wait()
    fft.start_forward()
    for start in (fft.start_forward, fft.start_backward, fft.forward):
        with pytest.raises(weft.BadRequest, match="started already"):
            start()
    fft.wait()
    fft.wait()


def test_started_transforms_are_completed_when_they_go():
    plan = weft.Plan("c2c:f64:6x5x4", world)
    a, b = plan.empty()
    a[...] = 1
    fft = plan.bind(a, b)
    fft.start_forward()
    del fft
    assert abs(world.allreduce(b.sum()) - 120) < 1e-12
