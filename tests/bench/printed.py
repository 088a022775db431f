#!/usr/bin/env python3
"""The printed numbers of bench/papers: whole tables, known units and machines, problems that weft reads.

usage: printed.py SOURCE WEFT
"""

import math
import subprocess
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1] / "cli"))
from expectations import finish, require  # noqa: E402

source, weft = Path(sys.argv[1]), sys.argv[2]
sys.path.append(str(source / "bench"))
import papers  # noqa: E402

COUNTS = {"ranks", "nodes", "cores", "cores_per_node", "bytes", "n", "T", "W", "Px", "Pz", "Uy", "Uz", "Fy", "Fp", "Fu", "Fx"}
NAMES = {"grid", "brick", "machine", "method"}
UNITS = {"s", "ms", "us", "ratio", "ghz", "bytes_per_second", "flops_per_second"}
MEMBERS = {"name", "what", "machine", "problem", "decomposition", "choice", "columns", "rows", "notes"}
RELATIONS = {"about", "at least", "at most", "range", "is"}


def plans(text, ranks=64):
    """Does weft plan the text? Texts without ranks get some."""
    options = [] if "ranks=" in text else ["--ranks", str(ranks)]
    done = subprocess.run([weft, "plan", text, *options], capture_output=True, text=True, check=False)
    require(done.returncode == 0, f"weft plan '{text}': {done.stderr.strip()}")


def known(column):
    return column in COUNTS | NAMES or any(column == unit or column.endswith(f"_{unit}") for unit in UNITS)


def check_machine(where, one):
    machine = one.get("machine")
    require(machine is None or (source / "machines" / f"{machine}.json").exists(), f"{where}: no machine {machine}")


def check_values(where, record):
    """Counts are whole, times are positive, a grid has as many places as there are ranks, phases make the total."""
    for column, value in record.items():
        if column in COUNTS and value is not None:
            require(isinstance(value, int) and value > 0, f"{where}: {column} is {value}")
        elif column not in NAMES and value is not None:
            require(isinstance(value, (int, float)) and value >= 0, f"{where}: {column} is {value}")
    for column in ("grid", "brick"):
        if column in record:
            require(math.prod(map(int, record[column].split("x"))) == record["ranks"],
                   f"{where}: {column} {record[column]} for {record['ranks']} ranks")
    if {"total_s", "exchange_s", "fft_s", "copy_s"} <= record.keys():
        phases = record["exchange_s"] + record["fft_s"] + record["copy_s"]
        require(0.75 <= phases / record["total_s"] <= 1.02, f"{where}: phases of {phases} s in {record['total_s']} s")


def check_table(where, one):
    require(MEMBERS <= one.keys(), f"{where}: lacks {sorted(MEMBERS - one.keys())}")
    columns, across = one["columns"], one.get("across")
    names = columns[:1] + [across, one["cell"]] if across else columns
    require(all(map(known, names)), f"{where}: unknown columns among {names}")
    require(len(set(columns)) == len(columns), f"{where}: columns twice")
    require(one["rows"] != [], f"{where}: no rows")
    for row in one["rows"]:
        require(len(row) == len(columns), f"{where}: {len(row)} cells for {len(columns)} columns: {row}")
    records = list(papers.records(one))
    for record in records:
        check_values(where, record)
    texts = [text for text in (papers.text(one, record) for record in records) if text]
    require(one["problem"] is None or texts, f"{where}: no text")
    for text in [texts[0], texts[-1]] if across else texts:
        plans(text)


def check_claim(where, claim):
    require({"figure", "says", "value", "unit", "is", "from"} <= claim.keys(), f"{where}: lacks members")
    require(claim["from"] in ("text", "print"), f"{where}: from {claim['from']}")
    require(claim["is"] in RELATIONS, f"{where}: is {claim['is']}")
    require((claim["is"] == "range") == isinstance(claim["value"], list), f"{where}: {claim['is']} {claim['value']}")
    require(isinstance(claim["value"], str) <= (claim["is"] == "is"), f"{where}: {claim['is']} {claim['value']}")
    if "problem" in claim:
        ranks = claim.get("ranks", 64)
        choice = f"; {claim['choice']}" if "choice" in claim else ""
        plans(claim["problem"] + choice, ranks[0] if isinstance(ranks, list) else ranks)


def main():
    files = sorted(path.stem for path in papers.FOLDER.glob("*.json"))
    require({"ayala", "duy", "gholami", "schulz", "song"} <= set(files), f"only {files}")
    references = (source / "docs" / "references.md").read_text(encoding="utf-8")
    for name in files:
        one = papers.paper(name)
        require(one["source"] in references or one["source"] == name, f"{name}: no reference {one['source']}")
        for each in one["tables"]:
            check_machine(f"{name}, {each['name']}", each)
            check_table(f"{name}, {each['name']}", each)
        for claim in one["claims"]:
            check_machine(f"{name}, {claim['figure']}", claim)
            check_claim(f"{name}, {claim['figure']}: {claim['says']}", claim)
    gholami = papers.table("gholami", "Table 1, CPU")
    require(papers.text(gholami, next(papers.records(gholami))) == "r2c:f64:1024x1024x1024; ranks=128; "
           "decomposition=pencil(8x16); via=alltoallv; pack=sender; engine=fftw", "text of [gholami] Table 1")
    finish()


main()
