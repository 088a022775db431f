# The pictures of `weft explain --plot`: well-formed, and every box of every rank is in them, as
# `weft explain --rank` lists it.
# usage: plot.py WEFT
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree
from pathlib import Path

weft = sys.argv[1]
svg = "{http://www.w3.org/2000/svg}"
scratch = tempfile.TemporaryDirectory()


def explain(*arguments):
    done = subprocess.run([weft, "explain", *arguments], capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


def explained_boxes(problem, ranks):
    """The boxes of each state, `rank 1: [0:4,0:8]`, as far as a picture shows them."""
    states = []
    for rank in range(ranks):
        code, text = explain(problem, "--ranks", str(ranks), "--rank", str(rank))
        assert code == 0, text
        mine = re.findall(rf"^ +rank {rank}: (nothing|\[.*?) *(?:=.*)?$", text, re.MULTILINE)
        states = states or [[] for _ in mine]
        for state, boxes in zip(states, mine):
            for box in re.findall(r"\[[^]]*\]", boxes):
                lower = [int(bounds.split(":")[0]) for bounds in box[1:-1].split(",")]
                if not any(lower[3:]):
                    state.append(f"rank {rank}: {box}")
    return states


def drawn_boxes(problem, ranks):
    path = Path(scratch.name) / "plan.svg"
    code, text = explain(problem, "--ranks", str(ranks), "--plot", str(path))
    assert code == 0, text
    assert "problem " in text, "the plan is not printed any more"
    root = ElementTree.parse(path).getroot()
    states = []
    for state in root.findall(f".//{svg}g[@class='state']"):
        groups = state.findall(f".//{svg}g[@class='box']")
        assert all(group.findall(f"{svg}polygon") for group in groups)
        states.append([group.find(f"{svg}title").text for group in groups])
    stages = root.findall(f".//{svg}g[@class='stage']")
    assert len(stages) == len(states) - 1, (len(stages), len(states))
    return states, "\n".join(text.text for text in root.iter(f"{svg}text"))


def check(problem, ranks, *words):
    drawn, text = drawn_boxes(problem, ranks)
    expected = explained_boxes(problem, ranks)
    assert [sorted(state) for state in drawn] == [sorted(state) for state in expected], problem
    for word in words:
        assert word in text, (problem, word, text)
    print("right  ", problem)


check("c2c:f64:64", 1, "N₀ = 64", "FFT c2c along axis 0")
check("c2c:f64:64*3 in=slab(0)", 5, "B = 3", "ranks 0, 2 own nothing", "3 fields")
check("r2c:f64:16x18 out=slab(1)@10", 4, "N\u0302₁ = 10", "slab(1)@10")
check("c2c:f64:8x8 in=boxes([0:4,0:8]|[4:8,0:3][4:8,3:8]|)", 3, "rank 2 owns nothing")
check("r2c:f64:64x64x64; decomposition=pencil(2x4)", 8, "N₀/2 × N₁/4 × N₂", "in groups of 4 ranks")
check("c2c:f64:9x9x9 in=brick out=grid(1x64x1)", 64, "55 ranks own nothing")
check("c2c:f32:8x8x8x6*2 in=slab(3)", 3, "at index 0 of axes 3, b")
check("redistribute:24:8x8 in=slab(0) out=slab(1)", 2, "24-byte elements")

# Beams that hide each other in a circle are cut, but all of them are there.
ring = (
    "redistribute:8:2x2x2 out=single "
    "in=boxes([1:2,0:2,0:1]|[0:1,0:1,0:2]|[0:2,1:2,1:2]|[0:1,1:2,0:1][1:2,0:1,1:2])"
)
drawn, _ = drawn_boxes(ring, 4)
expected = explained_boxes(ring, 4)
assert [set(state) for state in drawn] == [set(state) for state in expected]
assert len(drawn[0]) > len(expected[0])

# Curves are drawn by Python.
code, text = explain("16x16x16", "--volume", "--plot", str(Path(scratch.name) / "volume.svg"))
assert code == 2 and "python3 -m weft.plot FILE.json" in text, text

code, text = explain("64x64x64", "--ranks", "65", "--plot", str(Path(scratch.name) / "many.svg"))
assert code == 2 and "65 ranks" in text and "64" in text, text
assert not (Path(scratch.name) / "many.svg").exists()
code, text = explain("64x64", "--plot", str(Path(scratch.name) / "nowhere" / "plan.svg"))
assert code == 4 and "nowhere" in text and "No such file" in text, text

# No other format of pictures.
for ending in ".png", ".gif", ".SVG", "":
    path = Path(scratch.name) / f"plan{ending}"
    code, text = explain("16x12", "--ranks", "2", "--plot", str(path))
    assert code == 2 and f"the ending '{ending}' is not .svg" in text and not path.exists(), text
