"""What is dropped, and what was transformed before, does not reach what is kept: bit for bit."""

import numpy as np
import pytest
from mpi4py import MPI

import weft

world = MPI.COMM_WORLD


def random(array, seed):
    """Fills a part with numbers of its rank."""
    numbers = np.random.default_rng([seed, world.rank])
    array[...] = numbers.standard_normal(array.shape)
    if np.iscomplexobj(array):
        array[...] += 1j * numbers.standard_normal(array.shape)


@pytest.mark.parametrize("words", ["modes=8x5x6", "modes=8x5x6 even_modes=zero", "inside=7x9x4",
                                   "modes=8x5x6 inside=7x9x4", "modes=12x5x8"])
@pytest.mark.parametrize("kind", ["c2c:f64", "r2c:f64", "c2c:f32"])
@pytest.mark.parametrize("choice", ["", "via=alltoallv; pack=sender", "via=isend-waitsome; pack=receiver",
                                    "engine=reference"])
def test_what_was_there_before(words, kind, choice):
    plan = weft.Plan(f"{kind}:12x10x8 in=slab(0) out=slab(1) {words}; {choice}", world)
    field, spectrum = plan.empty()
    random(field, 1)
    with plan.bind(field, spectrum) as fft:
        fft.forward()
        forth = spectrum.copy()
        fft.backward()
        back = field.copy()
    assert np.isfinite(forth).all() and np.isfinite(back).all()

    with plan.bind(field, spectrum) as fft:
        field[...] = np.nan
        fft.forward()
        spectrum[...] = np.nan
        fft.backward()
        random(field, 1)
        spectrum[...] = np.nan
        fft.forward()
        assert np.array_equal(spectrum, forth)
        field[...] = np.nan
        fft.backward()
        assert np.array_equal(field, back)
