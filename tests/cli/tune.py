#!/usr/bin/env python3
"""What `weft tune` prints and remembers; never how fast anything is.

usage: tune.py WEFT LAUNCHER...    as in tune.py weft mpiexec -n
"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from expectations import expect, finish

weft, launcher = sys.argv[1], sys.argv[2:]


def tune(ranks, wisdom, *arguments, variables=None):
    done = subprocess.run([*launcher, str(ranks), weft, "tune", *arguments], stdin=subprocess.DEVNULL,
                          capture_output=True, text=True,
                          env={**os.environ, **(variables or {}), "WEFT_WISDOM": str(wisdom)})
    return done.returncode, done.stdout, done.stderr


def value_of(name, output):
    lines = [line for line in output.splitlines() if line.startswith(name + " ")]
    return lines[0].split(maxsplit=1)[1] if lines else None


with tempfile.TemporaryDirectory() as folder:
    wisdom = Path(folder) / "wisdom.jsonl"
    code, out, err = tune(2, wisdom, "12x10x8", "--engine", "native", "--limit", "60")
    expect("a first tuning ends well", code == 0, err)
    expect("it says how it ended", " run" in (value_of("ended", out) or ""), out)
    expect("the winner has an interval", " to " in (value_of("winner", out) or ""), out)
    plan = value_of("plan", out) or ""
    code, out, _ = tune(2, "", "12x10x8", "--engine", "native", "--machine", "summit", "--limit", "60")
    expect("a machine is taken", code == 0 and "winner" in out, out)
    code, _, err = tune(2, "", "12x10x8", "--machine", "abacus")
    expect("an unknown one is refused", code != 0 and "abacus" in err, err)
    expect("the plan is complete", plan.startswith("c2c:f64:12x10x8") and "engine=native" in plan, out)
    expect("one entry is remembered", len(wisdom.read_text().splitlines()) == 1)

    # Times that no machine has, so that what is known is not stale, or fresh, by chance.
    entry = json.loads(wisdom.read_text())

    def remember(low, high):
        entry["evidence"]["winner"].update(seconds=low, low=low, high=high)
        wisdom.write_text(json.dumps(entry) + "\n")

    remember(1e-12, 1e6)
    code, out, err = tune(2, wisdom, "12x10x8", "--engine", "native", "--limit", "60")
    expect("what is known is taken", code == 0 and value_of("known", out) is not None, out + err)
    expect("the same plan", value_of("plan", out) == plan, out)
    expect("it is not stale", value_of("stale", out) is None, out)
    remember(1e-12, 1e-11)
    code, out, err = tune(2, wisdom, "12x10x8", "--engine", "native", "--limit", "60")
    expect("stale wisdom is told", "tune again" in (value_of("stale", out) or ""), out + err)

    code, out, err = tune(2, wisdom, "12x10x9", "--engine", "native", "--tuning", "frozen")
    expect("frozen fails where nothing is known", code != 0 and "no plan is known here" in err, out + err)
    code, out, err = tune(1, "", "8x8x8", "--limit", "1", "--quiet", ":", launcher[-1], "1", weft, "tune", "8x8x9")
    expect("ranks that disagree are told", code != 0 and "ranks disagree" in err, out + err)
    code, out, err = tune(2, "", "c2c:f64:8x8x8; ranks=5")
    expect("another number of ranks is refused", code != 0 and "ranks=5" in err, out + err)
    code, out, err = tune(1, "", "8x8x8", "--limit", "0")
    expect("a limit of 0 runs nothing", code == 0 and "nothing was run" in out, out + err)
    expect("too few runs are not kept, and that is said", "not kept as wisdom" in err and "after 0 runs" in err, err)
    code, out, err = tune(2, "", "12x10x8", "--uses", "1")
    expect("one use is worth one run", code == 0 and "in 1 uses; 1 run," in (value_of("ended", out) or ""), out + err)
    code, out, err = tune(1, "", "8x8x8", "--uses", "0")
    expect("no use is refused", code == 2 and "the uses are 0" in err, out + err)
    code, out, err = tune(1, "", "8x8x8", "--limit", "soon")
    expect("a limit that is no time is refused", code != 0 and "soon" in err, out + err)
    for weight in ["nan", "inf", "1e308", "1e-320", "-1"]:
        code, out, err = tune(1, "", "8x8x8", "--limit", "0", f"--forward={weight}")
        expect(f"a weight of {weight} is refused", code == 2, out + err)
    code, out, err = tune(1, "", "8x8x8", "--limit", "0", "--forward", "0", "--backward", "0")
    expect("no direction counts: refused", code == 2 and "not both 0" in err, out + err)
    code, out, err = tune(2, wisdom, "12x10x7", "--engine", "native", "--limit", "60", "--backward", "0")
    conditions = json.loads(wisdom.read_text().splitlines()[-1]).get("conditions", "")
    expect("a weight is a condition of what is found", code == 0 and "backward:0" in wisdom.read_text(), out + err + conditions)
    code, out, err = tune(2, folder, "12x10x6", "--engine", "native", "--limit", "60")
    expect("what cannot be kept is told", code == 0 and "is not kept" in err and folder in err, out + err)
    expect("a folder gets no lock", not os.path.exists(folder + ".lock"))

    # A processor that fastest.def does not know is learned once.
    wisdom = Path(folder) / "learned.jsonl"
    made_up = {"WEFT_PROCESSOR": "Made up"}
    code, out, err = tune(2, wisdom, "12x10x8", "--engine", "native", "--uses", "1e9", "--limit", "60", variables=made_up)
    expect("tuning on an unknown processor ends well", code == 0, out + err)
    entry = json.loads(wisdom.read_text())
    text = entry["engines"]["native"]
    expect("its letters are remembered", text.startswith("weft lines 1, Made up, ")
           and all(f"f64 lines {n} " in text for n in (8, 10, 12)), text)
    first, *rows = text.splitlines()
    told = [row[:-1] + "T" if row.startswith("f64 lines 8 ") else row for row in rows]
    entry["engines"]["native"] = "\n".join([first, *told, ""])
    wisdom.write_text(json.dumps(entry) + "\n")
    code, out, err = tune(2, wisdom, "8x12x10", "--engine", "native", "--uses", "1e9", "--limit", "60", variables=made_up)
    texts = [json.loads(line)["engines"]["native"] for line in wisdom.read_text().splitlines()]
    expect("what is remembered is not measured again", code == 0 and len(texts) == 2
           and all("f64 lines 8 T\n" in one for one in texts), out + err)
    code, out, err = tune(2, wisdom, "9x12x10", "--engine", "native", "--limit", "0", variables=made_up)
    expect("a limit of 0 measures nothing", code == 0 and "lines 9 " not in wisdom.read_text(), out + err)

finish()
