# What `weft explain` prints fits in 80 columns, and lines that are cut say all that they said.
# usage: columns.py WEFT
import json
import subprocess
import sys

from expectations import expect, finish

weft = sys.argv[1]
LABEL = " " * 11

CASES = [
    ["256x256x256", "--ranks", "4096"],
    ["r2c:f64:64x64x64*3 in=slab(0) out=slab(1); decomposition=pencil(2x4); via=alltoallw", "--rank", "3", "--ranks", "8"],
    ["64x64x64", "--ranks", "8", "--why"],
    ["64x64x64; tile=default; space=fake(staged)", "--ranks", "4"],
    ["24x20x18", "--ranks", "2", "--program"],
    ["30x28", "--in", "boxes([0:15,0:14]|[0:15,14:28]|[15:30,0:14]|[15:30,14:28])", "--ranks", "4"],
]


def printed(*arguments):
    done = subprocess.run([weft, "explain", *arguments], capture_output=True, text=True)
    expect(f"explains {arguments}", done.returncode == 0, done.stderr)
    return done.stdout


def whole_lines(text):
    """With every line that was cut in one piece again, its gaps as single spaces."""
    lines = []
    for line in text.splitlines():
        if line.startswith(LABEL) and lines:
            lines[-1] += " " + line
        else:
            lines.append(line)
    return [" ".join(line.split()) for line in lines]


for case in CASES:
    text = printed(*case)
    # A word that is longer than a line stays whole.
    long = [line for line in text.splitlines() if len(line) > 80 and " " in line.strip()]
    expect(f"no line beyond 80 columns: {case}", not long, long)
    document = json.loads(printed(*case, "--json"))
    lines = whole_lines(text)
    for said in (document["choice"], *(stage["text"] for stage in document["stages"])):
        expect(f"it is all there: {said}", any(said in line for line in lines), text)
    for layout in document["layouts"]:
        said = layout["layout"]
        expect(f"it is all there: {said}", any(said in line for line in lines), text)
finish()
