"""Problems in numpy's spellings, and what plans tell of themselves."""

import inspect
import pickle
import re

import numpy as np
import pytest
from mpi4py import MPI

import weft
from weft.problem import ChoiceArguments, ProblemArguments

world = MPI.COMM_WORLD
last = world.rank == world.size - 1


@pytest.mark.parametrize(
    "arguments, text",
    [
        (dict(shape=np.array([8, 6])), "c2c:f64:8x6"),
        (dict(shape=np.int32(8)), "c2c:f64:8"),
        (dict(text=(8, 6, 4)), "c2c:f64:8x6x4"),
        (dict(text=[8, 6, 4], axes=-1), "c2c:f64:8x6x4 axes=2"),
        (dict(text=(8, 6, 4), axes=(-1, 0), kind="r2c"), "r2c:f64:8x6x4 axes=2,0"),
        (dict(text=(8, 6), kind="r2c", r2c_axis=-2), "r2c:f64:8x6 r2c_axis=0"),
        (dict(text=(8, 6), kind="r2c", halved=-2), "r2c:f64:8x6 r2c_axis=0"),
        (dict(text=(8, 6), precision=np.float32), "c2c:f32:8x6"),
        (dict(text=(8, 6), precision=np.dtype(np.complex64)), "c2c:f32:8x6"),
        (dict(text=(8, 6), precision="single"), "c2c:f32:8x6"),
        (dict(text=(8, 6), dtype=float), "r2c:f64:8x6"),
        (dict(text=(8, 6), dtype="float32"), "r2c:f32:8x6"),
        (dict(text=(8, 6), dtype=np.complex64), "c2c:f32:8x6"),
        (dict(text=(8, 6), dtype=complex, kind="c2r"), "c2r:f64:8x6"),
        (dict(text=(8, 6), scale="ortho"), "c2c:f64:8x6 scale=symmetric/symmetric"),
        (dict(text=(8, 6), scale="backward"), "c2c:f64:8x6 scale=none/n"),
        (dict(text=(8, 6), scale="forward"), "c2c:f64:8x6 scale=n/none"),
        (dict(text=(8, 6), scale=(0.5, "n")), "c2c:f64:8x6 scale=0.5/n"),
        (dict(text=(8, 6), scale=0.5), "c2c:f64:8x6 scale=0.5/0.5"),
    ],
)
def test_of_numpy(arguments, text):
    assert weft.Plan(comm=world, **arguments) == weft.Plan(text, world)


@pytest.mark.parametrize(
    "arguments, words",
    [
        (dict(text=(8, 6), presicion="f32"), ["'presicion'", "did you mean 'precision'"]),
        (dict(text=(8, 6), colour="red"), ["'colour'", "there are: shape, kind"]),
        (dict(text=(8, 6), shape=(8, 6)), ["shape is given twice"]),
        (dict(text=(8, 6), axes=-3), ["axes=-3", "2 axes"]),
        (dict(text=(8, 6), axes=2), ["2"]),
        (dict(text=(8, 6), axes="z"), ["axes='z'"]),
        (dict(text=8.5), ["shape=8.5"]),
        (dict(text=(8, 6), dtype=float, kind="c2c"), ["kind='c2c'", "float64", "complex"]),
        (dict(text=(8, 6), dtype=float, precision="f32"), ["precision='f32'", "dtype"]),
        (dict(text=(8, 6), dtype=np.float16), ["float16"]),
        (dict(text=(8, 6), batch=1.5), ["batch", "1.5"]),
        (dict(text=(8, 6), scale="orthogonal"), ["orthogonal"]),
    ],
)
def test_mistakes_are_told_by_public_names(refused, arguments, words):
    error = refused(lambda: weft.Plan(comm=world, **arguments), weft.BadRequest, *words)
    assert "problem_text" not in str(error) and "()" not in str(error)
    if world.size > 1:
        mixed = arguments if last else {"text": "c2c:f64:8x6"}
        refused(lambda: weft.Plan(comm=world, **mixed), weft.BadRequest, *words)


def test_every_argument_has_a_name():
    named = set(inspect.signature(weft.Plan).parameters) - {"text", "comm"}
    assert named == set(ProblemArguments.__annotations__)


def test_every_field_of_a_choice_is_an_argument():
    with pytest.raises(weft.BadRequest) as refused:
        weft.Plan.for_ranks((8, 6), 2, choice="fast")
    assert re.findall(r"(\w+)=", str(refused.value)) == list(ChoiceArguments.__annotations__)


def test_shapes():
    plan = weft.Plan((6, 5, 8), world, kind="r2c", batch=3, axes=(2, 0))
    assert plan.shape == (6, 5, 8) and plan.axes == (0, 2) and plan.kind == "r2c"
    assert plan.global_shape == plan.in_global_shape == (6, 5, 8, 3)
    assert plan.out_global_shape == (4, 5, 8, 3)
    back = weft.Plan((6, 5), world, kind="c2r")
    assert back.in_global_shape == (6, 3) and back.out_global_shape == (6, 5)
    assert plan.comm is world


def test_representations():
    plan = weft.Plan((6, 5), world, kind="r2c", input="slab(0)")
    for shown in (repr(plan), repr(plan.bind())):
        assert "r2c:f64:6x5" in shown
        assert f"float64 {plan.in_shape} -> complex128 {plan.out_shape}" in shown
    assert "given to each call" in repr(plan.bind())
    assert "bound" in repr(plan.bind(*plan.empty()))


def test_plans_are_pickled_by_their_text():
    plan = weft.Plan((6, 5, 4), world, output="slab(1)")
    again = pickle.loads(pickle.dumps(plan))
    assert again == plan and again.ranks == world.size
    again.bind(*again.empty()).forward()
    alone = pickle.loads(pickle.dumps(weft.Plan((6, 5), MPI.COMM_SELF)))
    assert alone.ranks == 1
    look = pickle.loads(pickle.dumps(weft.Plan.for_ranks((6, 5), 7)))
    assert look.ranks == 7 and look.comm is None


def test_plans_are_unpickled_on_the_communicator_that_is_given():
    half = world.Split(world.rank % 2)
    data = pickle.dumps(weft.Plan((6, 5), half))
    with weft.default_communicator(half):
        again = pickle.loads(data)
        assert weft.Plan((6, 5)).ranks == half.size
    assert (again.ranks, again.rank) == (half.size, half.rank)
    if half.size != world.size:
        with pytest.raises(weft.BadRequest):
            pickle.loads(data)
    half.Free()


def test_with_blocks_close():
    with weft.Plan((6, 5), world) as plan:
        a, b = plan.empty()
        with plan.bind(a, b) as fft, plan.bind() as given:
            fft.forward()
    for closed in (plan, fft, given):
        assert "closed" in repr(closed)
    for use in (lambda: plan.text, lambda: plan.bind(), lambda: plan.in_shape, lambda: plan.empty()):
        with pytest.raises(weft.BadRequest, match="the plan has been closed"):
            use()
    for use in (fft.forward, fft.wait, lambda: given.forward(a, b)):
        with pytest.raises(weft.BadRequest, match="the transform has been closed"):
            use()


def test_transforms_outlive_closed_plans():
    with weft.Plan((6, 5), world) as plan:
        a, b = plan.empty()
        given = plan.bind()
    a[...] = 1
    given.forward(a, b)
    assert abs(world.allreduce(b.sum()) - 30) < 1e-12


def test_fortrans_order_is_told():
    plan = weft.Plan((3 * world.size, 4), world, input="slab(0)", output="slab(0)")
    a, b = plan.empty()
    with pytest.raises(weft.BadRequest, match=r'slab\(0\)@10'):
        plan.bind(np.asfortranarray(a), b)
    fits = weft.Plan((3 * world.size, 4), world, input="slab(0)@10", output="slab(0)")
    fits.bind(np.asfortranarray(a), b)
