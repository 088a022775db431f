"""What plans tell, and what they refuse."""

import numpy as np
import pytest
from mpi4py import MPI

import weft
from weft.communicator import require_same_mpi
from weft.loaded import require_kind

world = MPI.COMM_WORLD
last = world.rank == world.size - 1


def test_equal_texts_make_equal_plans():
    plan = weft.Plan(shape=(8, 6, 4), kind="r2c", precision="f32", output="slab(1)", comm=world)
    assert weft.Plan(plan.text, world) == plan
    assert weft.Plan.for_ranks(plan.text) == plan
    assert plan.text in repr(plan)
    assert "r2c" in plan.explain()
    assert plan.workspace_bytes >= 0
    assert plan.region_bytes >= 0


def test_choices_are_arguments_too():
    plan = weft.Plan(shape=(8, 6, 4), decomposition="slab", via=weft.via.isend_waitall,
                     pack="receiver", threads=2, comm=world)
    text = "c2c:f64:8x6x4; decomposition=slab; via=isend-waitall; pack=receiver; threads=2"
    assert plan == weft.Plan(text, world)
    cube = dict(shape=(8, 8, 8), ranks=4)
    two = weft.Plan.for_ranks(decomposition="pencil", via={1: weft.via.alltoallw}, **cube)
    assert "via[1]=alltoallw" in two.text
    found = weft.Plan(shape=(8, 6, 4), via=weft.via.fastest, comm=world)
    assert "auto" not in found.text
    with pytest.raises(weft.BadRequest, match="needs the ranks"):
        weft.Plan.for_ranks(via=weft.via.fastest, **cube)
    with pytest.raises(weft.BadRequest, match="colour"):
        weft.Plan(shape=(8, 8, 8), colour="red", comm=world)


def test_slices_of_all_ranks_cover_the_array():
    plan = weft.Plan("r2c:f64:5x3x8*2 r2c_axis=1 out=slab(2)", world)
    for boxes, shape in ((plan.in_boxes, (5, 3, 8, 2)), (plan.out_boxes, (5, 2, 8, 2))):
        seen = np.zeros(shape, int)
        for rank in range(plan.ranks):
            for box in boxes(rank):
                seen[box] += 1
        assert (seen == 1).all()
    assert plan.in_boxes(world.rank) in ([plan.in_slices], [])
    assert (plan.in_dtype, plan.out_dtype) == (np.float64, np.complex128)


def test_arrays_have_the_order_of_the_layout():
    plan = weft.Plan("c2c:f64:6x5x4 in=slab(0)@201", world)
    a = plan.empty_in()
    assert plan.in_order == (2, 0, 1)
    assert a.shape == plan.in_shape
    assert a.size == 0 or a.transpose(plan.in_order).flags.c_contiguous
    assert a.ctypes.data % 64 == 0


def test_plans_without_mpi():
    plan = weft.Plan.for_ranks("c2c:f64:64x64x64", 4096)
    assert (plan.ranks, plan.rank) == (4096, 0)
    with pytest.raises(weft.BadRequest, match="without a communicator"):
        plan.bind(*plan.empty())
    assert weft.Plan.for_ranks(shape=8, ranks=2).text.startswith("c2c:f64:8 ")


@pytest.mark.parametrize(
    "arguments, words",
    [
        ({"text": "c2c:f64:0x8"}, ["0 in '0x8'"]),
        ({"text": "c2d:f64:8"}, ["c2d"]),
        ({"text": "c2c:f64:8", "kind": "r2c"}, ["as a text and as arguments"]),
        ({"shape": (8, 2.5)}, ["float"]),
        ({"shape": (8, 8), "precision": "f16"}, ["f16"]),
        ({"shape": (8, 8), "input": "slab(0) in_place"}, ["slab(0)in_place"]),
        ({"shape": (8, 8), "presicion": "f32"}, ["presicion"]),
        ({"text": b"c2c:f64:8x8"}, ["bytes", "give a str"]),
        ({"shape": ()}, ["shape is ()", "1 to 6"]),
        ({}, ["shape"]),
    ],
)
def test_bad_problems_are_refused_on_every_rank(refused, arguments, words):
    error = refused(lambda: weft.Plan(comm=world, **arguments), weft.BadRequest, *words)
    assert error.code is weft.Code.BAD_REQUEST
    assert isinstance(error, ValueError) and isinstance(error, weft.Error)
    if world.size > 1:
        mixed = arguments if last else {"text": "c2c:f64:8"}
        refused(lambda: weft.Plan(comm=world, **mixed), weft.BadRequest)


def test_ranks_that_disagree_are_told_both_texts(refused):
    if world.size == 1:
        pytest.skip("one rank cannot disagree")
    text = "c2c:f32:8" if last else "c2c:f64:8"
    refused(lambda: weft.Plan(text, world), weft.BadRequest, "c2c:f32:8", "c2c:f64:8")


def test_communicators_are_checked():
    with pytest.raises(TypeError, match="communicator of mpi4py"):
        weft.Plan("c2c:f64:8", "world")
    with pytest.raises(weft.BadRequest, match="MPI_COMM_NULL"):
        weft.Plan("c2c:f64:8", MPI.COMM_NULL)


def test_a_plan_outlives_its_communicator():
    comm = world.Dup()
    plan = weft.Plan("c2c:f64:8", comm)
    a, b = plan.empty()
    comm.Free()
    a[...] = 1
    plan.bind(a, b).forward()
    assert np.isclose(world.allreduce(abs(b).sum()), 8)


def test_a_plan_closed_on_one_rank_is_told_on_every_rank(refused):
    plan = weft.Plan("c2c:f64:8", world)
    arrays = plan.empty()
    if last:
        plan.close()
    refused(lambda: plan.bind(*arrays), weft.BadRequest, "the plan has been closed")


def test_another_mpi_is_refused():
    class OtherMpi:
        Comm = MPI.Comm

        @staticmethod
        def Get_library_version():
            return "Another MPI v1.0\nof another maker"

        @staticmethod
        def _sizeof(_type):
            return 16

    with pytest.raises(weft.Error, match="Another MPI v1.0', 16 bytes") as caught:
        require_same_mpi(OtherMpi)
    assert caught.value.code is weft.Code.NOT_AVAILABLE


def test_the_mpi_that_is_needed():
    mine, other = (("Open MPI v4.1.4, package: Debian", "MPICH Version:\t4.0.2") if
                   weft.__mpi__.startswith("Open MPI") else ("MPICH Version:\t4.0.2", "Open MPI v4"))
    require_kind(weft.__mpi__, mine)
    require_kind("MPI", other)  # Of which nothing is known.
    with pytest.raises(ImportError, match=f"weft was built with {weft.__mpi__}, but .*{other}"):
        require_kind(weft.__mpi__, other)
