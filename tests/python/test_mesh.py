"""Coordinates and wave numbers of local parts, against numpy's of the whole array."""

import numpy as np
import pytest
from mpi4py import MPI

import weft

world = MPI.COMM_WORLD
layouts = ["", "in=slab(0) out=slab(1)", "in=pencil(0,1)@201 out=pencil(1,2)@120", "in=single",
           "in=slab(2)@102+(0,0,2) out=slab(0)"]


def whole_wavenumbers(shape, axes, r2c_axis, lengths):
    """By numpy.fft.fftfreq, one array for each axis, of the whole spectrum."""
    found = []
    for axis in axes:
        n = shape[axis]
        freq = np.fft.rfftfreq if axis == r2c_axis else np.fft.fftfreq
        k = freq(n, lengths[axis] / n) * 2 * np.pi
        found.append(k.reshape([-1 if a == axis else 1 for a in range(len(shape))]))
    return found


def part_of(whole, axis, slices):
    """The part of an array that has more than one element along one axis at most."""
    return whole[tuple(cut if a == axis else slice(None) for a, cut in enumerate(slices))]


@pytest.mark.parametrize("settings", layouts)
@pytest.mark.parametrize("kind", ["c2c", "r2c", "c2r"])
@pytest.mark.parametrize("shape", [(6, 5, 8), (7, 2, 9), (1, 13, 3)])
def test_against_numpy(kind, shape, settings):
    lengths = (1.0, 2.5, 8 * np.pi)
    if kind == "c2r":
        settings = settings.replace("in=", "x=").replace("out=", "in=").replace("x=", "out=")
    plan = weft.Plan(f"{kind}:f64:{'x'.join(map(str, shape))} {settings}", world)
    physical, spectral = plan.in_slices, plan.out_slices
    local, other = plan.in_shape, plan.out_shape
    if kind == "c2r":
        physical, spectral, local, other = spectral, physical, other, local
    grid = np.ogrid[physical]
    for found, index, length, n in zip(plan.coordinates(lengths), grid, lengths, shape):
        np.testing.assert_allclose(found, index * length / n, rtol=1e-15)
    assert np.broadcast_shapes(*(x.shape for x in plan.coordinates())) == local
    r2c_axis = -1 if kind == "c2c" else 2
    expected = whole_wavenumbers(shape, (0, 1, 2), r2c_axis, lengths)
    found = plan.wavenumbers(lengths)
    assert np.broadcast_shapes(*(k.shape for k in found)) == other
    for axis, (k, wanted) in enumerate(zip(found, expected)):
        np.testing.assert_allclose(k, part_of(wanted, axis, spectral), rtol=1e-14)


def test_of_some_axes_and_a_batch():
    plan = weft.Plan((6, 5, 8), world, kind="r2c", batch=3, axes=(2, 0), precision="f32")
    kx, kz = plan.wavenumbers()
    assert kx.dtype == np.float32 and kx.ndim == kz.ndim == 4
    expected = whole_wavenumbers((6, 5, 8), (0, 2), 0, [2 * np.pi] * 3)
    np.testing.assert_array_equal(kx[..., 0], part_of(expected[0], 0, plan.out_slices[:3]))
    np.testing.assert_array_equal(kz[..., 0], part_of(expected[1], 2, plan.out_slices[:3]))
    assert [x.ndim for x in plan.coordinates(8)] == [4, 4, 4]


def test_of_several_boxes():
    mine = [np.s_[i : i + 1, 0:6] for i in range(world.rank, 2 * world.size, world.size)]
    plan = weft.Plan((2 * world.size, 6), world, input=weft.boxes(mine, world))
    x, y = plan.coordinates((2 * world.size, 6), box=1)
    assert x.ravel() == [world.rank + world.size]
    np.testing.assert_array_equal(y.ravel(), range(6))
    with pytest.raises(weft.BadRequest, match="owns 2 boxes; say which"):
        plan.coordinates()
    with pytest.raises(weft.BadRequest, match="box=2"):
        plan.coordinates(box=2)


@pytest.mark.parametrize("lengths", [(1, 2), (1, 2, 3, 4), (1, 2, 0), -1, (1, 2, np.inf)])
def test_other_lengths_are_refused(lengths):
    plan = weft.Plan((6, 5, 8), world)
    for values in (plan.coordinates, plan.wavenumbers):
        with pytest.raises(weft.BadRequest, match="lengths"):
            values(lengths)


def test_redistribution_has_no_spectrum():
    plan = weft.Plan("redistribute:8:6x4 in=slab(0) out=slab(1)", world)
    assert plan.axes == () and len(plan.coordinates()) == 2
    with pytest.raises(weft.BadRequest, match="no spectrum"):
        plan.wavenumbers()


def test_a_derivative():
    n, length = 16, 3.0
    plan = weft.Plan((n, 4), world, axes=0, scale="backward")
    a, b = plan.empty()
    x, _ = plan.coordinates(length)
    k, = plan.wavenumbers(length)
    a[...] = np.sin(2 * np.pi * x / length)
    fft = plan.bind(a, b)
    fft.forward()
    b *= 1j * k
    fft.backward()
    wave = 2 * np.pi / length
    assert np.abs(a - wave * np.cos(wave * x)).max(initial=0) < 1e-13


@pytest.mark.parametrize("kind", ["c2c", "r2c"])
def test_of_modes_that_are_kept(kind):
    """Of 12 x 10 points 8 x 5 modes; the field has the first 7 x 10 points, zeros beyond."""
    plan = weft.Plan((12, 10), world, kind=kind, modes=(8, 5), even_modes="keep", inside=(7, 10))
    half = kind == "r2c"
    assert plan.in_global_shape == (7, 10)
    assert plan.out_global_shape == (8, 3 if half else 5)
    k0, k1 = plan.wavenumbers()
    if plan.out_shape[0] and plan.out_shape[1]:
        rows, columns = plan.out_slices
        assert np.array_equal(k0[:, 0], np.array([0, 1, 2, 3, -4, -3, -2, -1])[rows])
        assert np.array_equal(k1[0], np.array([0, 1, 2] if half else [0, 1, 2, -2, -1])[columns])
    x, y = plan.coordinates(lengths=(12, 10))
    field, spectrum = plan.empty()
    field[...] = (x + 1) * (y - 3) ** 2
    plan.bind(field, spectrum).forward()
    whole = np.zeros((12, 10))
    whole[:7] = np.arange(1, 8)[:, None] * (np.arange(10) - 3) ** 2
    modes = np.fft.fft2(whole)[np.ix_([0, 1, 2, 3, -4, -3, -2, -1], [0, 1, 2] if half else [0, 1, 2, -2, -1])]
    assert np.allclose(spectrum, modes[plan.out_slices], rtol=0, atol=1e-10)


def test_modes_are_refused_alike():
    with pytest.raises(weft.BadRequest, match="modes=13x5: axis 0 has the length 12"):
        weft.Plan((12, 10), world, modes=(13, 5))
