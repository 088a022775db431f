"""What pages of the reference have from the sources: Python's docstrings, lists of structures, and Fortran's module."""
import os
import re
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


def without_folders(text, here):
    """Links to folders, which a site has no pages for, become their words."""
    def plain(found):
        target = found.group(2).split("#")[0]
        return found.group(1) if "://" not in target and (here / target).is_dir() else found.group(0)
    return re.sub(r"(?<!!)\[([^\[\]]*)\]\(([^)#\s]+)\)", plain, text)


def complete(app, page, text):
    """Puts what is generated in the place of `<!-- generated: NAME -->`."""
    def generate(found):
        name = found.group(1)
        if name == "fortran":
            return fortran_reference(source / "fortran")
        return other_structures(text[0], name)
    text[0] = without_folders(text[0], (source / page).parent)
    text[0] = re.sub(r"<!-- generated: (\S+) -->", generate, text[0])
