# Makes a program of the snippets in a page: a template's line `@PAGE LANGUAGE@` becomes that page's
# fenced code in that language, one block in the scope of those before it. `@PAGE LANGUAGE first@` is
# the first block alone, `@PAGE LANGUAGE rest@` those behind it.
# usage: extract.py SOURCE TEMPLATE OUTPUT
import re
import sys
import textwrap
from pathlib import Path


def blocks_of(page, language):
    text = page.read_text()
    found = re.findall(rf"^( *)```{re.escape(language)}\n(.*?)^\1```", text, re.MULTILINE | re.DOTALL)
    if not found:
        sys.exit(f"{page} has no {language}")
    return [textwrap.dedent(code) for _, code in found]


def program_of(blocks, language):
    if language == "python":
        return "\n".join(blocks)
    if language == "fortran":
        return "\nblock\n".join(blocks) + "end block\n" * (len(blocks) - 1)
    # #include belongs to the head of a file, where the template has it too.
    bare = ["".join(line for line in block.splitlines(True) if not line.startswith("#"))
            for block in blocks]
    return "\n{\n".join(bare) + "}\n" * (len(bare) - 1)


def main(source, template, output):
    def replacement(match):
        page, language, which = match.groups()
        chosen = {None: slice(None), "first": slice(1), "rest": slice(1, None)}[which]
        return program_of(blocks_of(Path(source) / page, language)[chosen], language)
    text, count = re.subn(r"^@(\S+) ([\w+]+)(?: (first|rest))?@$", replacement, Path(template).read_text(),
                          flags=re.MULTILINE)
    if count == 0:
        sys.exit(f"{template} names no page")
    Path(output).write_text(text)


main(*sys.argv[1:])
