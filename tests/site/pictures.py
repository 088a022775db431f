"""Every picture of the pages can be drawn from its file in bench/results, and each figure and table of the papers from
scale_study.json. Panels have titles and labels with units, no text is printed over another, and pages name only pictures
that are drawn.

usage: pictures.py SOURCE [WEFT]     needs matplotlib

Of the command, what `python3 -m weft.plot` draws is looked at too.
"""
import re
import subprocess
import sys
import tempfile
from pathlib import Path

SOURCE = Path(sys.argv[1])
sys.path[:0] = [str(SOURCE / "bench"), str(SOURCE / "bench" / "plots"), str(SOURCE / "tests" / "cli")]
import pictures  # noqa: E402
import scale  # noqa: E402
import scale_table  # noqa: E402
from expectations import finish, require  # noqa: E402
from matplotlib.backends.backend_agg import FigureCanvasAgg  # noqa: E402
from matplotlib.text import Text  # noqa: E402


def boxes(figure):
    """All texts that are seen, each with its place in pixels, a little smaller than it is."""
    figure.set_canvas(FigureCanvasAgg(figure))
    figure.canvas.draw()
    for text in figure.findobj(Text):
        if text.get_text().strip() and text.get_visible():
            box = text.get_window_extent()
            if text.get_rotation() in (0, 90) and box.width > 2 and box.height > 2:
                yield text.get_text(), box.x0 + 1, box.y0 + 1, box.x1 - 1, box.y1 - 1


def hidden_ticks(figure):
    """Labels of ticks that lie beyond their axis are not drawn."""
    for axes in figure.axes:
        for axis in (axes.xaxis, axes.yaxis):
            low, high = sorted(axis.get_view_interval())
            for tick in axis.get_major_ticks() + axis.get_minor_ticks():
                if not low <= tick.get_loc() <= high:
                    tick.label1.set_visible(False)
                    tick.label2.set_visible(False)


def overprinted(figure):
    figure.set_canvas(FigureCanvasAgg(figure))
    figure.canvas.draw()
    hidden_ticks(figure)
    placed = sorted(boxes(figure), key=lambda one: one[1])
    for i, (text, _, bottom, right, top) in enumerate(placed):
        for other, left, other_bottom, _, other_top in placed[i + 1:]:
            if left >= right:
                break
            if bottom < other_top and other_bottom < top:
                yield text, other


def check(name, figure):
    drawn = [axes for axes in figure.axes if axes.get_label() != "<colorbar>" and axes.axison]
    require(drawn and all(axes.has_data() for axes in drawn), f"{name}: a panel is empty")
    for axes in drawn:
        for which, axis in (("x", axes.xaxis), ("y", axes.yaxis)):
            shown = axis.get_visible() and any(tick.label1.get_visible() for tick in axis.get_major_ticks())
            require(axis.get_label_text() or not shown, f"{name}: a panel has no label of its {which} axis")
        require(axes.get_title(), f"{name}: a panel has no title")
    for text, other in overprinted(figure):
        require(False, f"{name}: '{text}' and '{other}' are printed over each other")


def check_command(weft, folder):
    """What users draw of the command's JSON, by the script as they start it."""
    for name, words in (("predict", ["predict", "64x64x64", "--ranks", "2..64"]),
                        ("volume", ["explain", "64x64x64", "--volume"])):
        path = folder / f"{name}.json"
        path.write_text(subprocess.run([weft, *words, "--json"], capture_output=True, text=True, check=True).stdout)
        script = [sys.executable, SOURCE / "python" / "weft" / "plot.py"]
        subprocess.run([*script, path], check=True)
        require(path.with_suffix(".svg").read_text().count("<path") > 20, f"weft.plot: {name}.svg is empty")
        check(name, pictures.series(None)([path]))
        path.write_text("{}")
        wrong = subprocess.run([*script, path], capture_output=True, text=True, check=False)
        require(wrong.returncode == 1 and "neither" in wrong.stderr, f"weft.plot of another file: {wrong.stderr}")


for name, (_, *files) in pictures.PICTURES.items():
    require(all((pictures.RESULTS / file).exists() for file in files), f"{name}: {files} are not in bench/results")
    check(name, pictures.draw(name))
scale_lines = scale_table.read(pictures.RESULTS / "scale_study.json")
require(len(scale.figures(scale_lines)) >= 20, "figures of papers are missing in scale_study.json")
for paper, name in scale.figures(scale_lines):
    figure = scale.one_figure(scale_lines, paper, name)
    require(figure.axes and all(axes.has_data() and axes.get_title() for axes in figure.axes), f"[{paper}] {name}: a panel is empty")
if len(sys.argv) > 2:
    with tempfile.TemporaryDirectory() as folder:
        check_command(sys.argv[2], Path(folder))

pages = [*SOURCE.glob("docs/**/*.md"), *SOURCE.glob("bench/**/*.md")]
named = {name for page in pages for name in re.findall(r"<!-- picture: (\S+) -->", page.read_text())}
require(named <= set(pictures.PICTURES), f"pages name pictures that are not drawn: {named - set(pictures.PICTURES)}")
require(named == set(pictures.PICTURES), f"pictures that no page has: {set(pictures.PICTURES) - named}")
finish()
