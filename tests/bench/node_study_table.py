#!/usr/bin/env python3
"""What bench/node_study_table.py makes of a study: ratios and what is asked of them.

usage: node_study_table.py NODE_STUDY_TABLE
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1] / "cli"))
from expectations import expect, finish  # noqa: E402

plot = sys.argv[1]


def record(problem, ranks, runner, seconds):
    both = {"median": seconds, "q1": seconds, "q3": seconds}
    return {"problem": problem, "ranks": ranks, "runner": runner, "forward_s": both, "backward_s": both}


def rows(path, *arguments):
    """The cells of each row, by problem and ranks."""
    done = subprocess.run([sys.executable, plot, *arguments, path], capture_output=True, text=True, check=True)
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in done.stdout.splitlines()[2:]]
    return {(row[0], row[1]): row[2:] for row in cells}


STUDY = [record("c2c:f64:256x256x256", 2, "weft", 1.0), record("c2c:f64:256x256x256", 2, "fftw-mpi", 4.0),
         record("c2c:f64:256x256x256", 2, "mkl-threads", 2.0), record("c2c:f64:9x9x9", 2, "weft", 1.0),
         record("c2c:f64:256x256x256", 4, "weft", 1.0)]

with tempfile.TemporaryDirectory() as folder:
    file = Path(folder) / "node.json"
    file.write_text("".join(json.dumps(one) + "\n" for one in STUDY))
    for vectors, bound in ("AVX3", "0.26"), ("AVX2", "0.38"):
        found = {place: cells[:4] for place, cells in rows(file, "--vectors", vectors).items()}
        right = {("c2c:f64:256x256x256", "2"): ["0.25, 0.25", bound, "0.50, 0.50", "1.00"],
                 ("c2c:f64:9x9x9", "2"): ["-, -", "1.00", "-, -", "1.00"],
                 ("c2c:f64:256x256x256", "4"): ["-, -", "-", "-, -", "-"]}
        for (problem, ranks), cells in right.items():
            expect(f"{vectors}: {problem} on {ranks} ranks", found[problem, ranks] == cells, found)

finish()
