# A built site: every link to a file of it and to an anchor, and every picture, is there; links to other places are
# not followed. The reference has every class and function of the headers, all that the Python package lists, and all
# that the Fortran module makes public, with types.
# usage: links.py SITE XML SOURCE
import ast
import re
import sys
import xml.etree.ElementTree as ElementTree
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

site, xml, source = Path(sys.argv[1]).resolve(), Path(sys.argv[2]), Path(sys.argv[3])
failures = []


class Page(HTMLParser):
    """What a page links to, and the anchors that it has."""

    def __init__(self, text):
        super().__init__()
        self.links, self.anchors, self.pictures = [], set(), 0
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name == "id" or (tag == "a" and name == "name"):
                self.anchors.add(value)
            elif name in ("href", "src") and value:
                self.links.append(value)
                self.pictures += tag == "img"


def broken(path, page, pages):
    """The links of a page that lead nowhere."""
    for link in page.links:
        parts = urlsplit(link)
        if parts.scheme or parts.netloc:
            continue
        target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
        if not target.is_relative_to(site) or not target.is_file():
            yield f"{link}: there is no such file"
        elif parts.fragment and target in pages and unquote(parts.fragment) not in pages[target].anchors:
            yield f"{link}: there is no such anchor"


def documented():
    """Anchors that the reference must have, by page: what Doxygen found, what weft/__init__.py and weft.f90 list."""
    for item in ElementTree.parse(xml / "index.xml").getroot():
        kind, name = item.get("kind"), item.findtext("name")
        outer = name.rpartition("::")[0] in ("", "weft", "weft::wisdom")  # others are within classes
        if kind in ("class", "struct") and outer:
            yield "c" if name.startswith("weft_") else "cpp", item.get("refid"), name
        if kind == "namespace" and name in ("weft", "weft::wisdom", "weft::decomposition") or name == "weft.h":
            for member in item.iter("member"):
                if member.get("kind") in ("function", "enum"):
                    yield "c" if name == "weft.h" else "cpp", member.get("refid"), member.findtext("name")
    tree = ast.parse((source / "python" / "weft" / "__init__.py").read_text())
    listed = next(ast.literal_eval(node.value) for node in tree.body
                  if isinstance(node, ast.Assign) and node.targets[0].id == "__all__")
    for name in listed:
        if not name.startswith("_"):
            yield "python", f"module-weft.{name}" if name in ("fft", "wisdom") else f"weft.{name}", name
    module = (source / "fortran" / "weft.f90").read_text().split("\nmodule weft\n")[1].replace("&\n", "")
    for names in re.findall(r"only: (.*)", module):
        for name in names.split(","):
            yield "fortran", name.strip().replace("_", "-"), name.strip()


pages = {path: Page(path.read_text()) for path in sorted(site.rglob("*.html"))}
links = 0
for path, page in pages.items():
    links += len(page.links)
    failures += [f"{path.relative_to(site)}: {what}" for what in broken(path, page, pages)]
names = 0
for reference, anchor, name in documented():
    names += 1
    if anchor not in pages[site / "docs" / "api" / f"{reference}.html"].anchors:
        failures.append(f"docs/api/{reference}.md does not have {name}")
if len(pages) < 30 or links < 1000 or names < 100 or sum(page.pictures for page in pages.values()) < 10:
    failures.append(f"only {len(pages)} pages, {links} links and {names} names were found")
fortran = (site / "docs" / "api" / "fortran.html").read_text()
if fortran.count("<table") < 40 or "class(weft_plan)" not in fortran:
    failures.append("docs/api/fortran.md has no types of arguments")
nowhere = Page('<a href="index.html#nowhere"></a><a href="nowhere.html"></a><a href="index.html"></a>')
if len(list(broken(site / "docs" / "index.html", nowhere, pages))) != 2:
    failures.append("broken links are not found")
print("\n".join([*failures, f"{len(pages)} pages, {links} links, {names} names, {len(failures)} failures"]))
sys.exit(failures != [])
