"""Wisdom in Python. Every rank has its own."""

import json

import pytest
from mpi4py import MPI

import weft

ENTRY = {
    "format": "weft wisdom", "version": 1, "problem": "c2c:f64:8x8x8 in=free out=free", "ranks": 2,
    "site": {"processor": "Z80", "instruction_set": "AVX2", "mpi": "an MPI", "nodes": 1,
             "ranks_per_node": 2, "placement": "block", "threads": 1, "weft": "1.2.3"},
    "choice": "via=alltoallv",
    "evidence": {"date": "2024-05-31T12:00:00Z", "tuning": "measure", "spent": 1.5, "evaluations": 2,
                 "winner": {"seconds": 1e-3, "low": 9e-4, "high": 2e-3, "rounds": 9}},
    "colour": "red",
}


@pytest.fixture(autouse=True)
def nothing_known(monkeypatch):
    monkeypatch.setenv("WEFT_WISDOM", "")
    weft.wisdom.forget()


def test_comes_as_text_and_goes():
    entries, skipped = weft.wisdom.import_text(json.dumps(ENTRY) + "\nnonsense\n")
    assert entries == 1
    assert len(skipped) == 1 and skipped[0].startswith("line 2: ")
    lines = weft.wisdom.export_text().splitlines()
    assert json.loads(lines[0]) == ENTRY
    assert weft.wisdom.import_text(lines[0]).entries == 0
    assert weft.wisdom.forget(problem="r2c:*") == 0
    assert weft.wisdom.forget(problem="c2c:*", site="*an MPI*") == 1
    assert weft.wisdom.export_text() == ""


def test_is_in_the_users_file(monkeypatch, tmp_path):
    path = tmp_path / "wisdom.jsonl"
    path.write_text(json.dumps(ENTRY) + "\n")
    monkeypatch.setenv("WEFT_WISDOM", str(path))
    assert json.loads(weft.wisdom.export_text().splitlines()[0]) == ENTRY
    assert weft.wisdom.forget() == 1
    assert path.read_text() == ""


def test_tells_files_that_cannot_be_changed(monkeypatch, tmp_path):
    monkeypatch.setenv("WEFT_WISDOM", str(tmp_path))
    assert weft.wisdom.export_text() == ""
    with pytest.raises(weft.Error, match="WEFT_WISDOM|directory") as caught:
        weft.wisdom.forget()
    assert caught.value.code == weft.Code.SYSTEM


@pytest.mark.parametrize("effort", ["measure", "patient", "exhaustive"])
@pytest.mark.parametrize("terms", ["", "(arrays:plain,backward:0)"])
def test_finds_again_what_an_effort_has_found(effort, terms):
    def plan(tuning):
        return weft.Plan(shape=(8, 6, 4), decomposition="slab", engine="reference", via="alltoallv", pack="sender",
                         tuning=tuning + terms, comm=MPI.COMM_WORLD)

    with pytest.raises(weft.Error, match="no plan is known"):
        plan("frozen")
    assert plan(effort) == plan("frozen")
