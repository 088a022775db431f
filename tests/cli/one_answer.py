#!/usr/bin/env python3
"""explain, explain --volume, predict, plan and tune --tuning estimate name one plan, and one time.

usage: one_answer.py WEFT LAUNCHER...    as in one_answer.py weft mpiexec -n
"""

import csv
import json
import os
import random
import subprocess
import sys
import tempfile
from pathlib import Path

from expectations import expect, finish

weft, launcher = sys.argv[1], sys.argv[2:]


def run(*arguments, ranks=0, environment=None):
    command = [*launcher, str(ranks)] if ranks else []
    done = subprocess.run([*command, weft, *map(str, arguments)], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          env={**os.environ, **(environment or {})})
    expect("weft " + " ".join(map(str, arguments)), done.returncode == 0, done.stderr)
    return done.stdout


def way_of(text):
    return text.split("decomposition=")[1].split(";")[0]


def near(a, b):
    return abs(a - b) <= 1e-5 * b


def compare(folder, shape, ranks, node, machine):
    where = ["--ranks-per-node", node, "--machine", machine]
    asked = f"{shape} on {ranks} ranks, {node} a node, {machine}"
    explained = json.loads(run("explain", shape, "--ranks", ranks, *where, "--json"))
    way, seconds = way_of(explained["choice"]), explained["predicted_s"]
    table = Path(folder) / "volume.csv"
    run("explain", shape, "--volume", "--ranks", ranks, *where, "--csv", table)
    default = next(row for row in csv.DictReader(table.open()) if row["name"] == "default")
    expect(f"explain --volume has the plan of explain: {asked}", default["decomposition"] == way, default["decomposition"])
    rows = json.loads(run("predict", shape, "--ranks", ranks, *where, "--json"))["predictions"]
    best = next(row for row in rows if row["fastest"])
    expect(f"predict has the plan and time of explain: {asked}",
           best["decomposition"] == way and near(best["seconds"], seconds), f"{way} {seconds}, {best}")
    expect(f"nothing that predict lists is faster by 2%: {asked}",
           all(seconds <= 1.02 * row["seconds"] for row in rows), str(rows))
    text = run("plan", shape, "--ranks", ranks, *where).strip()
    expect(f"plan prints a text that is that plan: {asked}", way_of(text) == way, text)
    again = json.loads(run("explain", text, *where, "--json"))
    expect(f"the text is read back: {asked}", near(again["predicted_s"], seconds), str(again["predicted_s"]))


with tempfile.TemporaryDirectory() as folder:
    draw = random.Random(35)
    compare(folder, "64x64x64", 4096, 64, "default")
    compare(folder, "512x512x512", 1024, 28, "default")
    for _ in range(4):
        n = draw.choice([32, 64, 100, 128, 256])
        compare(folder, f"{n}x{n}x{n}", draw.choice([8, 64, 128, 256, 512]), draw.choice([1, 4, 16, 28, 48, 112]),
                draw.choice(["default", "stampede", "xc30", "hopper", "titan"]))
    # The library sees the nodes that there are, and the machine that it is told of.
    mine = Path(folder) / "mine.json"
    described = json.loads(run("predict", "--machine", "default", "--show-machine"))
    described["between"]["latency"] = 1e-3
    described["name"] = "mine"
    mine.write_text(json.dumps(described))
    for environment, where in (({"WEFT_RANKS_PER_NODE": "2"}, ["--ranks-per-node", 2]),
                               ({"WEFT_RANKS_PER_NODE": "1", "WEFT_MACHINE": str(mine)},
                                ["--ranks-per-node", 1, "--machine", mine])):
        for shape in ("16x16x16", "r2c:f64:64x64x64"):
            tuned = json.loads(run("tune", shape, "--tuning", "estimate", "--json", ranks=4, environment=environment))
            explained = json.loads(run("explain", shape, "--ranks", 4, *where, "--json"))
            expect(f"tune --tuning estimate has the plan and time of explain: {shape}, {environment}",
                   way_of(tuned["choice"]) == way_of(explained["choice"]), f"{tuned} {explained['choice']}")
            expect(f"the times are the same: {shape}, {environment}",
                   near(tuned["predicted_s"], explained["predicted_s"]),
                   f"{tuned['predicted_s']} {explained['predicted_s']}")
finish()
