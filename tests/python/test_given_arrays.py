"""Transforms on arrays that are given to the call."""

import gc

import numpy as np
import pytest
from mpi4py import MPI

import weft

world = MPI.COMM_WORLD
shape = (6, 5, 8)


def signals(plan, count):
    """Arrays of different contents, and the part of their spectra that this rank owns."""
    pairs = []
    for seed in range(count):
        values = np.random.default_rng(seed).standard_normal(shape)
        a, b = plan.empty()
        a[...] = values[plan.in_slices]
        pairs.append((a, b, np.fft.rfftn(values)[plan.out_slices]))
    return pairs


@pytest.mark.parametrize("settings", ["", "in=slab(0) out=slab(0)", "; via=persistent"])
def test_in_rotation(settings):
    plan = weft.Plan(f"r2c:f64:6x5x8 {settings}", world)
    fft = plan.bind()
    pairs = signals(plan, 3)
    for turn in (0, 1, 2, 0):
        a, b, spectrum = pairs[turn]
        kept = a.copy()
        b[...] = 17
        fft.forward(a, b)
        np.testing.assert_allclose(b, spectrum, atol=1e-11)
        a[...] = 17
        fft.start_backward(a, b)
        fft.wait()
        np.testing.assert_allclose(a, kept * np.prod(shape), atol=1e-9)
        a[...] = kept
    without_carriers = [item for item in fft.plan.split("; ") if not item.startswith("carrier")]
    assert "; ".join(without_carriers) == plan.text
    assert fft.input is None and fft.output is None


def test_lists_of_fields():
    plan = weft.Plan("r2c:f64:6x5x8", world)
    fft = plan.bind(fields=2)
    pairs = signals(plan, 2)
    fft.forward([a for a, _, _ in pairs], [b for _, b, _ in pairs])
    for _, b, spectrum in pairs:
        np.testing.assert_allclose(b, spectrum, atol=1e-11)
    with pytest.raises(weft.BadRequest, match="arrays of 1 fields are given"):
        fft.forward(*pairs[0][:2])


def test_started_ones_keep_their_arrays():
    plan = weft.Plan("r2c:f64:6x5x8", world)
    fft = plan.bind()
    (a, b, spectrum), = signals(plan, 1)
    fft.start_forward(a, b)
    del a
    gc.collect()
    fft.wait()
    np.testing.assert_allclose(b, spectrum, atol=1e-11)


def test_what_does_not_fit():
    plan = weft.Plan("r2c:f64:6x5x8", world)
    fft = plan.bind()
    a, b = plan.empty()
    with pytest.raises(weft.BadRequest, match="bound to no arrays"):
        fft.forward()
    with pytest.raises(weft.BadRequest, match="one array is given"):
        fft.forward(a)
    with pytest.raises(weft.BadRequest, match="dtype"):
        fft.forward(a.astype("f4"), b)
    with pytest.raises(weft.BadRequest, match="list of input arrays is empty"):
        fft.forward([], [])
    with pytest.raises(weft.BadRequest, match="is bound to its arrays"):
        plan.bind(a, b).forward(a, b)


def test_fields_is_a_number(refused):
    plan = weft.Plan("r2c:f64:6x5x8", world)
    refused(lambda: plan.bind(fields="two"), weft.BadRequest, "'two'", "whole number")
    refused(lambda: plan.bind(fields=-1), weft.BadRequest, "-1 fields")
