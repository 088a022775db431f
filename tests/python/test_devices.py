"""Arrays of a device: the fake one's, by the protocols of CuPy, PyTorch, Numba and JAX."""

import gc

import numpy as np
import pytest
from mpi4py import MPI

import weft
from fake_arrays import (CudaArray, DlpackArray, OffsetDlpackArray, OldDlpackArray, exported)
from weft._weft import fake

world = MPI.COMM_WORLD
shape = (6, 5, 8)
problem = "r2c:f64:6x5x8"
kinds = pytest.mark.parametrize("kind", [CudaArray, DlpackArray, OldDlpackArray, OffsetDlpackArray])


def signal(plan):
    """This rank's input on the host, an output, and its part of the spectrum."""
    values = np.random.default_rng(3).standard_normal(shape)
    a, b = plan.empty()
    a[...] = values[plan.in_slices]
    b[...] = 17
    return a, b, np.fft.rfftn(values)[plan.out_slices]


@kinds
@pytest.mark.parametrize("settings", ["", "in=slab(0) out=slab(1)@201", "in=slab(0)@102"])
def test_where_they_lie(kind, settings):
    plan = weft.Plan(f"{problem} {settings}; space=fake", world)
    a, b, spectrum = signal(plan)
    x, y = kind(a), kind(b)
    fft = plan.bind(x, y)
    fft.forward()
    np.testing.assert_allclose(y.get(), spectrum, atol=1e-11)
    fft.backward()
    np.testing.assert_allclose(x.get(), a * np.prod(shape), atol=1e-9)
    assert fft.input is x and fft.output is y
    assert x.exports == 1


@kinds
def test_given_to_calls(kind):
    plan = weft.Plan(f"{problem}; space=fake", world)
    fft = plan.bind(memory="device")
    a, b, spectrum = signal(plan)
    for _ in range(3):
        x, y = kind(a), kind(b)
        fft.start_forward(x, y)
        memory = y.memory
        del x
        gc.collect()
        fft.wait()
        np.testing.assert_allclose(y.get(), spectrum, atol=1e-11)
        assert memory.address == y.memory.address
    pair = plan.bind(memory="device", fields=2)
    xs, ys = [kind(a), CudaArray(a)], [kind(b), CudaArray(b)]
    pair.forward(xs, ys)
    for y in ys:
        np.testing.assert_allclose(y.get(), spectrum, atol=1e-11)


def test_tensors_are_given_back():
    plan = weft.Plan(f"{problem}; space=fake", world)
    a, b, _ = signal(plan)
    before = exported()
    fft = plan.bind(DlpackArray(a), DlpackArray(b))
    assert exported() == before + 2
    fft.forward()
    del fft
    gc.collect()
    assert exported() == before


def test_numpy_arrays_on_the_device_of_a_plan():
    plan = weft.Plan(f"{problem}; space=fake", world)
    a, b, spectrum = signal(plan)
    plan.bind(a, b).forward()
    np.testing.assert_allclose(b, spectrum, atol=1e-11)
    b[...] = 17
    plan.bind().forward(a, b)
    np.testing.assert_allclose(b, spectrum, atol=1e-11)


def test_workspace_of_the_device(refused):
    plan = weft.Plan(f"{problem}; space=fake", world)
    a, b, spectrum = signal(plan)
    x, y = CudaArray(a), CudaArray(b)
    room = DlpackArray(np.zeros(plan.workspace_bytes, np.uint8))
    plan.bind(x, y, workspace=room).forward()
    np.testing.assert_allclose(y.get(), spectrum, atol=1e-11)
    refused(lambda: plan.bind(x, y, workspace=weft.workspace(plan.workspace_bytes)),
            weft.BadRequest, "memory of the host")
    refused(lambda: plan.bind(x, y, workspace=CudaArray(np.zeros(8))), weft.BadRequest,
            "float64", "bytes (uint8)")


@kinds
def test_that_do_not_fit(kind, refused):
    plan = weft.Plan(f"{problem} in=slab(0) out=slab(0); space=fake", world)
    a, b, spectrum = signal(plan)
    x, y = kind(a), kind(b)

    def refuse(x, y, *words):
        refused(lambda: plan.bind(x, y), weft.BadRequest, *words)

    last = world.rank == world.size - 1
    refuse(kind(a.astype("f4")), y, "the input array has dtype float32", "needs float64")
    refuse(x, kind(b.astype("c8")) if last else y, "the output array has dtype complex64")
    refuse(kind(a.reshape(-1)), y, "shape")
    if all(world.allgather(a.shape[0] > 1)):
        refuse(kind(np.asfortranarray(a)), y, "strides")
    if kind is not OldDlpackArray:
        y.read_only = last
        refuse(x, y, "the output array is read-only, but forward() writes to it")
        y.read_only = False
    if all(world.allgather(plan.in_shape[0] > 0)):
        refuse(x, b, "the host's memory", "others in the memory of fake")
        refuse(a, y, "the host's memory", "others in the memory of fake")
        refuse(kind(a, of_another=True), y, "memory of another device")
        host = weft.Plan(f"{problem} in=slab(0) out=slab(0); space=host", world)
        refused(lambda: host.bind(x, y), weft.BadRequest, "computed on the host", "space=")
    plan.bind(x, y).forward()
    np.testing.assert_allclose(y.get(), spectrum, atol=1e-11)


def test_that_do_not_fit_a_call():
    plan = weft.Plan(f"{problem}; space=fake", world)
    a, b, spectrum = signal(plan)
    x, y = CudaArray(a), DlpackArray(b)
    device, host = plan.bind(memory="device"), plan.bind(memory="host")
    if a.size:
        with pytest.raises(weft.BadRequest, match="input array is memory of the host, .* of fake"):
            device.forward(a, y)
        with pytest.raises(weft.BadRequest, match="output array is memory of the host"):
            device.forward(x, b)
        with pytest.raises(weft.BadRequest, match="memory of fake, .* for arrays of the host"):
            host.forward(x, y)
        with pytest.raises(weft.BadRequest, match="memory of another device"):
            device.forward(CudaArray(a, of_another=True), y)
    with pytest.raises(weft.BadRequest, match="dtype"):
        device.forward(CudaArray(a.astype("f4")), y)
    world.Barrier()
    device.forward(x, y)
    np.testing.assert_allclose(y.get(), spectrum, atol=1e-11)


class Broken:
    def __init__(self, **attributes):
        self.__dict__.update(attributes)

    @property
    def __cuda_array_interface__(self):
        raise RuntimeError("Can't get it of a Tensor that requires grad")


def test_that_cannot_be_seen(refused):
    plan = weft.Plan(f"{problem}; space=fake", world)
    a, b, _ = signal(plan)
    y = CudaArray(b)
    last = world.rank == world.size - 1
    refused(lambda: plan.bind(Broken() if last else CudaArray(a), y), weft.BadRequest,
            "the input array is of Broken, which cannot be used: Can't get it of a Tensor")
    refused(lambda: plan.bind([[1.0]], y), weft.BadRequest, "of list", "__dlpack__")
    foreign = DlpackArray(a)
    foreign.device_type = 8  # Metal
    refused(lambda: plan.bind(foreign, y), weft.BadRequest, "device type 8")
    refused(lambda: plan.bind(memory="gpu"), weft.BadRequest, "'gpu'", "'host' or 'device'")
    refused(lambda: plan.bind(CudaArray(a), y, memory="device"), weft.BadRequest, "memory=")
    masked = type("Masked", (), {"__cuda_array_interface__": {"mask": y, "data": (0, False)}})()
    refused(lambda: plan.bind(masked, y), weft.BadRequest, "mask")


def test_views_are_numpys():
    plan = weft.Plan(f"{problem}; space=fake", world)
    a, _, _ = signal(plan)
    with pytest.raises(weft.BadRequest, match="of CudaArray, the plan needs a numpy array"):
        plan.in_views(CudaArray(a))


@pytest.mark.parametrize("how", ["stream", "interface", "bound"])
def test_streams(how):
    plan = weft.Plan(f"{problem}; space=fake", world)
    a, b, spectrum = signal(plan)
    x, y = CudaArray(np.zeros_like(a)), CudaArray(b)
    room = np.array(a, order="K", copy=True)
    result = np.zeros(max(y.bytes, 1), np.uint8)
    stream = fake.Stream()
    fft = plan.bind(x, y) if how == "bound" else plan.bind(memory="device")
    if how == "interface":
        x.stream = y.stream = stream.handle
    else:
        fft.stream = stream.handle
        assert fft.stream == stream.handle
    stream.hold()
    if a.size:
        assert room.strides == a.strides
        stream.copy(room.ctypes.data, x.memory.address, x.bytes)
    arrays = () if how == "bound" else (x, y)
    fft.start_forward(*arrays)
    if a.size:
        assert not fft.test()
    stream.go()
    fft.wait()
    stream.copy(y.memory.address, result.ctypes.data, y.bytes)
    stream.wait()
    found = np.ndarray(y.shape, y.dtype, result, strides=y.strides)
    np.testing.assert_allclose(found, spectrum, atol=1e-11)
    # The stream counts no longer.
    x.stream = y.stream = fft.stream = None
    stream.hold()
    fft.forward(*arrays)
    stream.go()


def test_streams_that_do_not_fit():
    plan = weft.Plan(f"{problem}; space=fake", world)
    a, b, spectrum = signal(plan)
    x, y = CudaArray(a), CudaArray(b)
    fft = plan.bind(memory="device")
    one, other = fake.Stream(), fake.Stream()
    with pytest.raises(weft.BadRequest, match="not belong to device fake"):
        fft.stream = 12345
    with pytest.raises(weft.BadRequest, match="the stream is of str"):
        fft.stream = "first"
    assert fft.stream is None
    x.stream, y.stream = one.handle, other.handle
    with pytest.raises(weft.BadRequest, match="2 streams"):
        fft.forward(x, y)
    world.Barrier()
    fft.stream = type("CupyStream", (), {"ptr": one.handle})()
    fft.forward(x, y)
    fft.stream = type("TorchStream", (), {"cuda_stream": one.handle})()
    fft.forward(x, y)
    fft.stream = type("Core", (), {"__cuda_stream__": lambda self: (0, other.handle)})()
    fft.forward(x, y)
    np.testing.assert_allclose(y.get(), spectrum, atol=1e-11)
    host = weft.Plan(f"{problem}; space=host", world).bind()
    with pytest.raises(weft.BadRequest, match="computed on the host"):
        host.stream = one.handle


def test_what_owners_are_told_of_streams():
    plan = weft.Plan(f"{problem}; space=fake", world)
    a, b, _ = signal(plan)
    from weft.view import view_of
    x = DlpackArray(a)
    for device_type, stream, told in [(2, None, -1), (2, 0, 1), (2, 77, 77), (10, 0, 0),
                                      (10, None, -1), (12, 77, None), (1, 77, None)]:
        x.device_type = device_type
        view_of(x, stream)
        assert x.told == told
