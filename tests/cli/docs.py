# What docs/ says: the texts in it are understood, what it quotes is what the tool prints, and its
# pictures are those that the tool draws.
# usage: docs.py WEFT SOURCE_FOLDER
import os
import re
import shlex
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree
from pathlib import Path

from expectations import finish, require

weft, source = sys.argv[1], Path(sys.argv[2])
docs = source / "docs"


def understood(text, *options):
    done = subprocess.run([weft, "explain", text, *options], capture_output=True, text=True)
    # 3: an engine that this build lacks. What is found by measuring is understood, but not explained.
    right = done.returncode in (0, 3) or "needs the ranks" in done.stderr
    return right, f"{text}\n  {done.stderr.strip()}"


def table_cells(markdown, head):
    """The code spans in the first column of the table with that head."""
    rows = markdown.split(f"| {head} |", 1)[1].splitlines()[2:]
    for row in rows:
        if not row.startswith("|"):
            return
        yield re.findall(r"`([^`]*)`", re.split(r"(?<!\\)\|", row)[1])


def is_placeholder(text):
    return re.search(r"[A-Z]{2}", text) is not None


# Whole problems stand on lines of their own.
lines = 0
for page in (docs / "text.md", docs / "layout.md", docs / "kinds.md"):
    for line in page.read_text().splitlines():
        if re.match(r" {4}(c2c|r2c|c2r|r2r|redistribute):", line):
            lines += 1
            ranks = [] if "ranks=" in line else ["--ranks", "8"]
            require(*understood(line.strip(), *ranks))
require(lines >= 8, f"only {lines} problems were found")

text = (docs / "text.md").read_text()
examples = re.findall(r"^- [^:]*[^`:]*: `([^`]+)`$", text.split("## Examples", 1)[1].split("\n## ", 1)[0], re.MULTILINE)
require(len(examples) >= 12, f"only {len(examples)} examples were found")
for example in examples:
    require(*understood(example, "--ranks", "8"))
layouts = [*table_cells(text, "where"), *table_cells(text, "in memory")]
require(len(layouts) >= 13, f"only {len(layouts)} rows of layouts were found")
for layout in sum(layouts, []):
    if not is_placeholder(layout):
        require(*understood("c2c:f64:8x8x8*2", "--in", layout, "--ranks", "8"))
for word in sum(table_cells(text, "word"), []):
    if "=" in word and not is_placeholder(word):
        kind = "r2r" if word.startswith("kinds") else "r2c"
        axes = " axes=0,1" if word.startswith(("r2c_axis", "kinds")) else ""
        require(*understood(f"{kind}:f64:8x8x8*2{axes} {word}", "--ranks", "8"))
for items in table_cells(text, "item"):
    name = items[0].split("=")[0]
    for item in items:
        whole = item if "=" in item else f"{name}={item}"
        via = "; via=alltoallw" if whole == "pack=datatype" else ""
        ends = " in=slab(0) out=slab(0)" if whole.startswith("via[1]") else ""  # two redistributions
        require(*understood(f"c2c:f64:8x8x8*2{ends}; {whole}{via}", "--ranks", "8"))


def printed_by(*arguments):
    done = subprocess.run([weft, *arguments], capture_output=True, text=True)
    return done.stdout + done.stderr


# Each item of a choice is an option of each verb that takes a choice, and help has all its words.
choice_items = {items[0].split("=")[0] for items in table_cells(text, "item")}
require(len(choice_items) >= 11, f"only {len(choice_items)} items of a choice were found")
helps = {verb: printed_by(verb, "--help") for verb in ("explain", "predict", "verify", "bench", "tune", "ft")}
for name in sorted(choice_items):
    name = name.split("[")[0]
    for verb, lines_of_help in helps.items():
        require(re.search(rf"--{name}\b", lines_of_help), f"weft {verb} has no option --{name}")
for name in ("pack", "carrier", "effort", "tuning"):
    refusal = printed_by("explain", "8x8x8", f"--{name}", "zzzz")
    found = re.search(r"there are ([^;\n]+)", refusal)
    require(found, f"--{name} zzzz is not refused with a list of words: {refusal}")
    help_text = re.search(rf"--{name} .*?(?=\n  -|\n\n|\Z)", helps["explain"], re.DOTALL)
    for word in re.findall(r"[a-z]+", found.group(1) if found else ""):
        require(help_text and re.search(rf"\b{word}\b", help_text.group()), f"help of --{name} omits {word}")
shown = printed_by("explain", "8x8x8", "--ranks", "2", "--carrier", "messages", "--chunk", "1000")
require("carrier=messages" in shown and "chunk=1000" in shown, f"--carrier, --chunk: {shown}")

# docs/install.md has every option of CMake's and every variable that the library reads, CONTRIBUTING.md those for
# developers.
install = (docs / "install.md").read_text() + (source / "CONTRIBUTING.md").read_text()
cmake_files = [source / "CMakeLists.txt", *(source / "src").rglob("*.cmake")]
names = {name for path in cmake_files for name in re.findall(
    r"^(?:option\(|set\((?=[^)]*CACHE))((?:WEFT|BUILD)_\w+)", path.read_text(), re.MULTILINE)}
names |= {name for folder in ("src", "testing") for path in (source / folder).rglob("*.cpp")
          for name in re.findall(r'(?:getenv|variable|yes_or_no|whole_number)\("(\w+)"', path.read_text())}
require(len(names) >= 10, f"only {len(names)} options and variables were found")
for name in sorted(names):
    require(f"`{name}" in install, f"neither docs/install.md nor CONTRIBUTING.md names {name}")


def quotations(markdown):
    """The command and the lines of each ```text block: consecutive lines of what the last command
    before it prints. A command is a line of its own, indented by four spaces."""
    command, quoted = None, None
    for line in markdown.splitlines():
        if quoted is not None and line == "```":
            yield command, quoted
            quoted = None
        elif quoted is not None:
            quoted.append(line)
        elif line == "```text":
            quoted = []
        elif line.startswith("    build/bin/weft "):
            command = line.strip()


def printed(command):
    """By the tool, for the nodes that it takes for granted if no variable says otherwise."""
    variables = {name: value for name, value in os.environ.items() if name != "WEFT_RANKS_PER_NODE"}
    done = subprocess.run([weft, *shlex.split(command)[1:]], env=variables, text=True,
                          capture_output=True)
    return done.stdout.splitlines()


def is_run_of(lines, output):
    starts = range(len(output) - len(lines) + 1)
    return bool(lines) and any(output[i:i + len(lines)] == lines for i in starts)


quoted_pages = set()
for page in sorted(docs.glob("*.md")):
    for command, lines in quotations(page.read_text()):
        quoted_pages.add(page.name)
        if command is None:
            require(False, f"docs/{page.name} quotes before it names a command: {lines[:1]}")
            continue
        output = printed(command)
        require(is_run_of(lines, output), "\n".join(
            [f"docs/{page.name}, {command}: these lines are not what it prints", *lines,
             "  it prints", *output]))
require("walkthrough.md" in quoted_pages, "docs/walkthrough.md quotes nothing")
require(not is_run_of(["a", "c"], ["a", "b", "c"]) and is_run_of(["b", "c"], ["a", "b", "c"]),
       "a quotation is found where it is not, or not where it is")


# Each decision says the question, the options, what was measured and the choice, and the index has its title.
decisions = sorted((docs / "decisions").glob("[0-9]*.md"))
index = (docs / "decisions" / "index.md").read_text()
require(len(decisions) >= 30, f"only {len(decisions)} decisions were found")
for number, page in enumerate(decisions, 1):
    content = page.read_text()
    title = content.splitlines()[0].removeprefix("# ")
    require(page.name.startswith(f"{number:02}-") and title.startswith(f"{number}. "), f"{page}: number {number} is wanted")
    require(f"- [{title}]({page.name})\n" in index, f"docs/decisions/index.md does not list {page.name} as {title}")
    parts = re.findall(r"^\*\*(\w+)\.\*\*", content, re.MULTILINE)
    require(parts[:4] == ["Question", "Options", "Measured", "Choice"], f"{page} has the parts {parts}")


# A word of the glossary has one meaning.
terms = re.findall(r"^- \*\*([^*]+)\*\*: ", (docs / "glossary.md").read_text(), re.MULTILINE)
twice = {term for term in terms if terms.count(term) > 1}
require(len(terms) >= 85 and not twice, f"of {len(terms)} words of the glossary these have two lines: {twice}")

# What pages about the code name is there: files by the end of their path, types by their definition, quoted code.
MOST_TYPES = 40  # that a reader of one transform has to learn
tree = [path for folder in ("src", "include", "tests", "tools", "cli", "testing", "docs", "machines", "fortran", "python")
        for path in sorted((source / folder).rglob("*")) if path.is_file()]
paths = "\n".join(f"/{path.relative_to(source)}\n" for path in [*tree, *source.glob("*")])
headers = "\n".join(path.read_text() for path in tree if path.suffix in (".hpp", ".h"))
types_there = set(re.findall(r"^\s*(?:struct|class|enum class|using) (\w+)", headers, re.MULTILINE))
plain = (source / "testing" / "run" / "plain.cpp").read_text()
for page in (source / "ARCHITECTURE.md", docs / "walkthrough.md", docs / "glossary.md", *decisions):
    content = page.read_text()
    spans = re.findall(r"`([^`\n]+)`", re.sub(r"^```.*?^```", "", content, flags=re.MULTILINE | re.DOTALL))
    for path in {span for span in spans if re.fullmatch(r"[\w./-]+\.(?:cpp|hpp|def|py|cmake|txt|f90)", span)}:
        require(is_placeholder(path) or f"/{path}\n" in paths, f"{page.name} names {path}, which is not there")
    for code in re.findall(r"^```cpp\n(.*?)^```", content, re.MULTILINE | re.DOTALL):
        require(code in plain, f"{page.name} quotes what is not in testing/run/plain.cpp: {code}")
    if page.name in ("ARCHITECTURE.md", "walkthrough.md"):
        named = {name for span in spans for name in re.findall(r"\b[A-Z][A-Za-z]*[a-z][A-Za-z]*\b", span)} - {"CMakeLists"}
        require(named <= types_there, f"{page.name} names types that are not there: {named - types_there}")
        require(page.name != "walkthrough.md" or 20 < len(named) <= MOST_TYPES, f"the walkthrough names {len(named)} types")


# One version everywhere.
numbers = re.findall(r"^#define WEFT_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)", (source / "include/weft/version.hpp").read_text(),
                     re.MULTILINE)
project = re.search(r"project\(weft VERSION ([\d.]+)", (source / "CMakeLists.txt").read_text()).group(1)
require(".".join(numbers) == project, f"version.hpp has version {numbers}, CMakeLists.txt {project}")
for place, pattern in (("CITATION.cff", r"^version: (.+)"), ("packaging/debian/changelog", r"^weft \(([\d.]+)-"),
                       ("packaging/debian/control", r"^Package: libweft(\d.+)"), ("packaging/README.md", r"weft_([\d.]+)\.orig"),
                       ("packaging/conda/recipe.yaml", r"version: \"([\d.]+)\""), ("docs/cluster.md", r"/sw/weft/([\d.]+)"),
                       ("docs/install.md", r"weft_fft_openmpi-([\d.]+)-")):
    found = re.search(pattern, (source / place).read_text(), re.MULTILINE)
    wanted = project.rpartition(".")[0] if place.endswith("control") else project
    require(found and found.group(1) == wanted, f"{place} has version {found and found.group(1)}, CMakeLists.txt {project}")

# The first page is short, and so is each change in the list of changes.
require(len((source / "README.md").read_text().splitlines()) <= 120, "README.md has more than 120 lines")
changes = (source / "CHANGELOG.md").read_text()
versions = re.findall(r"^## (.*)", changes, re.MULTILINE)
for head in versions:
    require(re.fullmatch(r"Unreleased|[\d.]+, (unreleased|\d{4}-\d\d-\d\d)", head), f"CHANGELOG.md has the head {head}")
require(any(head.startswith(f"{project}, ") for head in versions[:2]), f"CHANGELOG.md has {versions}, CMakeLists.txt {project}")
sections = re.findall(r"^### (.*)", changes, re.MULTILINE)
require({"Added", "Fixed"} <= set(sections) <= {"Added", "Changed", "Fixed", "Removed"}, f"CHANGELOG.md has {sections}")
for change in re.findall(r"^- (.*(?:\n  .*)*)", changes, re.MULTILINE):
    require(len(change.split()) <= 25, f"more than 25 words in CHANGELOG.md: {change}")


def words(picture):
    """All that a picture says, without its geometry."""
    return [element.text for element in ElementTree.parse(picture).iter() if element.text]


with tempfile.TemporaryDirectory() as folder:
    subprocess.run(["bash", docs / "pictures" / "draw.sh", weft, folder], check=True)
    drawn = {path.name for path in Path(folder).glob("*.svg")}
    kept = {path.name for path in (docs / "pictures").glob("*.svg")} - {"layering.svg"}  # of the build's targets
    require(drawn == kept, f"docs/pictures has {kept}, draw.sh makes {drawn}")
    for name in drawn & kept:
        same = words(Path(folder) / name) == words(docs / "pictures" / name)
        require(same, f"docs/pictures/{name} is not what the tool draws; run docs/pictures/draw.sh")

finish()
