#!/usr/bin/env python3
"""What verbs print with --json is one JSON document, and without it the first line is the verdict, in 80 columns.

usage: json_documents.py WEFT LAUNCHER...    as in json_documents.py weft mpiexec -n
"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from expectations import expect, finish

weft, launcher = sys.argv[1], sys.argv[2:]
# Names no file, so that nothing is known from earlier tuning, and nothing is kept.
ENVIRONMENT = {**os.environ, "WEFT_WISDOM": ""}


def run(ranks, *arguments):
    """Without a launcher on 0 ranks."""
    command = [*launcher, str(ranks), weft] if ranks else [weft]
    done = subprocess.run([*command, *arguments], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          env=ENVIRONMENT)
    expect(f"exit code 0 of {' '.join(arguments)}", done.returncode == 0, done.stdout + done.stderr)
    return done.stdout, done.stderr


def document(ranks, *arguments):
    output, errors = run(ranks, *arguments, "--json")
    expect(f"{arguments[0]} --json says nothing of its progress", " s left" not in errors and " runs in " not in errors,
           errors)
    try:
        return json.loads(output)
    except json.JSONDecodeError as error:
        expect(f"{' '.join(arguments)} --json is one document", False, f"{error}: {output}")
        return {}


def text(ranks, *arguments, tables=True):
    """The verdict, and that tables are in 80 columns: lines that are texts of plans may be longer."""
    output, _ = run(ranks, *arguments)
    lines = output.splitlines()
    expect(f"the verdict of {' '.join(arguments)} comes first", lines and lines[0].startswith("verdict    "), output)
    long = [line for line in lines if len(line) > 80 and "=" not in line and " stage " not in line]
    expect(f"80 columns of {' '.join(arguments)}", not tables or not long, "\n".join(long))
    verdict = [lines[0][11:]]
    for line in lines[1:]:
        if not line.startswith(" " * 11):
            break
        verdict.append(line.strip())
    return " ".join(verdict), output


def check_explain():
    found = document(0, "explain", "64x64x64", "--ranks", "2", "--rank", "1", "--why", "--program")
    expect("the kinds of stages", [stage["kind"] for stage in found["stages"]] == ["transform", "redistribution",
                                                                                  "transform"], found["stages"])
    expect("the bytes that move", found["stages"][1]["bytes"] == 64**3 * 16 // 2, found["stages"])
    expect("a layout before and after each stage", len(found["layouts"]) == 4)
    expect("boxes of the rank", found["layouts"][0]["boxes"] == [{"lo": [32, 0, 0], "hi": [64, 64, 64]}],
           found["layouts"][0])
    expect("no rank is idle", found["idle_ranks"] == 0 and "idle" not in found["verdict"])
    expect("the rules and the program", "rule " in found["why"] and "program of rank 1" in found["program"])
    seconds = sum(sum(stage["predicted_s"].values()) for stage in found["stages"])
    expect("the prediction is the sum of its stages", abs(seconds - found["predicted_s"]) <= 1e-9 * seconds)
    again = document(0, "explain", found["plan"])
    expect("the plan's text is read back", again["choice"] == found["choice"], again["choice"])
    verdict, output = text(0, "explain", "8x8", "--ranks", "1000000")
    expect("idle ranks are counted", "999,992 of the 1,000,000 ranks are idle" in verdict, verdict)
    idle = document(0, "explain", "8x8", "--ranks", "1000000")
    expect("in JSON too", idle["idle_ranks"] == 999992 and idle["verdict"] == verdict, idle["verdict"])
    verdict, _ = text(0, "explain", "64x64x64", "--volume", "--ranks", "4,16")
    volume = document(0, "explain", "64x64x64", "--volume", "--ranks", "4,16")
    expect("the verdict of --volume", volume["verdict"] == verdict, verdict)
    expect("the traffic of both", {row["ranks"] for row in volume["traffic"]} == {4, 16})


def check_predict():
    verdict, output = text(0, "predict", "8x8", "--ranks", "1..16")
    expect("one rank alone is named where it wins", "1 rank alone" in verdict, output)
    found = document(0, "predict", "8x8", "--ranks", "1..16")
    expect("the verdict of predict", found["verdict"] == verdict, found["verdict"])


def check_verify():
    verdict, output = text(0, "verify", "6x5", "--net", "local", "--ranks", "3")
    expect("verify says right first", verdict.startswith("right on 3 ranks: all of 7 checks hold"), output)
    found = document(0, "verify", "6x5", "--net", "local", "--ranks", "3")
    (case,) = found["cases"]
    expect("each check with its bound", len(case["findings"]) == 7 and case["right"] and all(
        one["right"] and one["error"] <= one["bound"] for one in case["findings"]), case)
    several = ["verify", "--random", "4", "--seed", "5", "--net", "local", "--ranks", "2"]
    verdict, output = text(0, *several)
    expect("random problems are counted", verdict.endswith("4 right, 0 wrong"), output)
    found = document(0, *several, "--verbose")
    expect("all cases where asked for", found["right"] == 4 and found["wrong"] == 0 and len(found["cases"]) == 4)
    expect("otherwise the wrong ones", document(0, *several)["cases"] == [])
    found = document(2, "verify", "6x5")
    expect("over MPI", found["cases"][0]["ranks"] == 2 and found["compared_with_serial"])


def check_measured():
    problem = ["8x8", "--engine", "reference", "--repeat", "2"]
    verdict, output = text(2, "bench", *problem)
    expect("bench says what weft takes", verdict.startswith("weft takes ") and "on 2 ranks" in verdict, output)
    found = document(2, "bench", *problem)
    expect("one library", [one["library"] for one in found["results"]] == ["weft"], found)
    expect("the verdict of bench", "GFLOP/s" in found["verdict"], found["verdict"])
    problem = ["--bytes", "0,64", "--via", "alltoallv,isend-waitall", "--repeat", "2"]
    verdict, output = text(2, "exchange", *problem)
    expect("exchange names a method", verdict.startswith("on 2 ranks ") and "is fastest over all" in verdict, output)
    expect("and is short", len(output.splitlines()) < 30 and "alltoallv / MPI_Alltoall" not in output, output)
    expect("tables of each where asked for", "alltoallv / MPI_Alltoall" in text(2, "exchange", *problem, "--all")[1])
    found = document(2, "exchange", *problem)
    expect("a record of each", len(found["results"]) == 6 and {one["method"] for one in found["rankings"]} == {
        "alltoallv", "isend-waitall"}, found)
    problem = ["6x5x4", "--engine", "reference", "--limit", "0"]
    verdict, output = text(2, "tune", *problem)
    expect("tune says that it ran nothing", verdict.startswith("nothing was run"), output)
    found = document(2, "tune", *problem)
    expect("its plan, and no run", found["plan"].startswith("c2c:f64:6x5x4") and found["runs"] == [] and
           not found["known"] and found["outcome"]["seconds"] is None, found)
    found = document(1, "tune", "6x5x4", "--engine", "reference", "--limit", "60")
    expect("runs are listed", len(found["runs"]) >= 1 and "is the fastest of" in found["verdict"], found["verdict"])
    verdict, output = text(0, "engines", "--lengths", "8", "--elements", "64", "--engine", "reference")
    expect("engines says which is fastest", verdict.startswith("reference"), output)


def check_copies():
    small = ["copies", "--space", "emulated", "--extent", "8", "--repeat", "1"]
    verdict, output = text(0, *small)
    expect("copies says what kernels reach", "weft's kernels" in verdict and "permute 210 of 16 bytes" in output, output)
    found = document(0, *small)
    own = [one["of_copy"] for one in found["copies"] if "own" in one["what"]]
    expect("each copy beside the device's own", own == [1] and len(found["copies"]) == 21 and all(
        one["bytes_per_s"] > 0 for one in found["copies"]), found["copies"])


def check_here():
    info, methods = document(0, "info"), document(0, "methods")
    names = [one["via"] for one in methods["methods"]]
    expect("the methods of both", info["methods"] == names and "alltoallv" in names)
    expect("engines of the build", any(one["name"] == "reference" and one["built_in"] for one in info["engines"]))
    expect("instruction sets of the build", info["vectors"][-1] == {"name": "SCALAR", "here": True})
    here = sum(one["here"] for one in methods["methods"])
    on_devices = "".join(f", {one['via']} on {','.join(one['devices'])}" for one in methods["methods"] if one["devices"])
    expect("the methods that can run", methods["verdict"] == f"{here} of {len(names)} methods can run here{on_devices}",
           methods["verdict"])
    nccl = next(one for one in methods["methods"] if one["via"] == "nccl")
    expect("a method of devices does not run on the host", not nccl["here"] and "host" not in nccl["devices"], nccl)
    output, _ = run(0, "methods")
    expect("80 columns of methods", all(len(line) <= 80 or "http" in line for line in output.splitlines()), output)
    found = document(2, "ft", "--class", "S")
    expect("FT is right", found["right"] and len(found["checksums"]) == 6 and found["ranks"] == 2, found)
    with tempfile.TemporaryDirectory() as folder:
        wisdom = Path(folder) / "wisdom.jsonl"
        wisdom.write_text("")
        expect("no wisdom", document(0, "wisdom", "show", str(wisdom))["entries"] == [])
        ENVIRONMENT["WEFT_WISDOM"] = str(wisdom)
        run(1, "tune", "6x5x4", "--engine", "reference", "--limit", "60")
        ENVIRONMENT["WEFT_WISDOM"] = ""
        found = document(0, "wisdom", "show", str(wisdom))
        expect("one entry, as it is kept", found["entries"] == [json.loads(wisdom.read_text())], found)
    found = document(1, "calibrate", "--seconds", "0.05", "--name", "mine")
    expect("a machine", found["name"] == "mine" and "memory" in found, found)


check_explain()
check_predict()
check_verify()
check_measured()
if "emulated" in run(0, "info")[0]:
    check_copies()
check_here()
finish()
