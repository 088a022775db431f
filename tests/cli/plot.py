# The pictures of `weft explain --plot`: well-formed, and every box of every rank is in them, as
# `weft explain --rank` lists it.
# usage: plot.py WEFT
import math
import re
import struct
import subprocess
import sys
import tempfile
import zlib
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

# --volume: a line for each decomposition, with a marker for each number of ranks and one in the key.
path = Path(scratch.name) / "volume.svg"
table = Path(scratch.name) / "volume.csv"
code, text = explain(
    "16x16x16", "--volume", "--ranks", "4,16,64", "--plot", str(path), "--csv", str(table)
)
assert code == 0, text
rows = [line.split(",") for line in table.read_text().splitlines()[1:]]
assert len(rows) == 6 + 6 + 4, rows
series = ElementTree.parse(path).getroot().findall(f".//{svg}g[@class='series']")
names = [one.find(f"{svg}title").text for one in series]
assert names == ["default", "least volume", "slab", "pencil 1xP", "pencil square", "row-wise"], names
for one, name in zip(series, names):
    counted = sum(row[1] == name for row in rows)
    assert len(one.findall(f"{svg}polygon")) == counted + 1, name
    points = [pair.split(",") for pair in one.find(f"{svg}polyline").get("points").split()]
    bytes_moved = [int(row[3]) for row in rows if row[1] == name]
    # More ranks stand further right, more bytes higher up.
    assert [float(x) for x, _ in points] == sorted(float(x) for x, _ in points), name
    heights = [-float(y) for _, y in points]
    order = sorted(range(counted), key=lambda i: bytes_moved[i])
    assert [heights[i] for i in order] == sorted(heights), name

code, text = explain("64x64x64", "--ranks", "65", "--plot", str(Path(scratch.name) / "many.svg"))
assert code == 2 and "65 ranks" in text and "64" in text, text
assert not (Path(scratch.name) / "many.svg").exists()
code, text = explain("64x64", "--plot", str(Path(scratch.name) / "nowhere" / "plan.svg"))
assert code == 4 and "nowhere" in text and "No such file" in text, text


def drawn_as(ending):
    """The exit code, what is said, and the bytes of the file, if there is one."""
    path = Path(scratch.name) / f"plan{ending}"
    path.unlink(missing_ok=True)
    code, text = explain("16x12", "--ranks", "2", "--plot", str(path))
    return code, text, path.read_bytes() if path.exists() else b""


def check_png(data, width, height):
    """Twice the size of the picture, and not of one colour."""
    assert data[:8] == b"\x89PNG\r\n\x1a\n" and data[12:16] == b"IHDR", data[:16]
    size = struct.unpack(">II", data[16:24])
    assert size == (math.ceil(2 * width), math.ceil(2 * height)), (size, width, height)
    pixels, at = b"", 8
    while at < len(data):
        (length,) = struct.unpack(">I", data[at:at + 4])
        if data[at + 4:at + 8] == b"IDAT":
            pixels += data[at + 8:at + 8 + length]
        at += 12 + length
    assert len(set(zlib.decompress(pixels))) > 20


# The ending of the file's name says the format.
code, text, picture = drawn_as(".svg")
assert code == 0, text
root = ElementTree.fromstring(picture)
code, text, png = drawn_as(".png")
pdf_code, pdf_text, pdf = drawn_as(".pdf")
if ".png" in explain("--help")[1]:
    assert code == 0 and pdf_code == 0, text + pdf_text
    check_png(png, float(root.get("width")), float(root.get("height")))
    assert pdf.startswith(b"%PDF-1.") and b"%%EOF" in pdf[-16:], pdf[:16]
else:
    for one_code, one_text, data in (code, text, png), (pdf_code, pdf_text, pdf):
        assert one_code == 3 and "built without librsvg" in one_text and not data, one_text
    assert "writes .svg; built without librsvg, .png is not available" in text, text
for ending in ".gif", ".SVG", "":
    code, text, data = drawn_as(ending)
    assert code == 2 and f"the ending '{ending}'" in text and not data, text
code, text = explain("16x16x16", "--volume", "--ranks", "4", "--plot", str(Path(scratch.name) / "a.jpg"))
assert code == 2 and "'.jpg'" in text, text
