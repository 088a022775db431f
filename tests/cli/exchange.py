#!/usr/bin/env python3
"""What `weft exchange` prints, writes and returns; never how long anything takes.

usage: exchange.py WEFT LAUNCHER...    as in exchange.py weft mpiexec -n
"""

import csv
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from expectations import expect, finish

weft, launcher = sys.argv[1], sys.argv[2:]

KEYS = {
    "method", "ranks", "bytes", "problem", "repeats", "with_barrier_s", "without_barrier_s", "ratio",
    "ratio_without_barrier", "mpi", "processor", "cores", "nodes", "compiler", "crowded",
    "versions", "vectors", "commit",
}  # fmt: skip
STATISTICS = {"median", "q1", "q3", "mean", "deviation"}
REFERENCE = "MPI_Alltoall"
ALWAYS = {"alltoallv", "alltoallw", "isend-waitall"}


def run(*command):
    """The exit code, the standard output and the standard error."""
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


def exchange(ranks, *arguments):
    return run(*launcher, str(ranks), weft, "exchange", *arguments)


def records(ranks, file, *arguments):
    code, output, errors = exchange(ranks, *arguments, "--repeat", "3", "--json", str(file))
    expect(f"exit code 0 of {' '.join(arguments)} on {ranks} ranks", code == 0)
    if code != 0:
        print(output, errors)
        return [], output, errors
    return [json.loads(line) for line in file.read_text().splitlines()], output, errors


def packs_nothing(problem, method, ranks):
    """Whether each rank's program only exchanges, and copies between its ends what it keeps."""
    for rank in range(ranks):
        code, output, _ = run(weft, "explain", f"{problem}; via={method}", "--ranks", str(ranks),
                              "--rank", str(rank), "--program")
        program = output.split("program of rank", 1)[1]
        copies = re.findall(r"stage 0 (\w+): (\w+)\+\S+ -> (\w+)\+", program)
        exchanges = program.count(": start ")
        if code != 0 or exchanges != 1 or any(copy != ("keep", "in", "out") for copy in copies):
            return False
        if "\nwork" in program or program.index(": start ") > program.find(" keep: ") > 0:
            return False
    return True


def check_record(record, cell):
    name = f"{record['method']} {cell}"
    expect(f"{name}: the keys", set(record) == KEYS)
    expect(f"{name}: repeats", record["repeats"] == 3)
    for when in "with_barrier_s", "without_barrier_s":
        seconds = record[when]
        expect(f"{name}: statistics {when}", set(seconds) == STATISTICS and
               0 < seconds["q1"] <= seconds["median"] <= seconds["q3"] and
               seconds["mean"] > 0 and seconds["deviation"] >= 0)


def check_cells(measured, ranks, sizes):
    cells = {}
    for record in measured:
        cells.setdefault((record["ranks"], record["bytes"]), []).append(record)
    expect("ranks and bytes", sorted(cells) == sorted((p, m) for p in ranks for m in sizes))
    for cell, of_cell in cells.items():
        names = [record["method"] for record in of_cell]
        expect(f"{cell}: MPI_Alltoall first, each method once",
               names[0] == REFERENCE and len(set(names)) == len(names) and ALWAYS <= set(names))
        for record in of_cell:
            check_record(record, cell)
            median = record["with_barrier_s"]["median"]
            ratio = median / of_cell[0]["with_barrier_s"]["median"]
            expect(f"{record['method']} {cell}: ratio", abs(record["ratio"] / ratio - 1) < 1e-9)


def check_measurement(folder):
    measured, output, errors = records(3, folder / "a.json", "--bytes", "0,1,24,1000", "--csv",
                                       str(folder / "a.csv"), "--spread", "--all")
    check_cells(measured, (2, 3), (0, 1, 24, 1000))
    for method in sorted(ALWAYS):
        expect(f"the table of {method}", f"{method} / {REFERENCE}" in output)
        expect(f"the spread of {method}", f"{method} on 3 ranks" in output)
    expect("a column for each number of ranks", "2 ranks   3 ranks" in output)
    lines = list(csv.DictReader((folder / "a.csv").open()))
    expect("the same in the other file", [
        (line["method"], int(line["ranks"]), int(line["bytes"])) for line in lines
    ] == [(record["method"], record["ranks"], record["bytes"]) for record in measured])
    expect("its medians", all(
        abs(float(line["with_barrier_median_s"]) / record["with_barrier_s"]["median"] - 1) < 1e-6
        for line, record in zip(lines, measured)))
    for problem in {record["problem"]: record["ranks"] for record in measured}.items():
        for method in sorted(ALWAYS):
            expect(f"{method} packs nothing of {problem[0]}", packs_nothing(problem[0], method,
                                                                           problem[1]))


def check_choices(folder):
    file = folder / "b.json"
    measured, _, _ = records(4, file, "--ranks", "4,3,64", "--bytes", "16", "--via",
                             "alltoallw,alltoallv,alltoallw")
    expect("the ranks and methods that are asked for",
           [(record["ranks"], record["method"]) for record in measured] ==
           [(ranks, name) for ranks in (4, 3) for name in (REFERENCE, "alltoallw", "alltoallv")])
    measured, _, _ = records(2, file, "--bytes", "65536", "--ranks", "2")
    expect("two ranks only", {record["ranks"] for record in measured} == {2})
    has_kway = "\n  kway" in run(weft, "info")[1]
    code, output, errors = exchange(2, "--k", "2", "--bytes", "8", "--repeat", "1")
    if has_kway:
        expect("a table by k", code == 0 and "kway(k) on 2 ranks" in output and "k = 2" in output)
    else:
        expect("no kway yet", code == 2 and "kway" in output + errors)


def check_comparison(folder):
    a, b = folder / "a.json", folder / "twice.json"
    twice = []
    for line in a.read_text().splitlines():
        record = json.loads(line)
        for seconds in record["with_barrier_s"], record["without_barrier_s"]:
            seconds["median"] *= 2
        twice.append(json.dumps({**record, "mpi": "another MPI"}))
    b.write_text("\n".join(twice) + "\n")
    code, output, _ = run(weft, "exchange", "--compare", str(a), str(b))
    tables = output.split("\n\n")
    expect("exit code 0 of --compare", code == 0)
    expect("the two libraries", "MPI" in tables[0] and "B: another MPI" in tables[0])
    expect("a table of each method", {table.split(":")[0] for table in tables[1:]} >= ALWAYS)
    for table in tables[1:]:
        rows = [line.split() for line in table.splitlines()[3:]]
        expect(f"{table.splitlines()[0]}: all is twice as long",
               len(rows) == 4 and all(set(row[1:]) == {"2.00"} for row in rows))
    alone = folder / "alone.json"
    alone.write_text(json.dumps({**json.loads(twice[0]), "ranks": 99}) + "\n")
    (folder / "empty.json").write_text("")
    (folder / "wrong.json").write_text(twice[0] + "\n{}\n")
    for code, text, other in (
        (4, "could not be read", "missing.json"),
        (2, "no measurements", "empty.json"),
        (2, "line 2", "wrong.json"),
        (2, "in common", "alone.json"),
    ):
        got, output, errors = run(weft, "exchange", "--compare", str(a), str(folder / other))
        expect(f"exit code {code} of --compare {other}", got == code and text in output + errors)


def check_bad_requests(folder):
    for ranks, code, text, *arguments in (
        (1, 2, "launch at least 2"),
        (2, 2, "only 2 ranks are launched", "--ranks", "3,4"),
        (2, 2, "--ranks 1: at least 2", "--ranks", "2,1"),
        (2, 2, "--ranks", "--ranks", "two"),
        (2, 2, "--bytes -1", "--bytes", "-1"),
        (2, 2, "0 to 2^26", "--bytes", "67108865"),
        (2, 2, "--repeat 0: at least 1", "--repeat", "0"),
        (2, 2, "--seconds 0: more than 0", "--seconds", "0"),
        (2, 2, "'pigeon' is unknown", "--via", "alltoallv,pigeon"),
        (2, 4, "could not be written", "--json", str(folder / "missing" / "a.json")),
    ):
        got, output, errors = exchange(ranks, *arguments)
        expect(f"exit code {code} of {arguments}", got == code)
        expect(f"said once: {text}", (output + errors).count(text) == 1)


with tempfile.TemporaryDirectory() as name:
    check_measurement(Path(name))
    check_choices(Path(name))
    check_comparison(Path(name))
    check_bad_requests(Path(name))
finish()
