#!/usr/bin/env python3
"""What engine_study prints, and what its table makes of it; never how fast anything is.

usage: engine_study.py ENGINE_STUDY ENGINE_STUDY_TABLE
"""

import json
import math
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1] / "cli"))
sys.path.append(str(Path(__file__).parents[2] / "bench"))
from expectations import expect, finish  # noqa: E402
from origin import FIELDS  # noqa: E402

study, plot = sys.argv[1:]
TINY = ("--engines", "all", "--effort", "estimate", "--repeat", "2", "--sample", "1e-6")
PATTERNS = {"lines", "lanes", "lines-to-lanes", "lanes-to-lines"}


def run(*command):
    """The exit code, the standard output and the standard error."""
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


def records(*arguments):
    """Those between the first, which tells the machine, and the last."""
    code, output, errors = run(study, *TINY, *arguments)
    expect(f"exit code 0 of {' '.join(arguments)}", code == 0)
    if code != 0:
        print(output, errors)
        return []
    machine, *cases, end = map(json.loads, output.splitlines())
    expect("a machine", machine["study"] == "machine" and machine["cores"] >= 1)
    expect("where it is from", set(FIELDS) <= set(machine), machine)
    caches = machine["cache_bytes"]
    expect("its caches", 0 < caches["L1"] < caches["L2"] <= caches["L3"])
    expect("an end, with nothing left out", not any(end["left_out"].values()))
    expect("the reference engine", "reference" in machine["engines"])
    for one in cases:
        expect("the machine's engines", set(one["engines"]) == set(machine["engines"]))
    return cases


def check_times(record, flops):
    for name, engine in record["engines"].items():
        seconds = engine["seconds"]
        right = 0 < seconds["q1"] <= seconds["median"] <= seconds["q3"]
        expect(f"{name}: quartiles", right and engine["planning_s"] > 0)
        rate = 1e-9 * flops / seconds["median"]
        expect(f"{name}: GFLOP/s", math.isclose(engine["gflops"], rate, rel_tol=1e-9))
        expect(f"{name}: effort and samples", (engine["effort"], engine["samples"]) == ("estimate", 2))


def check_lines():
    cases = records("lines", "--full", "--lengths", "8,11,12", "--levels", "L1")
    expect("all patterns", {one["pattern"] for one in cases} == PATTERNS)
    real_to_real = {f"{transform}{number}" for transform in ("dct", "dst") for number in (1, 2, 3, 4)}
    expect("all kinds", {one["kind"] for one in cases} == {"c2c", "r2c", "c2r"} | real_to_real)
    groups = {one["length"]: one["group"] for one in cases}
    expect("groups", groups == {8: "powers-of-two", 11: "primes", 12: "2-3-5-7"})
    expect("batches", {1, 16} < {one["batch"] for one in cases})
    places = [[one[key] for key in one if key != "engines"] for one in cases]
    expect("no case twice", all(place not in places[:i] for i, place in enumerate(places)))
    for one in cases:
        factor = 5 if one["kind"] == "c2c" else 2.5
        length = one["length"]
        check_times(one, factor * length * math.log2(length) * one["batch"])


def check_filters():
    cases = records(
        "lines", "--full", "--lengths", "16,13", "--levels", "L1", "--kinds", "c2c", "--precisions", "f32",
        "--groups", "primes", "--patterns", "lanes",
    )  # fmt: skip
    names = "length", "level", "kind", "precision", "pattern"
    found = {tuple(one[name] for name in names) for one in cases}
    expect("only what is asked for", found == {(13, "L1", "c2c", "f32", "lanes")})


def check_cube():
    (cube,) = records("cube", "--shapes", "6x5x4", "--threads", "1")
    expect("the shape", (cube["shape"], cube["bytes"]) == ([6, 5, 4], 2 * 16 * 120))
    expect("one thread", cube["threads"] == 1)
    check_times(cube, 5 * 120 * math.log2(120))


def check_threads():
    # Engines without threads of their own share out a task; some libraries' may be missing.
    code, output, errors = run(
        study, "cube", "--shapes", "66x5x40", "--threads", "1,2,3", *TINY[2:], "--engines", "native,reference"
    )
    expect("exit code 0 with threads", code == 0)
    cubes = [one for one in map(json.loads, output.splitlines()) if one["study"] == "cube"]
    expect("one, two and three threads", [one["threads"] for one in cubes] == [1, 2, 3])
    for one in cubes:
        expect("both engines", set(one["engines"]) == {"native", "reference"})
    code, _, errors = run(study, *TINY, "cube", "--shapes", "66x5x40", "--threads", "2")
    expect("all engines, those without threads left out", code == 0)


def check_accuracy():
    cases = records("accuracy", "--largest", "10", "--lengths", "1,2,60,262,257")
    expect("kinds and precisions", len(cases) == 5 * 6)
    primes = {one["length"]: one["largest_prime"] for one in cases}
    expect("prime factors", primes == {1: 1, 2: 2, 60: 5, 262: 131, 257: 257})
    for one in cases:
        unit = 2.0**-53 if one["precision"] == "f64" else 2.0**-24
        for name, engine in one["engines"].items():
            expect(f"{name}: rounding errors only, at {one['length']}", engine["error"] < 8 * unit)
        if "fftw" in one["engines"] and one["length"] > 2:
            expect("FFTW beside itself", one["engines"]["fftw"]["over_fftw"] == 1)


def check_random_lengths():
    cases = records("accuracy", "--largest", "5", "--random", "1", "--kinds", "r2c")
    lengths = {one["length"] for one in cases}
    expect("all small lengths and a random one", {1, 2, 3, 4, 5} <= lengths and len(lengths) <= 6)


def check_bad_requests():
    for arguments in (
        ("--engines", "abacus"),
        ("squares",),
        ("--levels", "L9"),
        ("--quick", "--full"),
        ("cube", "--shapes", "8xeight"),
    ):
        code, _, errors = run(study, *arguments)
        expect(f"refused: {' '.join(arguments)}", code != 0 and errors)


def made_up(pattern, length, **speeds):
    return {
        "study": "lines", "group": "powers-of-two", "kind": "c2c", "precision": "f64",
        "length": length, "pattern": pattern, "distance": None, "level": "L2", "batch": 64,
        "filled": length != 32,
        "engines": {name: {"gflops": speed} for name, speed in speeds.items()},
    }  # fmt: skip


def table(*cases):
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "results.json")
        file.write_text("".join(json.dumps(one) + "\n" for one in cases))
        code, output, errors = run(sys.executable, plot, str(file))
    expect("the table's exit code", code == 0)
    print(output, errors)
    return output


def check_table():
    text = table(
        made_up("lines", 16, native=24, fftw=10, mkl=20),
        made_up("lines", 64, native=6, fftw=10, mkl=20),
        made_up("lanes-to-lines", 16, native=12, fftw=5, mkl=6),
        made_up("lines", 4096, native=1, fftw=1, mkl=1),  # not a length that is judged
        made_up("lines", 32, native=1, fftw=1, mkl=1),  # not a full level
    )
    # sqrt(2.4 * 0.6) and half of it; the better competitor; native's own 12 beside 24 on lines.
    for word in ("1.20 (1.10) ", "0.60 (1.00)*", "2.00 (2.00) ", "0.50 (0.80)*"):
        expect(f"the table has {word}", word in text)
    expect("any engines will do", "native/mkl" in table(made_up("lanes", 64, fftw=3)))


check_lines()
check_filters()
check_cube()
check_threads()
check_accuracy()
check_random_lengths()
check_bad_requests()
check_table()
finish()
