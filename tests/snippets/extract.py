# Makes a program of the snippets in a page: a template's line `@PAGE LANGUAGE@` becomes that page's
# fenced code in that language, one block in the scope of those before it.
# usage: extract.py SOURCE TEMPLATE OUTPUT
import re
import sys
import textwrap
from pathlib import Path


def blocks_of(page, language):
    text = page.read_text()
    found = re.findall(rf"^( *)```{language}\n(.*?)^\1```", text, re.MULTILINE | re.DOTALL)
    if not found:
        sys.exit(f"{page} has no {language}")
    return [textwrap.dedent(code) for _, code in found]


def program_of(blocks, language):
    if language == "python":
        return "\n".join(blocks)
    # #include belongs to the head of a file, where the template has it too.
    bare = ["".join(line for line in block.splitlines(True) if not line.startswith("#"))
            for block in blocks]
    return "\n{\n".join(bare) + "}\n" * (len(bare) - 1)


def main(source, template, output):
    def replacement(match):
        return program_of(blocks_of(Path(source) / match.group(1), match.group(2)), match.group(2))
    text, count = re.subn(r"^@(\S+) (\w+)@$", replacement, Path(template).read_text(),
                          flags=re.MULTILINE)
    if count == 0:
        sys.exit(f"{template} names no page")
    Path(output).write_text(text)


main(*sys.argv[1:])
