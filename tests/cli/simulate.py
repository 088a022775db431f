# What `weft simulate` prints and writes agrees with itself, with the model, and with what messages weft sends.
# usage: simulate.py WEFT
import json
import subprocess
import sys
import tempfile
from pathlib import Path

weft = sys.argv[1]


def run(*arguments, code=0):
    done = subprocess.run([weft, "simulate", *arguments], capture_output=True, text=True)
    assert done.returncode == code, (arguments, done.returncode, done.stderr)
    return done.stdout if code == 0 else done.stderr


def simulated(*arguments):
    return json.loads(run(*arguments, "--json"))["simulations"]


asked = ["64x64x64; decomposition=pencil(8x8); via=alltoallv", "--machine", "stampede"]
text = run(*asked, "--ranks", "64")
one = simulated(*asked, "--ranks", "64")[0]
row = text.splitlines()[-1].split()
assert row[0] == "64" and float(row[1]) == float(f"{1e3 * one['simulated_s']:.{len(row[1].split('.')[1])}f}"), (row, one)
assert one["mean_s"] <= one["simulated_s"] * 1.000001
# Two exchanges of 8 ranks: 7 messages each, of 64 KiB / 8.
assert abs(one["messages"] - 64 * 14) < 1e-3 and abs(one["bytes"] - 64 * 14 * 8192) < 1, one
assert one["ranks_run"] < 64 == simulated(*asked, "--ranks", "64", "--every-rank")[0]["ranks_run"]
assert abs(one["simulated_s"] / one["predicted_s"] - 1) < 0.3, one
# Stages add up to what ranks take on average.
stages = sum(stage["work"] + stage["exchange"] + stage["hop"] for stage in one["stages"])
assert abs(stages - one["mean_s"]) < 1e-6 * stages, (stages, one["mean_s"])
# More ranks, backward, devices, algorithms of collective calls.
assert [each["ranks"] for each in simulated("64x64x64", "--machine", "summit", "--ranks", "4..32")] == [4, 8, 16, 32]
assert simulated("64x64x64", "--ranks", "8", "--backward")[0]["plan"].endswith("backward")
device = simulated("64x64x64", "--machine", "summit-v100", "--space", "fake(staged)", "--ranks", "12")[0]
assert sum(stage["hop"] for stage in device["stages"]) > 0, device
with tempfile.TemporaryDirectory() as folder:
    # Where a rank waits for the latency of all messages once, pairwise calls of Open MPI on 64 ranks take longer.
    mine = json.loads(subprocess.run([weft, "predict", "--machine", "hopper", "--show-machine"], capture_output=True,
                                     text=True, check=True).stdout)
    mine["between"]["overhead"] = 1e-7
    machine = Path(folder) / "mine.json"
    machine.write_text(json.dumps(mine))
    pairwise, linear = (simulated("64x64x64; decomposition=slab; via=alltoallv", "--ranks", "64", "--calls", calls,
                                  "--machine", machine, "--ranks-per-node", "1")[0]["simulated_s"]
                        for calls in ("openmpi", "machine"))
    assert pairwise > 1.2 * linear, (pairwise, linear)
    file = Path(folder) / "trace.json"
    run(*asked, "--ranks", "64", "--every-rank", "--trace", file, "--traced", "3")
    trace = json.loads(file.read_text())
    events = trace["traceEvents"]
    assert {event["tid"] for event in events} == {0, 1, 2} and trace["otherData"]["plan"] == one["plan"]
    assert max(event["ts"] + event["dur"] for event in events) <= 1e6 * one["simulated_s"] * 1.01
    assert {"transform", "exchange"} <= {event["name"] for event in events}
for wrong, words in ((["64x64x64", "--calls", "intel"], "--calls intel: there are machine, openmpi and mpich"),
                     (["64x64x64", "--ranks", "4,8", "--trace", "t.json"], "--trace writes one run"),
                     (["64x64x64; ranks=8", "--ranks", "4"], "the text says ranks=8"),
                     (["64x64x64", "--ranks", "0"], "give numbers of ranks from 1")):
    assert words in run(*wrong, code=2), wrong
