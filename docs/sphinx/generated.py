"""What pages of the reference have from the sources: Python's docstrings, lists of structures, Fortran's module,
programs of examples/, pictures of results, and what the command says of itself.
"""
import os
import re
import subprocess
import xml.etree.ElementTree as ElementTree
from pathlib import Path

from fortran_reference import fortran_reference

source = Path(__file__).resolve().parent.parent.parent


def keep_blocks(app, what, name, of, options, lines):
    """Docstrings are plain text: what is indented in them, programs and lists of arguments, stays as it is."""
    result = []
    in_block = False
    for line in lines:
        indented = line.startswith("    ")
        if indented and not in_block:
            result += ["", ".. code-block:: none", ""]
        elif line and in_block and not indented:
            result.append("")
        if line:
            in_block = indented
        result.append(line)
    lines[:] = result


def other_structures(text, prefix):
    """Directives for the classes whose names begin so and that the page does not name."""
    index = ElementTree.parse(Path(os.environ["WEFT_SITE_XML"]) / "index.xml")
    found = [(item.get("kind"), item.findtext("name")) for item in index.iter("compound")]
    wanted = [f".. doxygen{kind}:: {name}" for kind, name in found
              if kind in ("class", "struct") and name.startswith(prefix) and name.count("::") <= prefix.count("::")]
    return "\n".join(["```{eval-rst}", *(line for line in wanted if line not in text), "```"])


def help_texts():
    """Of the command that was built (WEFT_SITE_COMMAND), its help and that of each verb; nothing without one."""
    weft = os.environ.get("WEFT_SITE_COMMAND")
    if not weft:
        return ""
    folder = Path(weft).parent

    def said(*verb):
        text = subprocess.run([weft, *verb, "--help"], capture_output=True, text=True, check=True).stdout
        return text.replace(f"{folder}/", "").strip()
    whole = said()
    verbs = re.findall(r"^  ([a-z]+)(?: {2,}|$)", whole.split("Subcommands:")[1], re.MULTILINE)
    sections = [("weft", whole), *((f"weft {verb}", said(verb)) for verb in verbs)]
    return "\n".join(f"## {title}\n\n```text\n{text}\n```\n" for title, text in sections)


LANGUAGES = {".cpp": "cpp", ".c": "c", ".f90": "fortran", ".py": "python"}


def programs():
    """The programs of examples/, each to be unfolded."""
    found = sorted(path for path in (source / "examples").iterdir() if path.suffix in LANGUAGES)
    return "\n".join(f"::::{{dropdown}} {path.name}\n```{{literalinclude}} {path.name}\n"
                     f":language: {LANGUAGES[path.suffix]}\n```\n::::\n" for path in found)


def with_titles(text):
    """Links whose text is the name of a page have its title, or that of its section."""
    return re.sub(r"\[`?[\w./-]+\.md`?\]\(([\w./-]+\.md(?:#[\w-]+)?)\)", r"[](\1)", text)


def without_folders(text, here):
    """Links to folders, which a site has no pages for, become their words."""
    def plain(found):
        target = found.group(2).split("#")[0]
        return found.group(1) if "://" not in target and (here / target).is_dir() else found.group(0)
    return re.sub(r"(?<!!)\[([^\[\]]*)\]\(([^)#\s]+)\)", plain, text)


def with_pictures(text, here):
    """Lines that link to a file of results and name a picture of it become that picture, with the link below it."""
    pictures = os.environ.get("WEFT_SITE_PICTURES", "")

    def figure(found):
        path = os.path.relpath(Path(pictures) / f"{found.group(3)}.svg", here)
        return f"```{{figure}} {path}\n:alt: {found.group(1)}\n\n{found.group(1)} ([numbers]({found.group(2)}))\n```"
    return re.sub(r"^\[([^\[\]]*)\]\(([^)\s]+)\)[^\n]*<!-- picture: (\S+) -->$", figure, text, flags=re.MULTILINE)


def complete(app, page, text):
    """Puts what is generated in the place of `<!-- generated: NAME -->`."""
    def generate(found):
        name = found.group(1)
        if name == "fortran":
            return fortran_reference(source / "fortran")
        if name == "programs":
            return programs()
        if name == "command":
            return help_texts()
        return other_structures(text[0], name)
    if page == "README":  # for those who have the sources: the first page of the site is another one
        text[0] = f"---\nnosearch: true\norphan: true\n---\n\n{text[0]}"
    if page.endswith("first_steps"):
        return
    text[0] = with_titles(text[0])
    text[0] = with_pictures(text[0], (source / page).parent)
    text[0] = without_folders(text[0], (source / page).parent)
    text[0] = re.sub(r"<!-- generated: (\S+) -->", generate, text[0])
