"""A caller's own boxes, padding, redistribution, fields and lent workspace."""

import numpy as np
import pytest
from mpi4py import MPI

import weft

world = MPI.COMM_WORLD
last = world.rank == world.size - 1

particle = np.dtype([("position", np.float32, 3), ("number", np.int32)])


def dealt_rows(rows, columns):
    """Rank r owns rows r, r + size, ..; each is a box. With few rows some ranks own one or none."""
    return [np.s_[x : x + 1, 0:columns] for x in range(world.rank, rows, world.size)]


def in_parts(plan, array):
    """Each box of this rank's input, and its place in the array."""
    boxes, views = plan.in_boxes(plan.rank), plan.in_views(array)
    assert len(boxes) == len(views)
    return zip(boxes, views)


def fill(plan, array, whole):
    for box, view in in_parts(plan, array):
        view[...] = whole[box]


def expect_in(plan, array, whole):
    for box, view in in_parts(plan, array):
        assert np.abs(view - whole[box]).max() < 1e-11


def expect_out(plan, array, whole):
    boxes, views = plan.out_boxes(plan.rank), plan.out_views(array)
    assert len(boxes) == len(views)
    for box, view in zip(boxes, views):
        assert np.abs(view - whole[box]).max() < 1e-12


def random_array(shape, kind="c2c"):
    random = np.random.default_rng(5)
    values = random.standard_normal(shape)
    return values if kind == "r2c" else values + 1j * random.standard_normal(shape)


def spectrum_of(values, axes=(0, 1)):
    return (np.fft.fftn if np.iscomplexobj(values) else np.fft.rfftn)(values, axes=axes)


def expect_right(plan, values, axes=(0, 1)):
    a, b = plan.empty()
    fft = plan.bind(a, b)
    fill(plan, a, values)
    fft.forward()
    expect_out(plan, b, spectrum_of(values, axes))
    fft.backward()
    expect_in(plan, a, values * np.prod([values.shape[axis] for axis in axes]))


# --- boxes ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["c2c", "r2c"])
@pytest.mark.parametrize("rows", [1, 5, 11])
def test_boxes_against_numpy(kind, rows):
    columns = 6
    halved = columns // 2 + 1 if kind == "r2c" else columns
    plan = weft.Plan(shape=(rows, columns), kind=kind, input=weft.boxes(dealt_rows(rows, columns)),
                     output=weft.boxes(dealt_rows(rows, halved), world) + "@10", comm=world)
    assert plan.in_boxes(plan.rank) == dealt_rows(rows, columns)
    expect_right(plan, random_array((rows, columns), kind))


def test_boxes_hold_all_fields_of_a_batch():
    plan = weft.Plan(shape=(7, 4), batch=3, input=weft.boxes(dealt_rows(7, 4), world), comm=world)
    assert all(box[2] == slice(0, 3) for box in plan.in_boxes(0))
    expect_right(plan, random_array((7, 4, 3)))


def test_arrays_of_several_boxes_are_memory():
    plan = weft.Plan(shape=(3 * world.size, 5), input=weft.boxes(dealt_rows(3 * world.size, 5)),
                     output="slab(0)", comm=world)
    a, b = plan.empty()
    assert a.shape == plan.in_shape == (15,) and plan.in_slices == plan.in_boxes(plan.rank)
    views = plan.in_views(a)
    assert [view.shape for view in views] == [(1, 5)] * 3
    for number, view in enumerate(views):
        view[...] = number
    assert (a.reshape(3, 5) == np.arange(3)[:, None]).all()
    assert [view is b for view in plan.out_views(b)] == [True]
    with pytest.raises(weft.BadRequest, match="shape"):
        plan.in_views(a[1:])
    with pytest.raises(weft.BadRequest, match="dtype float64"):
        plan.out_views(b.real)


def test_padded_boxes_and_strides_leave_gaps():
    for layout in ("+(0,2)", "/(9,1)", "/(1,20)"):
        mine = weft.boxes(dealt_rows(2 * world.size, 5), world)
        plan = weft.Plan(shape=(2 * world.size, 5), input=mine + layout, output="slab(0)+(0,3)",
                         comm=world)
        a, b = plan.empty()
        a[...] = b[...] = -7
        untouched = a.size - 10
        whole = random_array((2 * world.size, 5))
        fft = plan.bind(a, b)
        fill(plan, a, whole)
        assert (a == -7).sum() == untouched
        fft.forward()
        expect_out(plan, b, spectrum_of(whole))
        fft.backward()
        expect_in(plan, a, whole * whole.size)
        assert (a == -7).sum() == untouched
        assert b.strides == ((5 + 3) * 16, 16)


@pytest.mark.parametrize(
    "mine, words",
    [
        (None, ["NoneType"]),
        ([np.s_[0:2, :]], ["slices with ends"]),
        ([np.s_[0:2, 0:4:2]], ["slices with ends"]),
        ([(0, 1)], ["slices with ends"]),
        ([np.s_[0:2.5, 0:4]], ["float"]),
        ([np.s_[0 : 2**70, 0:4]], ["63 bits"]),
    ],
)
def test_boxes_of_something_else_are_refused(refused, mine, words):
    refused(lambda: weft.boxes(mine if last else [], world), weft.BadRequest, *words)


def test_boxes_that_do_not_cover_are_refused(refused):
    mine = dealt_rows(2 * world.size, 4)
    missing = weft.boxes(mine[:1] if last else mine, world)
    refused(lambda: weft.Plan(shape=(2 * world.size, 4), input=missing, comm=world),
            weft.BadRequest, "no rank owns")
    twice = weft.boxes(mine + mine[:1] if last else mine, world)
    refused(lambda: weft.Plan(shape=(2 * world.size, 4), input=twice, comm=world),
            weft.BadRequest, "overlap in")


@pytest.mark.parametrize("problem", [{"output": "sphere(2)"}, {"output": "sphere(2.5)", "modes": (5, 7)}])
def test_a_sphere_leaves_modes_out(problem):
    """Columns along axis 0; what is left out is dropped, and taken for zeros on the way back."""
    plan = weft.Plan((6, 9), world, input="slab(0)", scale="none/n", **problem)
    values = random_array((6, 9))
    a, b = plan.empty()
    fft = plan.bind(a, b)
    fill(plan, a, values)
    fft.forward()
    mode = np.fft.fftfreq(9, 1 / 9)
    spectrum = np.where(np.abs(mode) <= float(problem["output"][7:-1]), spectrum_of(values), 0)
    if "modes" in problem:
        rows, columns = np.fft.fftfreq(5, 1 / 5).astype(int), np.fft.fftfreq(7, 1 / 7).astype(int)
        kept = spectrum[np.ix_(rows, columns)]
        spectrum = np.zeros_like(spectrum)
        spectrum[np.ix_(rows, columns)] = kept
        expect_out(plan, b, kept)
    else:
        expect_out(plan, b, spectrum)
    fft.backward()
    expect_in(plan, a, np.fft.ifftn(spectrum))


def test_boxes_that_leave_elements_out():
    mine = dealt_rows(2 * world.size, 4)[:1]
    rows = weft.boxes(mine, world)
    plan = weft.Plan(shape=(2 * world.size, 4), input=rows, output="slab(1)", sparse=True, comm=world)
    values = random_array((2 * world.size, 4))
    a, b = plan.empty()
    fft = plan.bind(a, b)
    fill(plan, a, values)
    fft.forward()
    values[world.size:] = 0
    expect_out(plan, b, spectrum_of(values))


@pytest.mark.parametrize(
    "change, words",
    [
        (lambda a: a[:-1], ["shape (9,)", "(10,)", "2 boxes"]),
        (lambda a: np.zeros(20, complex)[::2], ["strides (32,)", "(16,)"]),
        (lambda a: a.reshape(2, 5), ["shape (2, 5)"]),
        (lambda a: np.zeros(10, np.complex64), ["dtype complex64"]),
    ],
)
def test_unfit_memory_for_boxes_is_refused_on_every_rank(refused, change, words):
    plan = weft.Plan(shape=(2 * world.size, 5), input=weft.boxes(dealt_rows(2 * world.size, 5)),
                     output="slab(0)", comm=world)
    a, b = plan.empty()
    refused(lambda: plan.bind(change(a) if last else a, b), weft.BadRequest, "input", *words)
    plan.bind(a, b).forward()


# --- in place, and input that may be destroyed ----------------------------------------------------


@pytest.mark.parametrize("layout", ["slab(0)", "free"])
def test_real_arrays_in_place_have_padded_lines(layout):
    plan = weft.Plan(f"r2c:f64:6x5x7 in={layout} out={layout} in_place", world)
    a, b = plan.empty()
    values = random_array((6, 5, 7), "r2c")
    fft = plan.bind(a, b)
    a[...] = values[plan.in_slices]
    fft.forward()
    expect_out(plan, b, spectrum_of(values, (0, 1, 2)))
    fft.backward()
    expect_in(plan, a, values * values.size)


def test_boxes_in_place():
    rows = weft.boxes(dealt_rows(11, 6), world)
    plan = weft.Plan(shape=(11, 6), input=rows, output="slab(1)", in_place=True, comm=world)
    expect_right(plan, random_array((11, 6)))


def test_input_may_be_destroyed():
    plan = weft.Plan(shape=(6, 5, 4), input="slab(0)", output="slab(0)", may_destroy_input=True,
                     comm=world)
    assert "may_destroy_input" in plan.text
    expect_right(plan, random_array((6, 5, 4)), (0, 1, 2))


# --- redistribution -------------------------------------------------------------------------------


def particles(shape):
    whole = np.zeros(shape, particle)
    whole["number"] = np.arange(whole.size).reshape(shape)
    whole["position"][..., 1] = whole["number"] / 2
    return whole


def test_elements_of_any_dtype_are_moved():
    plan = weft.Plan(kind="redistribute", element_bytes=16, shape=(9, 5),
                     input=weft.boxes(dealt_rows(9, 5), world), output="slab(1)@10", comm=world)
    assert plan.in_dtype == np.dtype("V16") and plan.empty_in().dtype == plan.in_dtype
    whole = particles((9, 5))
    a, b = plan.empty(particle)
    redistribution = plan.bind(a, b)
    fill(plan, a, whole)
    redistribution.forward()
    assert (b == whole[plan.out_slices]).all()
    a[...] = np.zeros((), particle)
    redistribution.backward()
    assert all((view == whole[box]).all() for box, view in in_parts(plan, a))
    numbers = weft.Plan("redistribute:8:6x4 in=slab(0) out=slab(1)", world)
    times = np.arange(24).reshape(6, 4).astype("datetime64[s]")
    c, d = numbers.empty("datetime64[s]")
    c[...] = times[numbers.in_slices]
    numbers.bind(c, d).forward()
    assert (d == times[numbers.out_slices]).all()


def test_elements_of_another_size_are_refused(refused):
    plan = weft.Plan(f"redistribute:8:{2 * world.size}x4 in=slab(0) out=single", world)
    a, b = plan.empty(float)
    small, objects = a.astype(np.float32), a.astype(object)
    refused(lambda: plan.bind(small if last else a, b), weft.BadRequest,
            "dtype float32 of 4 bytes, the plan needs elements of 8")
    refused(lambda: plan.bind(objects if last else a, b), weft.BadRequest, "dtype object")
    for dtype in (np.float32, (np.float32, 2), object):
        with pytest.raises(weft.BadRequest, match="the input array has dtype"):
            plan.empty_in(dtype)
    with pytest.raises(weft.BadRequest, match="complex128"):
        weft.Plan.for_ranks("c2c:f64:8").empty_in(float)


@pytest.mark.parametrize(
    "arguments, words",
    [
        ({"kind": "redistribute"}, ["element_bytes=None"]),
        ({"element_bytes": 8}, ["element_bytes=8", "c2c"]),
        ({"kind": "redistribute", "element_bytes": 0}, ["elements of 0 bytes"]),
        ({"kind": "redistribute", "element_bytes": 8, "input": "single"}, ["in= and out="]),
        ({"in_place": True, "may_destroy_input": True}, ["may_destroy_input"]),
    ],
)
def test_bad_problems_are_refused(refused, arguments, words):
    refused(lambda: weft.Plan(shape=(8, 8), comm=world, **arguments), weft.BadRequest, *words)


# --- fields and workspace -------------------------------------------------------------------------


def test_fields_are_transformed_by_one_call():
    plan = weft.Plan("c2c:f64:8x9 in=slab(0) out=slab(0)", world)
    values = [random_array((8, 9)) * factor for factor in (1, 2, 3)]
    sources, targets = zip(*(plan.empty() for _ in values))
    fft = plan.bind(sources, list(targets))
    assert fft.input is sources and len(fft.output) == 3
    for source, field in zip(sources, values):
        source[...] = field[plan.in_slices]
    fft.forward()
    for target, field in zip(targets, values):
        expect_out(plan, target, spectrum_of(field))


def test_unfit_lists_of_fields_are_refused(refused):
    plan = weft.Plan("c2c:f64:8x9 in=slab(0) out=slab(0)", world)
    (a, b), (c, d) = plan.empty(), plan.empty()
    refused(lambda: plan.bind([a, c], [b]), weft.BadRequest, "2 input arrays and 1 output arrays")
    refused(lambda: plan.bind([] if last else [a], [b]), weft.BadRequest, "list of input", "empty")
    refused(lambda: plan.bind([a, None if last else c], [b, d]), weft.BadRequest, "of NoneType")
    if world.size > 1:
        fields = ([a], [b]) if last else ([a, c], [b, d])
        refused(lambda: plan.bind(*fields), weft.BadRequest, "number of fields")


def test_workspace_is_shared_and_kept_alive():
    plans = [weft.Plan(f"c2c:f64:{shape} in=slab(0) out=slab(0)", world)
             for shape in ("10x12", "15x8")]
    memory = weft.workspace(max(plan.workspace_bytes for plan in plans) + 64)
    assert memory.dtype == np.uint8 and memory.ctypes.data % 64 == 0
    memory[-64:] = 0xAB
    bound = []
    for plan in plans:
        a, b = plan.empty()
        bound.append(plan.bind(a, b, workspace=memory[:-64]))
    behind = memory[-64:]
    del memory
    for fft in bound:
        fft.input[...] = 2 + 1j
        fft.forward()
        fft.backward()
        assert np.abs(fft.input - 120 * (2 + 1j)).max(initial=0) < 1e-11
    assert (behind == 0xAB).all()


def test_unfit_workspaces_are_refused_on_every_rank(refused):
    plan = weft.Plan(f"c2c:f64:16x{16 * world.size} in=slab(1) out=slab(1); pack=sender", world)
    a, b = plan.empty()
    needed = plan.workspace_bytes
    good = weft.workspace(needed + 64)

    def refuse(bad, *words):
        refused(lambda: plan.bind(a, b, workspace=bad if last else good), weft.BadRequest, *words)

    if world.allreduce(needed, MPI.MIN) > 0:
        refuse(good[: needed - 1], "workspace has")
    refuse(good[8:], "not aligned to 64")
    refuse(bytearray(8), "workspace is of bytearray")
    refuse(good.view(np.int8), "dtype int8")
    refuse(good[::2], "strides (2,)")
    frozen = good[:]
    frozen.flags.writeable = False
    refuse(frozen, "read-only")
    large = weft.workspace(needed + a.nbytes)
    inside = np.ndarray(a.shape, a.dtype, large, strides=a.strides)
    refused(lambda: plan.bind(inside if last else a, b, workspace=large), weft.BadRequest,
            "the workspace and the input array overlap")
    with pytest.raises(weft.BadRequest, match="a negative size: -1;"):
        weft.workspace(-1)
    with pytest.raises(weft.Error) as caught:
        weft.workspace(2**62)
    assert caught.value.code is weft.Code.SYSTEM
