"""weft.fft against numpy.fft of the whole array."""

import numpy as np
import pytest
from mpi4py import MPI

import weft

world = MPI.COMM_WORLD
last = world.rank == world.size - 1
shapes = [(6, 5, 8), (7, 13, 3), (1, 2, 5), (9, 4), (11,), (2, 3, 4, 5)]
layouts = {1: ["slab(0)"], 2: ["slab(0)", "slab(1)@10"],
           3: ["slab(0)", "pencil(1,2)@201", "single", "slab(2)+(0,1,3)"],
           4: ["slab(1)", "cut(0,1,3)"]}
norms = [None, "ortho", "forward"]
# Every norm in turn, because each is a plan of its own; all of them for the first shape.
cases = [(shape, layout, norms[number % 3]) for number, (shape, layout) in enumerate(
    (shape, layout) for shape in shapes for layout in layouts[len(shape)])]
cases += [(shapes[0], "slab(0)", norm) for norm in norms[1:]]


def values_of(shape, dtype=float):
    random = np.random.default_rng(sum(shape))
    values = random.standard_normal(shape)
    if np.dtype(dtype).kind == "c":
        values = values + 1j * random.standard_normal(shape)
    return values.astype(dtype)


def expect(array, whole, tolerance=1e-13):
    """Every rank's part is that of the whole array, dtype included."""
    assert array.dtype == whole.dtype and array.global_shape == whole.shape
    scale = max(1, np.abs(whole).max())
    for box, view in zip(array.boxes, array.views):
        assert np.abs(view - whole[box]).max() < tolerance * scale


@pytest.mark.parametrize("shape, layout, norm", cases)
def test_complex(shape, layout, norm):
    values = values_of(shape, complex)
    x = weft.DistArray.from_global(values, layout, world)
    y = weft.fft.fftn(x, norm=norm)
    expect(y, np.fft.fftn(values, norm=norm))
    expect(weft.fft.ifftn(y, norm=norm), values)
    expect(weft.fft.ifftn(x, norm=norm), np.fft.ifftn(values, norm=norm))
    expect(x, values, 1e-300)


@pytest.mark.parametrize("shape, layout, norm", cases)
def test_real(shape, layout, norm):
    values = values_of(shape)
    x = weft.DistArray.from_global(values, layout, world)
    y = weft.fft.rfftn(x, norm=norm)
    expect(y, np.fft.rfftn(values, norm=norm))
    back = weft.fft.irfftn(y, s=shape, norm=norm)
    expect(back, values)
    assert back.layout == x.layout
    expect(weft.fft.fftn(x, norm=norm), np.fft.fftn(values, norm=norm))
    if shape[-1] > 1:
        halved = np.fft.rfftn(values)
        z = weft.DistArray.from_global(halved, comm=world)
        expect(weft.fft.irfftn(z, norm=norm), np.fft.irfftn(halved, norm=norm))


@pytest.mark.parametrize("axes", [0, -1, (0, 2), (2, 0), (-1, 1, 0), [1]])
def test_axes(axes):
    values, listed = values_of((6, 5, 8)), np.atleast_1d(axes)
    x = weft.DistArray.from_global(values, "slab(1)", world)
    expect(weft.fft.fftn(x, axes=axes), np.fft.fftn(values, axes=listed))
    y = weft.fft.rfftn(x, axes=axes)
    expect(y, np.fft.rfftn(values, axes=listed))
    s = [values.shape[axis] for axis in listed]
    expect(weft.fft.irfftn(y, s, axes), values)
    expect(weft.fft.fftn(x, (5, 8)), np.fft.fftn(values, (5, 8), (1, 2)))


def test_one_and_two_axes():
    values = values_of((6, 5, 8))
    x = weft.DistArray.from_global(values, comm=world)
    ours, theirs = weft.fft, np.fft
    for axis in (0, 1, 2, -1, -3):
        expect(ours.fft(x, axis=axis), theirs.fft(values, axis=axis))
        expect(ours.ifft(x, axis=axis), theirs.ifft(values, axis=axis))
        expect(ours.rfft(x, axis=axis), theirs.rfft(values, axis=axis))
        n = values.shape[axis]
        expect(ours.irfft(ours.rfft(x, axis=axis), n, axis), values)
    for pair in ((-2, -1), (1, 0), (0, 2)):
        expect(ours.fft2(x, axes=pair), theirs.fft2(values, axes=pair))
        expect(ours.ifft2(x, axes=pair), theirs.ifft2(values, axes=pair))
        expect(ours.rfft2(x, axes=pair), theirs.rfft2(values, axes=pair))
        s = [values.shape[axis] for axis in pair]
        expect(ours.irfft2(ours.rfft2(x, axes=pair), s, pair), values)


def test_precisions_and_other_dtypes():
    single = values_of((6, 5), np.float32)
    x = weft.DistArray.from_global(single, comm=world)
    expect(weft.fft.fftn(x), np.fft.fftn(single).astype(np.complex64), 1e-5)
    expect(weft.fft.rfftn(x), np.fft.rfftn(single).astype(np.complex64), 1e-5)
    whole = np.arange(30).reshape(6, 5)
    n = weft.DistArray.from_global(whole, comm=world)
    expect(weft.fft.fftn(n), np.fft.fftn(whole))
    expect(weft.fft.rfftn(n), np.fft.rfftn(whole))


def test_results_where_they_are_asked_for():
    values = values_of((6, 5, 8))
    x = weft.DistArray.from_global(values, comm=world)
    y = weft.fft.rfftn(x, layout="slab(0)")
    expect(y, np.fft.rfftn(values))
    assert y.layout == "slab(0)"
    out = weft.DistArray.empty((6, 5, 5), complex, "pencil(0,1)@210", world)
    address = out.local.ctypes.data
    assert weft.fft.rfftn(x, out=out) is out
    expect(out, np.fft.rfftn(values))
    back = weft.DistArray.zeros((6, 5, 8), layout="slab(2)", comm=world)
    assert weft.fft.irfftn(out, out=back) is back
    expect(back, values)
    assert out.local.ctypes.data == address


def test_plans_are_kept():
    x = weft.DistArray.from_global(values_of((6, 5)), comm=world)
    weft.fft.release(world)
    from weft.prepared import _kept

    y = weft.fft.rfftn(x)
    weft.fft.irfftn(y, s=(6, 5))
    weft.fft.rfftn(x)
    assert len({id(plan) for plan in _kept(world).values()}) == 1
    weft.fft.release(world)
    assert not _kept(world)


def test_other_communicators():
    half = world.Split(world.rank % 2, world.rank)
    values = values_of((6, 5, 8))
    x = weft.DistArray.from_global(values, comm=half)
    y = weft.fft.rfftn(x)
    expect(y, np.fft.rfftn(values))
    if world.size > 1:
        other = weft.DistArray.empty((6, 5, 5), complex, comm=world)
        with pytest.raises(weft.BadRequest, match="another communicator"):
            weft.fft.rfftn(x, out=other)
    half.Free()


@pytest.mark.parametrize(
    "call, words",
    [
        (lambda x: weft.fft.fftn(x, s=(6, 6)), ["s=(6, 6)", "5 values along axis 1"]),
        (lambda x: weft.fft.fftn(x, s=(6,), axes=(0, 1)), ["1 lengths for 2 axes"]),
        (lambda x: weft.fft.fft(x, n=4), ["s=(4,)", "5 values"]),
        (lambda x: weft.fft.irfftn(x, s=(6, 5)), ["ends with 5", "8 or 9"]),
        (lambda x: weft.fft.fftn(x, axes=(0, 0)), ["axes=(0, 0)"]),
        (lambda x: weft.fft.fftn(x, axes=2), ["axes=(2,)", "2 axes", "0 to 1"]),
        (lambda x: weft.fft.fftn(x, axes=()), ["axes=()"]),
        (lambda x: weft.fft.fftn(x, axes=1.5), ["axes=1.5"]),
        (lambda x: weft.fft.fftn(x, norm="unitary"), ["'unitary'", "'ortho'"]),
        (lambda x: weft.fft.rfftn(x + 1j), ["complex128", "real arrays"]),
        (lambda x: weft.fft.fftn(x.astype(np.float16)), ["float16"]),
        (lambda x: weft.fft.fftn(x, layout="slab(7)"), ["7"]),
        (lambda x: weft.fft.fftn(x, out=x), ["float64", "complex128"]),
        (lambda x: weft.fft.fftn(x, out=x, layout="slab(0)"), ["layout and out"]),
    ],
)
def test_mistakes_are_told_on_every_rank(refused, call, words):
    x = weft.DistArray.zeros((6, 5), comm=world)
    refused(lambda: call(x), weft.BadRequest, *words)
    if world.size > 1:  # Made on one rank only.
        refused(lambda: call(x) if last else weft.fft.fftn(x), weft.BadRequest)


def test_numpy_arrays_are_refused():
    with pytest.raises(TypeError, match="DistArray.from_global"):
        weft.fft.fftn(np.zeros(4))


@pytest.mark.parametrize("layout", ["slab(0)", "slab(1)", "brick"])
def test_one_element_may_lie_in_any_layout(layout):
    """The layouts are one, but ranks that own nothing have parts of other shapes."""
    values = np.full((1, 1), 3.0)
    x = weft.DistArray.from_global(values, layout, world)
    y = weft.fft.rfftn(x, axes=(1, 0))
    expect(y, values.astype(complex))
    expect(weft.fft.irfftn(y, axes=(1, 0), s=(1, 1)), values)
