"""Padded transforms against numpy on one process: trigonometric interpolation, written as a product
with a matrix along each axis."""

import numpy as np
import pytest
from mpi4py import MPI

import weft
from weft import DistArray, PaddedPlan

world = MPI.COMM_WORLD
last = world.rank == world.size - 1


def waves(n, m):
    """Row j: the waves of a spectrum of n at the point j of m; of even n the one of n/2 is the mean
    of those of n/2 and -n/2."""
    k = np.fft.fftfreq(n, 1 / n)
    rows = np.exp(2j * np.pi * np.outer(np.arange(m), k) / m)
    if n % 2 == 0 and m > n:
        rows[:, n // 2] = rows[:, n // 2].real
    return rows


def along(matrices, values):
    """The product with a matrix along each axis; None leaves it."""
    for axis, matrix in enumerate(matrices):
        if matrix is not None:
            values = np.moveaxis(np.tensordot(matrix, values, (1, axis)), 0, axis)
    return values


def interpolated(spectrum, padded, axes):
    """The values at the padded points of a field with these Fourier coefficients."""
    return along([waves(n, m) if axis in axes else None
                  for axis, (n, m) in enumerate(zip(spectrum.shape, padded))], spectrum)


def dealiased(values, shape, axes):
    """Fourier coefficients up to n/2 of values at the padded points; of even n, those of n/2 and
    -n/2 together."""
    return along([sums(n, m) if axis in axes else None
                  for axis, (n, m) in enumerate(zip(shape, values.shape))], values)


def sums(n, m):
    """Row k: what the values at m points give to the wave k of a spectrum of n."""
    rows = waves(n, m).conj().T / m
    if n % 2 == 0 and m > n:
        rows[n // 2] *= 2
    return rows


def real_field(shape):
    return np.random.default_rng(sum(shape)).standard_normal(shape)


def field_of(shape, kind):
    values = real_field(shape)
    return values if kind == "r2c" else values + 1j * real_field(shape[::-1]).reshape(shape)


def expect(array, whole):
    assert array.global_shape == whole.shape
    for box, view in zip(array.boxes, array.views):
        assert np.abs(view - whole[box]).max(initial=0) < 1e-12 * max(1, np.abs(whole).max())


cases = [((8, 6, 4), None, 1.5), ((5, 7, 9), None, 1.5), ((6, 5, 8), None, 2),
         ((4, 3, 2), None, 1.25), ((8, 6), None, 1.5), ((7, 5), (1, 0), 1.5), ((3, 6, 8), (1, 2), 1.5), ((1, 2, 3), None, 3),
         ((6, 4, 5), (0, 2), (1.5, 1)), ((4, 6), (1,), 1.5), ((9,), None, 1.5), ((6,), None, 1),
         ((2, 13, 3, 4), (1, 2, 3), 1.5)]


@pytest.mark.parametrize("shape, axes, padding", cases)
@pytest.mark.parametrize("kind", ["c2c", "r2c"])
def test_against_numpy(kind, shape, axes, padding):
    listed = tuple(range(len(shape))) if axes is None else axes
    plan = PaddedPlan(shape, world, axes=axes, kind=kind, padding=padding, scale="forward")
    spectrum = np.fft.fftn(field_of(shape, kind), axes=listed, norm="forward")
    kept = spectrum if kind == "c2c" else np.fft.rfftn(field_of(shape, kind), axes=listed,
                                                       norm="forward")
    factors = np.broadcast_to(padding, len(listed))
    padded = [int(n * factors[listed.index(axis)]) if axis in listed else n
              for axis, n in enumerate(shape)]
    assert plan.in_global_shape == tuple(padded) and plan.out_global_shape == kept.shape
    x = DistArray.from_global(kept, plan.out_layout, world)
    u = plan.backward(x)
    whole = interpolated(spectrum, padded, listed)
    expect(u, whole.real if kind == "r2c" else whole)
    expect(plan.forward(u), kept)
    expect(x, kept)
    values = field_of(tuple(padded), kind)
    beyond = dealiased(values, shape, listed)
    if kind == "r2c":
        beyond = beyond.take(range(kept.shape[listed[-1]]), listed[-1])
    expect(plan.forward(DistArray.from_global(values, plan.in_layout, world)), beyond)


@pytest.mark.parametrize("n", [9, 15])
def test_products_are_not_aliased(n):
    """Of odd n, the 3/2 rule gives the convolution of the spectra, cut at n/2."""
    plan = PaddedPlan((n, 4), world, axes=0, scale="forward")
    a, b = (np.random.default_rng(seed).standard_normal((n, 4)) for seed in (1, 2))
    full = np.array([np.convolve(a[:, j], b[:, j]) for j in range(4)]).T
    wanted = full[n // 2 : n // 2 + n]
    u, v = (plan.backward(DistArray.from_global(np.roll(c, -(n // 2), 0).astype(complex),
                                                plan.out_layout, world)) for c in (a, b))
    expect(plan.forward(u * v), np.roll(wanted, -(n // 2), 0))


@pytest.mark.parametrize("scale", [None, "backward", "ortho", "forward", (0.5, "n")])
def test_spectra_are_those_of_plans_without_padding(scale):
    shape = (6, 7, 8)
    padded = PaddedPlan(shape, world, dtype=float, scale=scale)
    plan = weft.Plan(shape, world, kind="r2c", scale=scale, output=padded.out_layout)
    a, b = plan.empty()
    a[...] = real_field(shape)[plan.in_slices]
    fft = plan.bind(a, b)
    fft.forward()
    spectrum = padded.empty_out()
    spectrum.local[...] = b
    again = padded.forward(padded.backward(spectrum))
    fft.backward()
    ratio = np.mean(a[a != 0] / real_field(shape)[plan.in_slices][a != 0]) if a.size else None
    ratio = next(found for found in world.allgather(ratio) if found is not None)
    expect(again, np.fft.rfftn(real_field(shape)) * ratio * forward_factor(scale, 6 * 7 * 8))


def forward_factor(scale, count):
    return {None: 1, "backward": 1, "ortho": count**-0.5, "forward": 1 / count}.get(scale, 0.5)


def test_single_precision():
    plan = PaddedPlan((6, 5, 4), world, dtype=np.float32, scale="backward")
    assert (plan.in_dtype, plan.out_dtype) == (np.float32, np.complex64)
    values = real_field((6, 5, 4))
    x = DistArray.from_global(np.fft.rfftn(values).astype(np.complex64), plan.out_layout, world)
    again = plan.forward(plan.backward(x))
    assert (again - x).vdot(again - x) < 1e-6 and again.dtype == np.complex64


def test_results_are_written_where_asked():
    plan = PaddedPlan((6, 5, 4), world, kind="r2c")
    spectrum, field = plan.empty_out(), plan.empty_in()
    spectrum.local[...] = 0
    assert plan.backward(spectrum, field) is field and field.max() == field.min() == 0
    field.local[...] = 1
    assert plan.forward(field, spectrum) is spectrum
    assert abs(spectrum.sum() - 6 * 5 * 4) < 1e-10


def test_meshes():
    plan = PaddedPlan((6, 5, 8), world, kind="r2c", scale="forward")
    field = plan.empty_in()
    x, y, z = plan.coordinates()
    field.local[...] = np.sin(x) * np.cos(2 * y) + np.sin(3 * z)
    kx, ky, kz = plan.wavenumbers()
    laplacian = plan.backward(-(kx**2 + ky**2 + kz**2) * plan.forward(field))
    wanted = -5 * np.sin(x) * np.cos(2 * y) - 9 * np.sin(3 * z)
    assert np.abs(laplacian.local - wanted).max(initial=0) < 1e-13
    assert "(9, 7, 12)" in repr(plan) and plan.shape == (6, 5, 8)


def test_many_ranks_take_pencils():
    plan = PaddedPlan((3, 3, 9), world)
    assert ("pencil" in plan.out_layout) == (world.size == 4)
    expect(plan.backward(DistArray.zeros((3, 3, 9), complex, plan.out_layout, world)),
           np.zeros((4, 4, 13)))


@pytest.mark.parametrize(
    "arguments, words",
    [
        (dict(shape=(8, 6), padding=0.9), ["padding=0.9"]),
        (dict(shape=(8, 6), padding=(1, 2, 3)), ["broadcast"]),
        (dict(shape=(8, 6), axes=(0, 0)), ["axes=(0, 0)"]),
        (dict(shape=(8, 6), axes=2), ["axes=(2,)"]),
        (dict(shape=(8, 0)), ["shape=(8, 0)"]),
        (dict(shape=(8, 6), kind="c2r"), ["'c2r'"]),
        (dict(shape=(8, 6), dtype=float, kind="c2c"), ["float64"]),
        (dict(shape=(8, 6), precision="f16"), ["f16"]),
        (dict(shape=(8, 6), scale="most"), ["most"]),
    ],
)
def test_bad_arguments_are_told_on_every_rank(refused, arguments, words):
    refused(lambda: PaddedPlan(comm=world, **arguments), weft.BadRequest, *words)
    if world.size > 1:
        mixed = arguments if last else dict(shape=(8, 6))
        refused(lambda: PaddedPlan(comm=world, **mixed), weft.BadRequest)


def test_other_arrays_are_told_on_every_rank(refused):
    with PaddedPlan((6, 5), world, kind="r2c") as plan:
        good, spectrum = plan.empty_in(), plan.empty_out()
        for bad, words in ((np.zeros(3), "ndarray"), (spectrum, "complex128"),
                           (DistArray.zeros((9, 7), layout=plan.in_layout + "@10", comm=world),
                            "layout"), (DistArray.zeros((9, 7), int, comm=world), "int64")):
            refused(lambda: plan.forward(bad if last else good), weft.BadRequest, "field", words)
        refused(lambda: plan.backward(spectrum, spectrum), weft.BadRequest, "field")
        refused(lambda: plan.backward(None), weft.BadRequest, "spectrum")
    refused(lambda: plan.forward(good), weft.BadRequest, "closed")
