"""Where a result is from: the five things that each file of bench/results names."""

import json
import subprocess

FIELDS = ("processor", "mpi", "versions", "vectors", "commit")


def origin(weft="build/bin/weft"):
    """Of this machine and that build, as the studies in C++ write them (tools/measure/json.hpp); null where an older
    build does not say it."""
    told = subprocess.run([str(weft), "info", "--json"], check=True, capture_output=True, text=True).stdout
    return json.loads(told).get("origin") or dict.fromkeys(FIELDS)


def origin_of(record):
    """The five of a record that a program of weft has printed; null where an older one lacks them."""
    return {name: record.get(name) for name in FIELDS}
