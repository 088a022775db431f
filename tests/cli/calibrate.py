#!/usr/bin/env python3
"""What `weft calibrate` writes, and that it can be used; never how fast anything is.

usage: calibrate.py WEFT LAUNCHER...    as in calibrate.py weft mpiexec -n
"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from expectations import expect, finish

weft, launcher = sys.argv[1], sys.argv[2:]


def run(*command, **environment):
    done = subprocess.run([str(word) for word in command], stdin=subprocess.DEVNULL, capture_output=True,
                          text=True, env={**os.environ, **environment})
    return done.returncode, done.stdout, done.stderr


def calibrate(ranks, *arguments, **environment):
    limit = [] if "--seconds" in arguments else ["--seconds", "0.2"]
    return run(*launcher, ranks, weft, "calibrate", *limit, *arguments, **environment)


def value(figure):
    return figure["value"] if isinstance(figure, dict) and "value" in figure else figure


def source(figure):
    return figure.get("source", "") if isinstance(figure, dict) else ""


def check_link(name, link, measured):
    expect(f"{name}: says whether it was measured",
           all(("measured by weft calibrate" in source(link[key])) == measured
               for key in ("latency", "bandwidth")), link)
    expect(f"{name}: figures of a link", 0 < value(link["latency"]) < 1 and
           1e3 < value(link["bandwidth"]) < 1e15, link)
    table = value(link.get("by_size", []))
    expect(f"{name}: a table by size where it was measured", (len(table) >= 2) == measured, table)
    expect(f"{name}: the table ascends", all(a[0] < b[0] and a[1] <= b[1]
                                             for a, b in zip(table, table[1:])), table)


def check(file, ranks, per_node):
    machine = json.loads(file.read_text())
    name = f"{ranks} ranks, {per_node} on a node"
    expect(f"{name}: is called as the file", value(machine["name"]) == file.stem)
    expect(f"{name}: ranks on a node", value(machine["ranks_per_node"]) == per_node, machine)
    check_link(f"{name}: inside", machine["inside"], per_node > 1)
    check_link(f"{name}: between", machine["between"], ranks > per_node)
    congestion = machine.get("congestion")
    expect(f"{name}: congestion between nodes only", congestion is None or ranks > per_node, congestion)
    expect(f"{name}: figures of congestion", congestion is None or (
        value(congestion["messages"]) >= 2 and 0 < value(congestion["exponent"]) <= 1), congestion)
    expect(f"{name}: what several ranks of a node inject",
           ("injection" in machine) == (ranks > per_node > 1))
    rates = [value(machine["memory"][key]) for key in ("copy_rate", "pack_rate", "cache_rate")]
    expect(f"{name}: rates of memory", all(1e6 < rate < 1e13 for rate in rates), rates)
    expect(f"{name}: a cache", 32 << 10 <= value(machine["memory"]["cache"]) <= 128 << 20, machine)
    engines = machine["engines"]
    expect(f"{name}: engines", {"native", "reference"} <= set(engines), engines)
    for engine, rate in engines.items():
        expect(f"{name}: rates of {engine}", 1e5 < value(rate["rate"]) < 1e13 and
               0 < value(rate["rough"]) <= 1 and "measured" in source(rate["rate"]), rate)


def check_peer_link(name, machine, errors, missing=None):
    """`missing`: why it is left out; None: it is measured."""
    link = machine["devices"].get("peer_link")
    expect(f"{name}: the link between devices is there or left out", (link is None) == (missing is not None), link)
    expect(f"{name}: says why it is left out", errors.count("devices.peer_link is left out") == (missing is not None)
           and (missing or "") in errors, errors)
    expect(f"{name}: figures of the link between devices", link is None or
           0 < value(link["latency"]) < 1 and 1e3 < value(link["bandwidth"]) < 1e15 and
           all("measured by weft calibrate" in source(each) for each in link.values()), link)


with tempfile.TemporaryDirectory() as folder:
    folder = Path(folder)
    for ranks, per_node in (1, 1), (2, 2), (4, 2):
        file = folder / f"here{ranks}.json"
        code, output, errors = calibrate(ranks, "--output", file, WEFT_RANKS_PER_NODE=str(per_node))
        expect(f"calibrates on {ranks} ranks", code == 0 and "memory" in output, output + errors)
        if code == 0:
            check(file, ranks, per_node)
            for verb in ("predict", "explain"):
                code, output, errors = run(weft, verb, "64x64x64", "--ranks", "8", "--machine", file)
                expect(f"{verb} on the machine of {ranks} ranks", code == 0 and
                       f"here{ranks}" in output, output + errors)
    for aware in "", "mpi":
        file = folder / "fake.json"
        code, output, written = calibrate(2, "--output", file, "--device", "fake", WEFT_FAKE_DEVICE=f"delay:1,{aware}".strip(","))
        expect("calibrates a device", code == 0 and "launch" in output, output + written)
        if code:
            continue
        devices = json.loads(file.read_text())["devices"]
        figures = [devices["launch"], devices["memory"]["copy_rate"]] + list(devices["host_link"].values())
        expect("a device's figures are measured", all(value(each) > 0 and "measured" in source(each) for each in figures), devices)
        expect("says whether MPI reaches it", ("direct" in devices) == bool(aware), devices)
        expect("is of the kind that was measured", devices["kind"] == "fake", devices)
        code, output, errors = run(weft, "predict", "64x64x64", "--ranks", "2", "--space", "fake", "--machine", file)
        expect("predicts on the device", code == 0 and "fake" in output, output + errors)
        check_peer_link("ranks of a node", json.loads(file.read_text()), written)
    file = folder / "unlinked.json"
    code, output, errors = calibrate(2, "--output", file, "--device", "fake", "--seconds", "0.05", WEFT_FAKE_DEVICE="delay:1,nopeers")
    expect("calibrates a device whose memory cannot be opened", code == 0, output + errors)
    if code == 0:
        check_peer_link("memory that cannot be opened", json.loads(file.read_text()), errors, "as the option nopeers asks for")
    if "emulated" in run(weft, "info")[1]:
        file = folder / "emulated.json"
        code, output, errors = calibrate(2, "--output", file, "--device", "emulated", "--seconds", "0.05")
        expect("calibrates an emulated GPU", code == 0, output + errors)
        if code == 0:
            check_peer_link("emulated GPU", json.loads(file.read_text()), errors)
    code, _, errors = calibrate(2, "--device", "abacus", "--seconds", "0.01")
    expect("refuses a device that there is not", code == 2 and "abacus" in errors, errors)
    code, output, errors = calibrate(1, "--device", "fake")
    expect("prints the description", code == 0 and json.loads(output)["format"] == "weft machine", output + errors)
    if code == 0:
        check_peer_link("one rank", json.loads(output), errors, "no node has two of these ranks")

    for output, why in ((folder, "Is a directory"), (folder / "no" / "such.json", "No such file")):
        code, _, errors = calibrate(2, "--output", output, "--seconds", "0.01")
        expect(f"refuses a file that cannot be written: {why}", code == 4 and why in errors and
               errors.count("could not be written") == 1, errors)
    kept = folder / "kept.json"
    kept.write_text("as it was")
    code, _, errors = calibrate(2, "--output", kept, "--seconds", "0.01", "--device", "none-such")
    expect("leaves the file as it was where it fails", code != 0 and kept.read_text() == "as it was", errors)
    (folder / "link.json").symlink_to(kept)
    code, _, errors = calibrate(1, "--output", folder / "link.json", "--seconds", "0.01")
    expect("writes where a link leads", code == 0 and (folder / "link.json").is_symlink()
           and json.loads(kept.read_text())["format"] == "weft machine", errors)
    code, _, errors = calibrate(2, "--output", "/dev/full", "--seconds", "0.01")
    expect("says that the disk is full", code == 4 and "No space left" in errors and
           errors.count("could not be written") == 1, errors)
    if os.geteuid() != 0:
        folder.chmod(0o500)
        code, _, errors = calibrate(2, "--output", folder / "new.json", "--seconds", "0.01")
        expect("refuses a read-only folder", code == 4 and "Permission denied" in errors, errors)
        folder.chmod(0o700)
    for seconds in "0", "-1", "nan", "1e9":
        code, _, errors = calibrate(1, "--seconds", seconds)
        expect(f"refuses --seconds {seconds}", code == 2 and "--seconds" in errors, errors)
finish()
