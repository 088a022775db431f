"""Arrays that do not fit are refused, on every rank, with what they have and what is needed."""

import numpy as np
import pytest
from mpi4py import MPI

import weft

world = MPI.COMM_WORLD
last = world.rank == world.size - 1


def plan():
    """Every rank owns at least a plane, so that every array has neighbours along each axis."""
    return weft.Plan(f"c2c:f64:{2 * world.size}x5x4 in=slab(0) out=slab(0)", world)


def mistaken(array, change):
    """The array with a mistake on the last rank only."""
    return change(array) if last else array


@pytest.mark.parametrize(
    "change, words",
    [
        (lambda a: np.zeros(a.shape, np.complex64), ["dtype complex64", "complex128"]),
        (lambda a: a.real, ["dtype float64", "complex128"]),
        (lambda a: a.astype(">c16"), ["dtype >c16", "complex128"]),
        (lambda a: np.zeros((2, 5, 3), complex), ["shape (2, 5, 3)", "(2, 5, 4)"]),
        (lambda a: a.reshape(-1), ["shape (40,)", "(2, 5, 4)"]),
        (lambda a: np.asfortranarray(a), ["strides (16, 32, 160)", "(320, 64, 16)"]),
        (lambda a: np.zeros((2, 5, 8), complex)[:, :, ::2], ["strides (640, 128, 32)"]),
        (lambda a: a[:, :, ::-1], ["strides (320, 64, -16)"]),
        (lambda a: a.tolist(), ["of list", "numpy array"]),
        (lambda a: None, ["of NoneType"]),
    ],
)
def test_unfit_arrays_are_refused_on_every_rank(refused, change, words):
    fit = plan()
    a, b = fit.empty()
    rank = [] if world.size == 1 else [f"rank {world.size - 1}: "]
    refused(lambda: fit.bind(mistaken(a, change), b), weft.BadRequest, "input", *rank, *words)
    refused(lambda: fit.bind(a, mistaken(b, change)), weft.BadRequest, "output", *rank, *words)
    fit.bind(a, b).forward()


def test_read_only_outputs_are_refused(refused):
    fit = plan()
    a, b = fit.empty()
    b.flags.writeable = not last
    refused(lambda: fit.bind(a, b), weft.BadRequest, "output array is read-only")


def test_overlapping_arrays_are_refused(refused):
    fit = plan()
    a, _ = fit.empty()
    refused(lambda: fit.bind(a, a), weft.BadRequest, "overlap")


def test_misaligned_arrays_are_refused(refused):
    fit = plan()
    a, b = fit.empty()
    memory = np.zeros(b.nbytes + 1, np.uint8)
    odd = np.ndarray(b.shape, b.dtype, buffer=memory, offset=1)
    refused(lambda: fit.bind(a, odd if last else b), weft.BadRequest, "not aligned")


def test_two_arrays_for_an_in_place_plan_are_refused(refused):
    fit = weft.Plan("c2c:f64:8x8 in=slab(0) out=slab(0) in_place", world)
    refused(lambda: fit.bind(fit.empty()[0], fit.empty()[1]), weft.BadRequest, "in place")


def test_axes_of_one_element_have_any_stride():
    fit = weft.Plan("c2c:f64:1x6 in=single out=single", world)
    shape = fit.in_shape
    a = np.zeros((6, 1), complex).T if shape == (1, 6) else np.zeros(shape, complex)
    fit.bind(a, np.zeros(fit.out_shape, complex))


# --- arrays that are only read --------------------------------------------------------------------


def frozen_copy(a, path):
    """The values in memory that the system does not let anybody write to."""
    if a.size == 0:
        copy = a.copy()
        copy.flags.writeable = False
        return copy
    order = np.argsort([-step for step in a.strides], kind="stable")
    in_memory = a.transpose(order)
    in_memory.tofile(f"{path}.{world.rank}")
    found = np.memmap(f"{path}.{world.rank}", a.dtype, "r", shape=in_memory.shape)
    return found.transpose(np.argsort(order))


@pytest.fixture
def path(tmp_path):
    return world.bcast(str(tmp_path / "values"))


@pytest.mark.parametrize("engine", ["native", "fftw", "reference"])
@pytest.mark.parametrize("text", ["r2c:f64:6x5x8 in=slab(0)", "c2c:f64:6x5x8 in=pencil(0,1) out=slab(0)",
                                  "c2r:f64:6x5x8 in=slab(0) out=slab(1)",
                                  "c2c:f64:6x5x8 in=slab(0) out=slab(0); effort=estimate; via=alltoallv"])
def test_read_only_inputs_are_read(text, engine, path, refused):
    fit = weft.Plan(f"{text}{';' if ';' not in text else ' ;'} engine={engine}", world)
    a, b = fit.empty()
    random = np.random.default_rng(world.rank)
    a[...] = random.standard_normal(a.shape)
    fit.bind(a, b).forward()
    wanted = b.copy()
    frozen = frozen_copy(a, path)
    for fft, arrays in ((fit.bind(frozen, b), ()), (fit.bind(), (frozen, b))):
        b[...] = 7
        fft.forward(*arrays)
        np.testing.assert_array_equal(b, wanted)
    any_arrays = fit.bind()
    any_arrays.backward(a, b)
    back, spectrum = a.copy(), frozen_copy(b, path)
    a[...] = 7
    any_arrays.backward(a, spectrum)
    np.testing.assert_array_equal(a, back)
    if world.allreduce(a.size, MPI.MIN) > 0:
        only_one = fit.bind(frozen if last else a, b)
        only_one.forward()
        with pytest.raises(weft.BadRequest, match="read-only, but backward.. writes to it"):
            only_one.backward()
        with pytest.raises(weft.BadRequest, match="input array is read-only, but backward.. writes"):
            any_arrays.backward(frozen, b)
        with pytest.raises(weft.BadRequest, match="output array is read-only, but forward.. writes"):
            any_arrays.forward(a, spectrum)


@pytest.mark.parametrize("text, why", [("c2c:f64:6x5 in_place", "the plan is in place"),
                                       ("c2c:f64:6x5 may_destroy_input", "may_destroy_input")])
def test_read_only_inputs_that_would_be_written_are_refused(text, why, refused):
    fit = weft.Plan(text, world)
    a, b = fit.empty()
    frozen = a.view()
    frozen.flags.writeable = False
    refused(lambda: fit.bind(frozen if last else a, b), weft.BadRequest, "input array is read-only", why)
    with pytest.raises(weft.BadRequest, match=f"input array is read-only, but {why}"):
        fit.bind().forward(frozen, b)
