"""Distributed arrays in files, which numpy and h5py read and write as well."""

import os
import sys

import numpy as np
import pytest
from mpi4py import MPI

import weft
from arrays import expect, layouts, own, shape, whole
from weft import DistArray

world = MPI.COMM_WORLD


@pytest.fixture
def path(tmp_path):
    """One file for all ranks."""
    return world.bcast(str(tmp_path / "array.npy"))


@pytest.mark.parametrize("layout, dtype", [
    *((layout, np.float64) for layout in layouts), ("slab(0)", np.complex64), ("boxes", ">i4"),
    ("slab(2)@201", [("x", "f8"), ("n", "i2")])])
def test_npy(path, layout, dtype):
    values = np.arange(210).reshape(shape).astype(dtype)
    x = DistArray.from_global(values, own(layout), world)
    x.save(path)
    world.Barrier()
    read = np.load(path)
    assert read.dtype == values.dtype
    np.testing.assert_array_equal(read, values)
    world.Barrier()
    if world.rank == 0:
        np.save(path, np.asfortranarray(values))
    world.Barrier()
    for other in ("slab(1)", own(layout)):
        again = DistArray.load(path, other, world)
        assert again.dtype == values.dtype
        expect(again, values)
    world.Barrier()


def test_a_shorter_file_takes_the_place_of_a_longer_one(path):
    DistArray.zeros((40, 5), comm=world).save(path)
    DistArray.zeros((4, 5), comm=world).save(path)
    world.Barrier()
    assert os.path.getsize(path) == 128 + 160


def test_bad_files_are_told_on_every_rank(refused, path):
    refused(lambda: DistArray.load(path, comm=world), weft.BadRequest, "array.npy")
    world.Barrier()
    refused(lambda: DistArray.zeros(3, comm=world).save("/nowhere/at/all"), weft.BadRequest,
            "/nowhere")
    for content in (b"nonsense", b""):
        if world.rank == 0:
            with open(path, "wb") as file:
                file.write(content)
        world.Barrier()
        refused(lambda: DistArray.load(path, comm=world), weft.BadRequest)
    DistArray.zeros((4, 5), comm=world).save(path)
    if world.rank == 0:
        os.truncate(path, 200)
    world.Barrier()
    refused(lambda: DistArray.load(path, comm=world), weft.BadRequest, "cut off", "72", "160")


@pytest.mark.parametrize("layout, dtype", [
    ("slab(2)@201", np.float64), ("pencil(0,1)", np.complex64), ("single", np.float32), ("boxes", ">i4")])
def test_hdf5(path, layout, dtype):
    h5py = pytest.importorskip("h5py")
    values = np.arange(210).reshape(shape).astype(dtype)
    x = DistArray.from_global(values, own(layout), world)
    x.save_hdf5(path, "fields/u")
    with h5py.File(path, "r") as file:
        np.testing.assert_array_equal(file["fields/u"][...], values)
    again = DistArray.load_hdf5(path, "fields/u", "pencil(0,1)@201", world)
    assert again.dtype == values.dtype
    expect(again, values)
    world.Barrier()


def test_hdf5_is_opened_by_all_ranks_at_once_where_it_can_be(path, monkeypatch):
    h5py = pytest.importorskip("h5py")
    if world.size == 1 or not h5py.get_config().mpi:
        pytest.skip("h5py is built without MPI, or there is one rank")
    drivers = []
    original = h5py.File

    def opened(*arguments, **options):
        drivers.append(options.get("driver"))
        return original(*arguments, **options)

    monkeypatch.setattr(h5py, "File", opened)
    values = np.arange(210.0).reshape(shape)
    DistArray.from_global(values, "slab(1)", world).save_hdf5(path, "u")
    expect(DistArray.load_hdf5(path, "u", "pencil(0,1)", world), values)
    assert drivers == ["mpio", "mpio"]


def test_bad_hdf5_files_are_told_on_every_rank(refused, path):
    pytest.importorskip("h5py")
    x = DistArray.zeros((4, 5), comm=world)
    refused(lambda: x.save_hdf5("/nowhere/at/all", "u"), weft.BadRequest, "nowhere")
    refused(lambda: DistArray.load_hdf5(path, "u", comm=world), weft.BadRequest, "array.npy")
    x.save_hdf5(path, "u/v")
    world.Barrier()
    refused(lambda: DistArray.load_hdf5(path, "w", comm=world), weft.BadRequest, "'w'")
    refused(lambda: DistArray.load_hdf5(path, "u", comm=world), weft.BadRequest, "shape")
    refused(lambda: DistArray.load_hdf5(path, "u/v", "slab(2)", world), weft.BadRequest, "2")
    world.Barrier()


def test_hdf5_needs_h5py(refused, path, monkeypatch):
    if world.rank == world.size - 1:
        monkeypatch.setitem(sys.modules, "h5py", None)
    x = DistArray.zeros((4, 5), comm=world)
    for call in (lambda: x.save_hdf5(path, "u"), lambda: DistArray.load_hdf5(path, "u", comm=world)):
        error = refused(call, weft.Error, "h5py on every rank")
        assert error.code == weft.Code.NOT_AVAILABLE
