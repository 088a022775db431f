#!/usr/bin/env python3
"""What `weft engines` prints; never how fast anything is.

usage: engines.py WEFT
"""

import json
import os
import re
import subprocess
import sys

from expectations import expect, finish

weft = sys.argv[1]

KEYS = {
    "engine", "description", "default", "kind", "precision", "pattern", "length", "lines",
    "gflops", "estimated_gflops", "processor", "compiler",
}  # fmt: skip
PATTERNS = ["lines", "lanes", "permuting"]


def lines(*arguments):
    done = subprocess.run([weft, *arguments], capture_output=True, text=True)
    expect(f"exit code 0 of {' '.join(arguments)}", done.returncode == 0)
    return done.stdout.splitlines()


def table(*arguments):
    """The engines described, the head of the table, and its rows as words."""
    output = lines("engines", *arguments)
    expect("the verdict first", output[0].startswith("verdict    "))
    blank = output.index("")
    begin = output.index("engines, the default first") + 1
    described = [line.split()[0] for line in output[begin:blank] if line[2] != " "]
    head, *rows = (line.split() for line in output[blank + 2 :])
    return described, head, rows


built_in = [line.split()[0] for line in lines("info") if line[14:].strip().startswith("built in")]


def check_table():
    described, head, rows = table("--lengths", "8,15", "--elements", "120")
    expect("the engines of the build, the default first", described == built_in)
    expect("a column for each", head == ["pattern", "n", *built_in])
    cases = [[pattern, n] for pattern in PATTERNS for n in ("8", "15")]
    expect("a row for each pattern and length", [row[:2] for row in rows] == cases)
    expect("numbers", all(float(number) >= 0 for row in rows for number in row[2:]))
    _, _, rows = table("--elements", "8")
    expect("five lengths unless told", len(rows) == 15)


def check_why():
    output = lines("engines", "--why", "60,97", "--engine", "native")
    heads = [line for line in output if not line.startswith(" ")]
    cases = [(pattern, n) for pattern in PATTERNS for n in ("60", "97")]
    expect("a head for each pattern and length", len(heads) == len(cases))
    for (pattern, n), head in zip(cases, heads, strict=True):
        words = rf"native, {pattern}, n = {n}: \w+, vectors of \w+: .+"
        expect(f"what is taken: {head}", re.fullmatch(words, head) is not None)
    expect("reasons or a measurement", any(line.startswith("  ") for line in output))
    expect("an engine with one way", lines("engines", "--why", "60", "--engine", "reference")
           == ["none of these engines has several algorithms; give --engine native"])  # fmt: skip
    done = subprocess.run([weft, "engines", "--why", "60", "--json"], capture_output=True, text=True)
    expect("no JSON of reasons", done.returncode == 2 and "--why" in done.stderr)
    done = subprocess.run([weft, "engines", "--why", "0"], capture_output=True, text=True)
    expect("no length of 0", done.returncode == 2 and "--why 0: 1 to 2^40" in done.stderr)


def check_json():
    output = lines("engines", "--lengths", "8,15", "--elements", "120", "--precision", "f32",
                   "--json")  # fmt: skip
    records = json.loads("\n".join(output))["results"]
    cases = [(p, n, e) for p in PATTERNS for n in (8, 15) for e in built_in]
    expect("a record for each number",
           [(r["pattern"], r["length"], r["engine"]) for r in records] == cases)  # fmt: skip
    for record in records:
        name = f"{record['engine']} {record['pattern']} {record['length']}"
        expect(f"{name}: the keys", set(record) == KEYS)
        expect(f"{name}: the default", record["default"] == (record["engine"] == built_in[0]))
        expect(f"{name}: the task", (record["kind"], record["precision"]) == ("c2c", "f32"))
        expect(f"{name}: as many lines as fit", record["lines"] == 120 // record["length"])
        expect(f"{name}: rates", record["gflops"] > 0 and record["estimated_gflops"] > 0)


def check_slow_engine():
    described, _, rows = table("--lengths", "8", "--elements", "4194304", "--engine", "reference")
    expect("only the engine that is asked for", described == ["reference"])
    expect("it is not waited for", [row[-1] for row in rows] == ["-"] * 3)


def with_vectors(name):
    done = subprocess.run([weft, "engines", "--lengths", "8", "--elements", "120"],
                          env={**os.environ, "WEFT_VECTORS": name}, capture_output=True, text=True)  # fmt: skip
    return done.stdout


def check_vectors():
    refused = with_vectors("NONE")
    expect("vectors that there are not", "WEFT_VECTORS is 'NONE', but can be one of " in refused)
    names = "".join(re.findall("can be one of (.*), which", refused)).split(", ")
    for name in names:
        expect(f"vectors of {name}", f"vectors of {name}\n" in with_vectors(name))
    told = next(line for line in lines("info") if line.startswith("vectors "))
    expect("weft info names those", [one for one in told.split(None, 1)[1].split(", ")
                                     if "not here" not in one] == names)  # fmt: skip


expect("there is an engine", bool(built_in))
check_vectors()
check_table()
check_json()
check_why()
check_slow_engine()
finish()
