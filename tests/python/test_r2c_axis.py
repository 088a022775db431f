"""Which axis of a spectrum is the r2c axis: known of what r2c made, asked for where nothing is known."""

import copy

import numpy as np
import pytest
from mpi4py import MPI

import weft
from weft import DistArray

world = MPI.COMM_WORLD
shape = (6, 5, 7)


def field(shape=shape):
    return DistArray.from_global(np.random.default_rng(1).standard_normal(shape), comm=world)


def whole_k(shape, r2c_axis):
    return [np.fft.rfftfreq(n, 1 / n) if axis == r2c_axis else np.fft.fftfreq(n, 1 / n)
            for axis, n in enumerate(shape)]


def expect_k(found, wanted, slices):
    for values, every, cut in zip(found, wanted, slices):
        np.testing.assert_allclose(values.ravel(), every[cut], atol=1e-14)


@pytest.mark.parametrize("axes", [None, (0, 1, 2), (1, 2, 0), (2, 1), 1])
@pytest.mark.parametrize("lengths", [(6, 5, 7), (4, 8, 8)])
def test_spectra_know_their_r2c_axis(axes, lengths):
    spectrum = weft.fft.rfftn(field(lengths), axes=axes)
    axis = 2 if axes is None else np.atleast_1d(axes)[-1]
    if np.size(axes) == 3 or axes is None:
        assert spectrum.r2c_axis == axis
    expect_k(spectrum.wavenumbers(), whole_k(lengths, axis), spectrum.slices)
    expect_k(spectrum.wavenumbers(r2c_axis=axis - 3), whole_k(lengths, axis), spectrum.slices)


def test_the_cube_of_the_report():
    kz = weft.fft.rfftn(DistArray.zeros((64, 4, 64), comm=world)).wavenumbers()[2]
    np.testing.assert_array_equal(np.unique(kz), np.arange(33) if kz.size else [])


def test_whole_spectra_and_fields_have_none():
    x = field()
    assert x.r2c_axis is None
    for spectrum in (weft.fft.fftn(x), weft.fft.ifftn(x), weft.fft.irfftn(weft.fft.rfftn(x))):
        assert spectrum.r2c_axis == "none"
        expect_k(spectrum.wavenumbers(), whole_k(shape, -1), spectrum.slices)
    assert weft.fft.fft(x).r2c_axis is None
    assert weft.fft.fft(weft.fft.fftn(x)).r2c_axis == "none"


def test_it_is_kept():
    x = weft.fft.rfftn(field(), axes=(1, 2, 0), layout="slab(2)")
    rest = DistArray.empty(x.shape, complex, x.layout, world)
    rest.local[...] = 2
    out = np.empty_like(rest)
    assert rest.r2c_axis is None and out.r2c_axis is None
    np.multiply(x, rest, out=out)
    rest *= x
    fraction, _ = np.frexp(abs(x))
    for y in (x + x, 2j * x, x * np.ones_like(rest), abs(x) ** 2, x.real, x.imag, x.conj(), out, rest,
              x.copy(), copy.deepcopy(x), x.astype(np.complex64), x.redistribute("slab(0)"), fraction,
              np.zeros_like(x), np.where(abs(x) > 1, x, 0), np.real(x), weft.fft.ifft(x, axis=1),
              weft.fft.fft(x, axis=2)):
        assert y.r2c_axis == 0
        assert y.wavenumbers()[0].min(initial=0) == 0
    for y in (weft.fft.ifft(x, axis=0), weft.fft.rfft(abs(x)), weft.fft.dctn(abs(x))):
        assert y.r2c_axis is None


def test_contradictions_are_not_known():
    line = DistArray.zeros((2, 4), comm=world)
    both = [weft.fft.rfft(line, axis=axis) for axis in (0, 0)]
    assert sum(both).r2c_axis == 0
    one, other = (weft.fft.rfft(DistArray.zeros((4, n), comm=world), layout="slab(0)")
                  for n in (6, 7))
    assert one.r2c_axis == other.r2c_axis == 1 and (one + other).r2c_axis is None


def test_where_nothing_is_known_it_is_asked_for():
    x = DistArray.zeros((6, 4), complex, comm=world)
    with pytest.raises(weft.BadRequest, match='nothing says.*r2c_axis=-1.*r2c_axis="none"'):
        x.wavenumbers()
    expect_k(x.wavenumbers(r2c_axis="none"), whole_k((6, 4), -1), x.slices)
    expect_k(x.wavenumbers(r2c_axis=-1), [np.fft.fftfreq(6, 1 / 6), np.arange(4)], x.slices)
    for wrong in (3, "all", 1.0):
        with pytest.raises(weft.BadRequest, match=f"r2c_axis={wrong!r}"):
            x.wavenumbers(r2c_axis=wrong)
    spectrum = weft.fft.rfftn(field())
    for wrong in (0, "none"):
        with pytest.raises(weft.BadRequest, match=f"r2c_axis={wrong!r}, but .* axis 2 is the r2c axis, of 7"):
            spectrum.wavenumbers(r2c_axis=wrong)
    with pytest.raises(weft.BadRequest, match="r2c_axis=-1, but .* there is no r2c axis"):
        weft.fft.fftn(field()).wavenumbers(r2c_axis=-1)


@pytest.mark.parametrize("axes", [None, (2, 1, 0), (0, 2, 1)])
@pytest.mark.parametrize("lengths", [(6, 5, 7), (5, 7, 8), (1, 1, 1)])
def test_inverses_need_no_length(axes, lengths):
    x = field(lengths)
    back = weft.fft.irfftn(weft.fft.rfftn(x, axes=axes))
    assert back.shape == x.shape
    np.testing.assert_allclose(back.local, x.local, atol=1e-14)
    back = weft.fft.irfftn(weft.fft.rfftn(x, axes=axes), lengths)
    np.testing.assert_allclose(back.local, x.local, atol=1e-14)


def test_inverses_along_another_axis_are_refused(refused):
    spectrum = weft.fft.rfftn(field(), axes=(1, 2, 0))
    for call in (lambda: weft.fft.irfft(spectrum), lambda: weft.fft.irfft2(spectrum),
                 lambda: weft.fft.irfftn(spectrum, axes=(0, 1, 2))):
        refused(call, weft.BadRequest, "axis 0 is the r2c axis, of 6 values", "end with it")
    np.testing.assert_allclose(weft.fft.irfftn(spectrum, axes=(2, 1, 0)).local, field().local,
                               atol=1e-14)


def test_results_of_plans_know_it():
    x = field()
    for text, known, back in (("r2c:f64:6x5x7 r2c_axis=1", 1, "none"), ("c2c:f64:6x5x7", "none", "none"),
                              ("c2c:f64:6x5x7 axes=1", None, None)):
        plan = weft.Plan(f"{text} in=slab(0) out=slab(0)@012", world)
        values = DistArray.from_global(x.gather(0), comm=world, root=0).astype(plan.in_dtype)
        y = DistArray.zeros(plan.out_global_shape, plan.out_dtype, comm=world)
        for fft, arrays in ((plan.bind(values, y), ()), (plan.bind(), (values, y))):
            values._r2c_axis = y._r2c_axis = None
            fft.forward(*arrays)
            assert y.r2c_axis == known and values.r2c_axis is None
            fft.backward(*arrays)
            assert values.r2c_axis == back


def test_padded_spectra_know_it(refused):
    for kind, known in (("r2c", 2), ("c2c", "none")):
        plan = weft.PaddedPlan((6, 5, 7), world, kind=kind)
        u = plan.empty_in()
        u.local[...] = 1
        spectrum = plan.forward(u)
        assert spectrum.r2c_axis == plan.empty_out().r2c_axis == known
        for mine, its in zip(spectrum.wavenumbers(), plan.wavenumbers()):
            np.testing.assert_array_equal(mine, its)
        assert plan.backward(spectrum).r2c_axis == "none"
    plan = weft.PaddedPlan((6, 5, 7), world, kind="r2c")
    other = weft.fft.rfftn(field((6, 5, 6)), layout=plan.out_layout)
    refused(lambda: plan.backward(other), weft.BadRequest, "of 6 values", "of 7 values")


# --- the highest mode -----------------------------------------------------------------------------


@pytest.mark.parametrize("lengths", [(16, 16), (15, 16), (16, 15), (2, 8), (1, 4)])
@pytest.mark.parametrize("axis", [0, 1])
def test_odd_derivatives_of_noise(lengths, axis):
    """As by a complex transform whose n/2 mode, which has no derivative on the grid, is left out."""
    whole = np.random.default_rng(2).standard_normal(lengths)
    k = np.fft.fftfreq(lengths[axis], 1 / lengths[axis])
    k[2 * abs(k) == lengths[axis]] = 0
    k = k.reshape([-1 if a == axis else 1 for a in (0, 1)])
    wanted = np.fft.ifftn(1j * k * np.fft.fftn(whole)).real
    u = DistArray.from_global(whole, comm=world)
    u_hat = weft.fft.rfftn(u)
    found = weft.fft.irfftn(1j * u_hat.wavenumbers(nyquist=False)[axis] * u_hat, lengths)
    np.testing.assert_allclose(found.local, wanted[found.slices], atol=1e-12)
    plan = weft.Plan(lengths, world, kind="r2c", scale="backward")
    a, b = plan.empty()
    a[...] = whole[plan.in_slices]
    fft = plan.bind(a, b)
    fft.forward()
    b *= 1j * plan.wavenumbers(nyquist=False)[axis]
    fft.backward()
    np.testing.assert_allclose(a, wanted[plan.in_slices], atol=1e-12)


def test_without_the_highest_mode():
    for n, r2c_axis in ((6, True), (7, True), (6, False), (7, False)):
        plan = weft.Plan((n, 4), world, kind="r2c" if r2c_axis else "c2c", axes=(1, 0))
        spectrum = (weft.fft.rfftn if r2c_axis else weft.fft.fftn)(field((n, 4)), axes=(1, 0))
        every = whole_k((n, 4), 0 if r2c_axis else -1)
        for k in every:
            k[abs(k) == (n / 2 if k is every[0] else 2)] = 0
        expect_k(plan.wavenumbers(nyquist=False), every, plan.out_slices)
        expect_k(spectrum.wavenumbers(nyquist=False), every, spectrum.slices)
    padded = weft.PaddedPlan((6, 4), world, kind="r2c")
    expect_k(padded.wavenumbers(nyquist=False), [[0, 1, 2, 0, -2, -1], np.array([0, 1, 0])],
             padded.empty_out().slices)
    unknown = DistArray.zeros((6, 4), complex, comm=world)
    with pytest.raises(weft.BadRequest, match="axis 1 has 4 values of 6 or 7"):
        unknown.wavenumbers(r2c_axis=-1, nyquist=False)


def test_of_modes_that_are_kept():
    """Of 10 points 6 modes are kept: the r2c axis has 6, and its mode 3 is the highest."""
    plan = weft.Plan((12, 10), world, kind="r2c", modes=(8, 6), input="slab(0)", output="slab(0)")
    u = DistArray.zeros(plan.in_global_shape, comm=world)
    spectrum = DistArray.zeros(plan.out_global_shape, complex, comm=world)
    plan.bind(u, spectrum).forward()
    assert spectrum.shape == (8, 4) and spectrum.r2c_axis == 1
    ky = spectrum.wavenumbers(nyquist=False)[1]
    np.testing.assert_array_equal(np.unique(ky), [0, 1, 2] if ky.size else [])
    assert weft.fft.irfftn(spectrum).global_shape == (8, 6)
