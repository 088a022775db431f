"""All ranks run all tests."""

import pytest
from mpi4py import MPI

world = MPI.COMM_WORLD


@pytest.fixture(autouse=True)
def together():
    """Ranks begin each test together, so that one that fails is not mixed up with the next."""
    world.Barrier()


@pytest.fixture
def refused():
    """Expects an exception with the same text on every rank, in which the given words are."""

    def check(call, kind, *words):
        with pytest.raises(kind) as caught:
            call()
        message = str(caught.value)
        for word in words:
            assert str(word) in message
        assert set(world.allgather(message)) == {message}
        return caught.value

    return check
