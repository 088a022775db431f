"""Real-to-real transforms against scipy.fft of the whole array."""

import numpy as np
import pytest
import scipy.fft
from mpi4py import MPI

import weft

world = MPI.COMM_WORLD
kinds = [f"{family}{number}" for family in ("dct", "dst") for number in (1, 2, 3, 4)]


def values_of(shape, dtype=float):
    return np.random.default_rng(sum(shape)).standard_normal(shape).astype(dtype)


def expect(array, whole, tolerance=1e-13):
    """Every rank's part is that of the whole array, dtype included."""
    assert array.dtype == whole.dtype and array.global_shape == whole.shape
    scale = max(1, np.abs(whole).max())
    for box, view in zip(array.boxes, array.views):
        assert np.abs(view - whole[box]).max() < tolerance * scale


def by_scipy(values, axes, kinds, norm=None):
    """One axis after the other, as scipy has it."""
    for axis, kind in zip(axes, kinds):
        if kind == "none":
            continue
        function = scipy.fft.dct if kind.startswith("dct") else scipy.fft.dst
        values = function(values, int(kind[3]), axis=axis, norm=norm, orthogonalize=False)
    return values


def cases():
    """Every kind with every length from 1 to 64, two at a time."""
    for n in range(1, 33):
        for number, kind in enumerate(kinds):
            other = kinds[(number + n) % 8]
            yield (n, 65 - n), ("none" if (kind, n) == ("dct1", 1) else kind, other)


def test_every_kind_and_length():
    for shape, pair in cases():
        plan = weft.Plan(shape, world, kinds=pair, scale="backward")
        assert plan.kind == "r2r" and plan.in_dtype == plan.out_dtype == np.float64
        a, b = plan.empty()
        whole = values_of(shape)
        a[...] = whole[plan.in_slices]
        with plan.bind(a, b) as transform:
            transform.forward()
            result = by_scipy(whole, (0, 1), pair)
            assert np.all(np.abs(b - result[plan.out_slices]) < 1e-13 * np.abs(result).max())
            a[...] = 0
            transform.backward()
        assert np.all(np.abs(a - whole[plan.in_slices]) < 1e-13 * np.abs(whole).max())


@pytest.mark.parametrize("layout", ["slab(0)", "pencil(1,2)@201", "single", "slab(2)+(0,1,3)"])
@pytest.mark.parametrize("type", [1, 2, 3, 4])
def test_scipys_functions(type, layout):
    values = values_of((6, 5, 9))
    x = weft.DistArray.from_global(values, layout, world)
    for name in ("dctn", "idctn", "dstn", "idstn"):
        ours, theirs = getattr(weft.fft, name), getattr(scipy.fft, name)
        for norm in (None, "ortho", "forward"):
            expect(ours(x, type, norm=norm), theirs(values, type, norm=norm))
        expect(ours(x, type, (2, 0), "ortho", orthogonalize=False),
               theirs(values, type, axes=(2, 0), norm="ortho", orthogonalize=False))
        expect(ours(x, type, -1, orthogonalize=True),
               theirs(values, type, axes=-1, orthogonalize=True))
    expect(x, values, 1e-300)
    y = weft.fft.dctn(x, type, layout="slab(1)")
    assert y.layout == "slab(1)" or world.size == 1
    expect(weft.fft.idctn(y, type), values)


def test_mixed_axes_and_single_precision():
    values = values_of((6, 5, 9, 3), np.float32)
    plan = weft.Plan(values.shape, world, precision="f32", axes=(3, 0, 2),
                     kinds="dst1,none,dct4", input="slab(1)")
    a, b = plan.empty()
    a[...] = values[plan.in_slices]
    with plan.bind(a, b) as transform:
        transform.forward()
    result = by_scipy(values.astype(float), (3, 2), ("dst1", "dct4"))
    assert np.all(np.abs(b - result[plan.out_slices]) < 1e-5 * np.abs(result).max())


def mixtures():
    """Kinds of three axes, drawn, with every length from 1 to 64 along one of them."""
    random = np.random.default_rng(22)
    for n in range(1, 65):
        shape = [n, int(random.integers(1, 9)), int(random.integers(1, 9))]
        random.shuffle(shape)
        three = [str(random.choice([*kinds, "c2c", "c2c", "c2c", "none"])) for _ in shape]
        three = ["dst1" if kind == "dct1" and m == 1 else kind for kind, m in zip(three, shape)]
        if n % 3:
            three[n % 2 * 2] = "r2c"
        yield tuple(shape), three if {*three} != {"none"} else ["dct2", "c2c", "none"]


def transformed(values, kinds):
    """By numpy and scipy, r2c first."""
    for axis, kind in sorted(enumerate(kinds), key=lambda one: one[1] != "r2c"):
        if kind in ("c2c", "r2c"):
            values = (np.fft.rfft if kind == "r2c" else np.fft.fft)(values, axis=axis)
        else:
            values = by_scipy(values, [axis], [kind])
    return values


def test_mixtures():
    for shape, three in mixtures():
        whole = values_of(shape)
        if "r2c" not in three and "c2c" in three:
            whole = whole + 1j * values_of(shape)[::-1]
        result = transformed(whole, three)
        plan = weft.Plan(shape, world, kinds=three, scale="backward")
        assert plan.in_dtype == whole.dtype and plan.out_global_shape == result.shape, (shape, three)
        assert plan.axes == tuple(axis for axis, kind in enumerate(three) if kind != "none")
        a, b = plan.empty()
        a[...] = whole[plan.in_slices]
        with plan.bind(a, b) as transform:
            transform.forward()
            assert np.all(np.abs(b - result[plan.out_slices]) < 1e-13 * np.abs(result).max())
            a[...] = 0
            transform.backward()
        assert np.all(np.abs(a - whole[plan.in_slices]) < 1e-13 * np.abs(whole).max())


def test_complex_to_real_beside_a_sine_transform():
    shape, three = (6, 5, 7), ("c2c", "dst2", "c2r")
    whole = values_of(shape)
    # Whose forward gives the array: its backward has dst3 along axis 1.
    spectrum = transformed(whole, ("c2c", "dst3", "r2c"))
    plan = weft.Plan(shape, world, kinds=three, scale=("n", "none"))
    assert plan.kind == "c2r" and plan.in_global_shape == (6, 5, 4)
    a, b = plan.empty()
    a[...] = spectrum[plan.in_slices]
    with plan.bind(a, b) as transform:
        transform.forward()
        assert np.all(np.abs(b - whole[plan.out_slices]) < 1e-13 * np.abs(whole).max())
        transform.backward()
    assert np.all(np.abs(a - spectrum[plan.in_slices]) < 1e-13 * np.abs(spectrum).max())


def test_what_does_not_fit_is_refused_on_every_rank():
    x = weft.DistArray.from_global(values_of((4, 1)), comm=world)
    for call, text in ((lambda: weft.fft.dctn(x, 1), "needs at least 2"),
                       (lambda: weft.fft.dctn(x, 5), "type=5"),
                       (lambda: weft.fft.dctn(x, norm="up"), "norm='up'"),
                       (lambda: weft.fft.dstn(weft.fft.fftn(x)), "real arrays"),
                       (lambda: weft.Plan((4, 4), world, kinds=("dct2",) * 3), "3 kinds for 2"),
                       (lambda: weft.Plan((4, 4), world, kinds="dct9"), "do you mean dct1"),
                       (lambda: weft.Plan((4, 4), world, kind="r2r", kinds="c2c,dct2"),
                        "axis 0 is c2c"),
                       (lambda: weft.Plan((4, 4), world, kinds="r2c"), "axes 0,1 are all r2c"),
                       (lambda: weft.Plan((4, 4), world, kind="r2c", kinds="dct2"),
                        "no axis is r2c")):
        with pytest.raises(weft.BadRequest, match=text):
            call()
    with pytest.raises(weft.BadRequest, match="wave numbers"):
        weft.Plan((4, 4), world, kinds="dct2").wavenumbers()
    with pytest.raises(weft.BadRequest, match="wave numbers"):
        weft.Plan((4, 4), world, kinds="dct2,r2c").wavenumbers()
