"""Distributed arrays against numpy's whole ones."""

import copy
import pickle

import numpy as np
import pytest
from mpi4py import MPI

import weft
from arrays import expect, in_layouts, layouts, own, shape, whole
from weft import DistArray

world = MPI.COMM_WORLD
last = world.rank == world.size - 1


@in_layouts
def test_from_and_to_whole_arrays(layout):
    values = whole()
    x = DistArray.from_global(values, own(layout), world)
    expect(x, values)
    assert x.shape == x.global_shape == shape and x.size == values.size and x.ndim == 3
    root = world.size - 1
    gathered = x.gather(root)
    if world.rank == root:
        np.testing.assert_array_equal(gathered, values)
    else:
        assert gathered is None
    scattered = DistArray.from_global(values if world.rank == root else None, own(layout), world,
                                      root)
    expect(scattered, values)


@in_layouts
def test_layouts_are_told_in_full(layout):
    x = DistArray.from_global(whole(), own(layout), world)
    again = DistArray.from_global(whole(), x.layout, world)
    assert again.layout == x.layout and again.distribution == x.distribution
    assert again.boxes == x.boxes and again.local.strides == x.local.strides
    assert [x.distribution.boxes(rank) for rank in range(world.size)] == world.allgather(x.boxes)
    assert x.layout in repr(x) and "(6, 5, 7)" in repr(x)


@pytest.mark.parametrize("layout, told", [("slab(0)", "slab(0)"), ("slab(1)@102", "slab(1)@102"),
                                          ("slab( 0 )@012", "slab(0)")])
def test_layouts_have_one_name(layout, told):
    if world.size > 1 or "1" not in layout[5:7]:
        assert DistArray.empty(shape, layout=layout, comm=world).layout == told


def test_from_functions():
    values = np.fromfunction(lambda i, j, k: i + 10 * j + 100 * k, shape)
    expect(DistArray.from_function(lambda i, j, k: i + 10 * j + 100 * k, shape, comm=world), values)
    expect(DistArray.from_function(lambda i, j, k: 3, shape, int, own("boxes"), world),
           np.full(shape, 3))
    waves = DistArray.from_function(lambda x, y, z: x + y, shape, comm=world, lengths=(6, 10, 1))
    expect(waves, np.fromfunction(lambda i, j, k: i + 2 * j, shape))
    x, y, z = waves.coordinates((6, 10, 1))
    np.testing.assert_array_equal(waves.local, np.broadcast_to(x + y, waves.local.shape))


@pytest.mark.parametrize("layout, target", [(layout, layouts[(number + step) % len(layouts)])
                                            for number, layout in enumerate(layouts)
                                            for step in (0, 1, 3)])
def test_redistribution(layout, target):
    values = whole(np.float32)
    x = DistArray.from_global(values, own(layout), world)
    moved = x.redistribute(own(target))
    expect(moved, values)
    assert moved.dtype == np.float32
    expect(x, values)


# --- arithmetic -----------------------------------------------------------------------------------


@in_layouts
def test_elementwise(layout):
    a, b = whole(), whole(complex)
    x, y = (DistArray.from_global(v, own(layout), world) for v in (a, b))
    expect(x + y, a + b, 1e-14)
    expect(2 * x - 1, 2 * a - 1, 1e-14)
    expect(np.multiply(x, y), a * b, 1e-14)
    expect(-abs(y) ** 2, -abs(b) ** 2, 1e-14)
    expect(x > 0, a > 0, 1e-14)
    expect(np.hypot(x, 1), np.hypot(a, 1), 1e-14)
    expect(y.conj(), b.conj(), 1e-14)
    expect(y.real, b.real, 1e-14)
    expect(y.imag, b.imag, 1e-14)
    fraction, exponent = np.frexp(x)
    expect(fraction, np.frexp(a)[0], 1e-14)
    expect(exponent, np.frexp(a)[1], 1e-14)
    assert (x + y).layout == x.layout
    weft.fft.fftn(x + y)  # Results lie as transforms need them.


@in_layouts
def test_functions_of_elements(layout):
    a, b = whole(), whole(complex)
    x, y = (DistArray.from_global(v, own(layout), world) for v in (a, b))
    for found, expected in (
            (np.where(x > 0, x, 2), np.where(a > 0, a, 2)), (np.clip(x, -1, None), np.clip(a, -1, None)),
            (np.round(x, 1), np.round(a, 1)), (np.angle(y), np.angle(b)), (np.real(y), b.real),
            (np.imag(y), b.imag), (np.isclose(x, y.real), np.isclose(a, b.real)),
            (np.zeros_like(y), 0 * b), (np.full_like(x, 3, dtype=int), np.full(shape, 3))):
        assert found.dtype == expected.dtype and found.layout == x.layout
        expect(found, expected, 1e-14)
        weft.fft.fftn(found)
    assert np.clip(x, 0, 1, out=x) is x
    expect(x, np.clip(a, 0, 1))
    assert np.shape(x) == shape and np.ndim(x) == 3 and np.size(x) == a.size


@in_layouts
def test_reductions_of_functions(layout):
    a, b = whole(), whole(complex)
    x, y = (DistArray.from_global(v, own(layout), world) for v in (a, b))
    for found, expected in (
            (np.var(x), np.var(a)), (np.std(y, ddof=1), np.std(b, ddof=1)), (y.var(), b.var()),
            (np.linalg.norm(y), np.linalg.norm(b))):
        np.testing.assert_allclose(found, expected, rtol=1e-12)
        assert len(set(world.allgather(float(found)))) == 1
    for values in (a > 2, a > 100, a < 100, a == a[5, 4, 6]):
        z = DistArray.from_global(values, own(layout), world)
        assert np.any(z) == z.any() == values.any() and np.all(z) == z.all() == values.all()
    assert np.allclose(x, x + 1e-12) and not np.allclose(x, x + (x == a[0, 0, 0]))


@in_layouts
def test_dlpack_has_no_copies(layout):
    x = DistArray.from_global(whole(), own(layout), world)
    seen = np.from_dlpack(x)
    assert seen.shape == x.local.shape and seen.strides == x.local.strides
    assert seen.size == 0 or seen.ctypes.data == x.local.ctypes.data
    assert x.__dlpack_device__() == (1, 0)


def test_in_place_without_copies():
    a = whole()
    x = DistArray.from_global(a, "slab(2)@201", world)
    local, address = x.local, x.local.ctypes.data
    x += 1
    x *= x
    assert x.local is local and np.asarray(x) is local and local.ctypes.data == address
    out = DistArray.zeros(shape, layout="slab(2)@201", comm=world)
    assert np.sqrt(x, out=out) is out
    expect(out, abs(a + 1))
    copy = x.copy()
    copy.local[...] = 0
    expect(x, (a + 1) ** 2)


def test_local_numpy_arrays_broadcast():
    x = DistArray.from_global(whole(complex), "slab(1)", world)
    kx, ky, kz = x.wavenumbers(r2c_axis="none")
    k = [np.fft.fftfreq(n, 1 / n) for n in shape]
    np.testing.assert_allclose((kx * x * kz).local,
                               (k[0][:, None, None] * whole(complex) * k[2])[x.slices], atol=1e-14)
    y = DistArray.zeros((6 * world.size, 4), comm=world)
    for wrong in (np.zeros(3), np.zeros((5, 4)), np.zeros((1, 6, 4))):
        with pytest.raises(weft.BadRequest, match="does not broadcast"):
            y + wrong


@in_layouts
@pytest.mark.parametrize("dtype", [float, complex, int, np.float32, bool])
def test_reductions(layout, dtype):
    values = np.round(100 * whole()).astype(dtype)
    x = DistArray.from_global(values, own(layout), world)
    assert x.sum() == np.sum(x) and x.sum().dtype == values.sum().dtype
    rtol = 1e-5 if dtype == np.float32 else 1e-12
    np.testing.assert_allclose(x.sum(), values.sum(), rtol=rtol)
    np.testing.assert_allclose(np.mean(x), values.mean(), rtol=rtol)
    if dtype is not bool:  # Of which numpy's dot product is one bool.
        np.testing.assert_allclose(x.vdot(x), np.vdot(values, values), rtol=rtol)
        np.testing.assert_allclose(np.dot(x, x), (values * values).sum(), rtol=rtol)
    assert len(set(world.allgather(complex(x.sum())))) == 1
    if dtype in (complex, bool):
        with pytest.raises(weft.BadRequest, match="have an order"):
            x.max()
    else:
        assert x.max() == np.max(x) == values.max() and x.min() == np.min(x) == values.min()


def test_nan_is_the_largest_and_the_smallest():
    values = whole()
    values[3, 2, 1] = np.nan
    x = DistArray.from_global(values, comm=world)
    assert np.isnan(x.max()) and np.isnan(x.min()) and np.isnan(x.sum())


def test_what_numpy_would_do_locally_is_refused():
    x, y = (DistArray.zeros(shape, layout=layout, comm=world) for layout in ("slab(0)@012",
                                                                            "slab(0)@210"))
    for call in (lambda: x + y, lambda: np.add(x, 1, out=y)):
        with pytest.raises(weft.BadRequest, match="distributed differently"):
            call()
    with pytest.raises(weft.BadRequest, match="dtype object"):
        x.astype(object)
    for call in (lambda: np.concatenate([x, x]), lambda: np.median(x), lambda: np.vdot(1, x)):
        with pytest.raises(TypeError, match=r"distributed arrays.*x.local"):
            call()
    with pytest.raises(weft.BadRequest, match="neither true nor false"):
        assert x == x
    with pytest.raises(TypeError, match="not pickled"):
        pickle.dumps(x)
    with pytest.raises(weft.BadRequest, match="np.where"):
        np.where(x)
    with pytest.raises(weft.BadRequest, match="ord=1"):
        np.linalg.norm(x, 1)
    with pytest.raises(weft.BadRequest, match="np.add.reduce"):
        np.add.reduce(x)
    with pytest.raises(weft.BadRequest, match="over all axes"):
        x.sum(axis=0)


def test_copies_have_values_of_their_own():
    x = DistArray.from_global(whole(), comm=world)
    for twin in (copy.copy(x), copy.deepcopy(x)):
        assert twin.distribution == x.distribution
        twin.local[...] += 1
        expect(twin, whole() + 1)
    expect(x, whole())


def test_plans_take_them():
    x = DistArray.from_global(whole(complex), "slab(1)@102", world)
    y = DistArray.empty(shape, complex, "slab(0)", world)
    plan = weft.Plan(shape, world, input=x.layout, output=y.layout)
    plan.bind(x, y).forward()
    np.testing.assert_allclose(y.local, np.fft.fftn(whole(complex))[y.slices], atol=1e-12)
    plan.bind().backward(x, y)
    np.testing.assert_allclose(x.local, 210 * whole(complex)[x.slices], atol=1e-10)


def test_arrays_of_other_ranks_parts_are_refused(refused):
    if world.size == 1:
        pytest.skip("one rank has the whole array")
    reversed_ranks = world.Split(0, -world.rank)
    n = 4 * world.size
    plan = weft.Plan(n, world, input="slab(0)", output="slab(0)")
    x, y = (DistArray.zeros(n, complex, comm=comm) for comm in (reversed_ranks, world))
    refused(lambda: plan.bind(x, y), weft.BadRequest, "input array has the part [", "on this rank")
    with pytest.raises(weft.BadRequest, match="different communicators"):
        x + y
    plan.bind(*(DistArray.zeros(n, complex, comm=comm) for comm in (world.Dup(), world)))


# --- mistakes -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "call, words",
    [
        (lambda: DistArray.zeros((6, 0), comm=world), ["0"]),
        (lambda: DistArray.zeros((6, 2.5), comm=world), ["shape", "2.5"]),
        (lambda: DistArray.from_global(np.array(3.0), comm=world), ["shape is ()", "1 to 6"]),
        (lambda: DistArray.zeros((6, 5), layout="slab(2)", comm=world), ["2"]),
        (lambda: DistArray.zeros((6, 5), "f5", comm=world), ["f5"]),
        (lambda: DistArray.zeros((6, 5), object, comm=world), ["dtype object"]),
        (lambda: DistArray.zeros((6, 5), (float, 3), comm=world), ["plain bytes"]),
        (lambda: DistArray.from_function(lambda x: 1 / 0, 8 * world.size, comm=world),
         ["division by zero"]),
        (lambda: DistArray.from_global(np.zeros(8), comm=world, root=99), ["root=99"]),
        (lambda: DistArray.zeros(8, comm=world).gather(-1), ["root=-1"]),
        (lambda: DistArray.zeros(8, comm=world).redistribute("slab(1)"), ["1"]),
    ],
)
def test_mistakes_are_told_on_every_rank(refused, call, words):
    refused(call, weft.BadRequest, *words)


def test_one_ranks_mistake_is_told_on_every_rank(refused):
    if world.size == 1:
        pytest.skip("one rank cannot disagree")
    refused(lambda: DistArray.zeros(8 if not last else "8", comm=world), weft.BadRequest, "'8'")
    refused(lambda: DistArray.from_global(np.zeros(8 + last), comm=world), weft.BadRequest,
            "different shape", "(9,)")


def test_several_boxes_have_no_slices():
    rows = [np.s_[i : i + 1, 0:4] for i in range(world.rank, 2 * world.size, world.size)]
    x = DistArray.zeros((2 * world.size, 4), layout=weft.boxes(rows, world), comm=world)
    assert x.boxes == rows and len(x.views) == 2
    with pytest.raises(weft.BadRequest, match="owns 2 boxes"):
        x.slices
    assert [k.shape for k in x.wavenumbers(box=1, r2c_axis="none")] == [(1, 1), (1, 4)]
