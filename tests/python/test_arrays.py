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


def test_read_only_arrays_are_refused(refused):
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
