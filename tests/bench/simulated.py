#!/usr/bin/env python3
"""bench/simulated is built by the commands of bench/README.md and runs on 8 simulated ranks; never how long it takes.

usage: simulated.py SOURCE BUILD WEFT    exit code 77: SimGrid is not here
"""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1] / "cli"))
sys.path.append(str(Path(__file__).parents[2] / "bench"))
import simulated_study  # noqa: E402
from expectations import expect, finish  # noqa: E402
from origin import FIELDS  # noqa: E402

source, build, weft = map(Path, sys.argv[1:])
for program in ("smpicxx", "smpirun"):
    if not shutil.which(program):
        print(f"SimGrid is not here (there is no {program}): bench/simulated is neither built nor run")
        sys.exit(77)

# As printed, in this build instead of build/.
section = (source / "bench" / "README.md").read_text().split("## simulated_study.py", 1)[1].split("\n## ", 1)[0]
commands = re.findall(r"^    (cmake .*)$", section, re.MULTILINE)
expect("two commands build it", len(commands) == 2, commands)
for command in commands:
    here = re.sub(r"(?<![\w/])(\$PWD/)?build/", f"{build}/", command)
    done = subprocess.run(["bash", "-c", here], cwd=source, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    expect(here, done.returncode == 0, (done.stdout + done.stderr)[-3000:])

# Tree of two switches with four nodes each, described as the study describes its own.
simulated_study.PLATFORMS["fat-tree-8"] = simulated_study.Platform(
    "FAT_TREE", "2;4,2;1,4;1,1", 8, 1, 4, {"shape": "tree", "taper": 1, "leaf": 4})
results = build / "simulated" / "eight_ranks.json"
results.unlink(missing_ok=True)
simulated_study.main(["--json", str(results), "--platforms", "fat-tree-8", "--shapes", "16x16x16", "--vias",
                      "alltoallv,isend-waitall,kway(2)", "--weft", str(weft),
                      "--simulated", str(build / "simulated" / "simulated.so")])
lines = [json.loads(line) for line in results.read_text().splitlines()]
plans = [line for line in lines if "plan" in line]
expect("slabs and pencils 2x4, 4x2 by three methods", len(plans) == 9, len(plans))
for plan in plans:
    expect(plan["asked"], plan["ranks"] == 8 and plan["simulated_s"] > 0 and plan["predicted_s"] > 0, plan)
expect("the file says where it is from", set(lines[0].get("origin", {})) == set(FIELDS), lines[0])
finish()
