#!/usr/bin/env python3
"""Each file of bench/results names the processor, the MPI, versions of libraries, the vectors and weft's commit.

usage: origins.py [SOURCE]

A file that a study has written since these are recorded has them itself (bench/origin.py, tools/measure/json.hpp). What
an older one is known to be of is in bench/results/origins.json, null where nobody wrote it down.
"""
import json
import re
import sys
from pathlib import Path

SOURCE = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parents[2]
sys.path += [str(SOURCE / "tests" / "cli"), str(SOURCE / "bench")]
from expectations import finish, require  # noqa: E402
from origin import FIELDS  # noqa: E402

RESULTS = SOURCE / "bench" / "results"


def documents(path):
    text = path.read_text()
    try:
        return [json.loads(text)]
    except json.JSONDecodeError:
        return [json.loads(line) for line in text.splitlines()]


def objects(value):
    """All objects within a value."""
    if isinstance(value, dict):
        yield value
        value = list(value.values())
    if isinstance(value, list):
        for one in value:
            yield from objects(one)


def origins_in(path):
    return [one for document in documents(path) for one in objects(document) if all(name in one for name in FIELDS)]


def said(path, name):
    """All values that a file has of that name."""
    return {one[name] for document in documents(path) for one in objects(document) if isinstance(one.get(name), str)}


def listed(value):
    return set(value) if isinstance(value, list) else {value} - {None}


# Whoever writes results says where they are from; these write what others have written, or are asked by one who says.
PASSED_ON = {"node_study.py", "tune_study.py", "simulated.cpp"}


def writers():
    return [path for path in [*(SOURCE / "bench").rglob("*.cpp"), *(SOURCE / "bench").glob("*.py")]
            if '"--json"' in path.read_text() and path.name not in PASSED_ON | {"origin.py"}]


require(len(writers()) >= 15, f"only {len(writers())} writers of results were found")
for path in writers():
    says = re.search(r"\b(?:add_machine|add_origin|origin|origin_of)\(", path.read_text())
    require(says, f"bench/{path.name} writes JSON without its origin: use add_origin or bench/origin.py")

known = json.loads((RESULTS / "origins.json").read_text())
require(known["why"], "origins.json does not say why something is null")
files = {path.name: path for path in RESULTS.glob("*.json") if path.name != "origins.json"}
require(len(files) >= 40, f"only {len(files)} files were found")
for name, path in sorted(files.items()):
    own = origins_in(path)
    if name not in known["files"]:
        require(own, f"{name} names no origin: write the five of bench/origin.py into it")
        for field in FIELDS:
            require(all(one[field] for one in own), f"{name}: {field} is null; measure with a build from a checkout")
        continue
    require(not own, f"{name} has its origin itself: take it out of origins.json")
    entry = known["files"][name]
    require(set(entry) == set(FIELDS), f"origins.json: {name} has {sorted(entry)}, not the five")
    for field in ("processor", "mpi"):
        require(said(path, field) <= listed(entry.get(field)) or not said(path, field),
                f"origins.json: {name} says {field} {said(path, field)}, not {entry.get(field)}")
for name in known["files"]:
    require(name in files, f"origins.json: there is no {name}")
finish()
