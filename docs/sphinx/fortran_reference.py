"""The Fortran module `weft` as a page: its public names with the declarations and comments of fortran/*.f90."""
import re

HEAD = r"^ *(?:(?:pure|impure|elemental|logical|integer|type)\b[^!\n]*)?\b(?:function|subroutine) +{}\("


def joined(text):
    """Lines that go on after `&` as one."""
    return re.sub(r" *&\n\s*", " ", text)


def comment_above(text, position):
    """The lines of `!>` right above a position."""
    lines = text[:position].split("\n")[:-1]
    kept = []
    while lines and lines[-1].strip().startswith("!>"):
        kept.insert(0, lines.pop().strip()[2:].strip())
    return "\n".join(kept)


def procedure(text, name):
    """The first line of a procedure, and what is said of it."""
    found = re.search(HEAD.format(name), text, re.MULTILINE)
    return (found.group(0) + text[found.end():].split("\n", 1)[0]).strip() if found else None, \
        comment_above(text, found.start()) if found else ""


def shown(declaration, name, comment):
    """A heading, the declaration under the name that callers use, and the comment."""
    code = ["```fortran", declaration, "```", ""] if declaration else []
    return "\n".join([f"### {name}", "", *code, *([comment] if comment else []), ""])


def bound_procedures(text, files):
    """Of a type's text, whose procedures may be in its submodules or parents: name, first line, comment."""
    for line in text.splitlines():
        found = re.match(r" *(?:procedure|generic) *:: *(\w+) => *(\w+)", line)
        if not found or found.group(1) == "objection":  # for the modules themselves
            continue
        for body in files.values():
            declaration, comment = procedure(body, found.group(2))
            if declaration:
                head = declaration.split(" result(")[0].replace(found.group(2), found.group(1))
                yield found.group(1), head, comment_above(text, text.index(line)) or comment
                break


def type_of(files, name):
    """The text of a derived type with that of the types it extends."""
    for body in files.values():
        found = re.search(rf"^( *type(?:, [^:\n]*)? :: {name}\n.*?)^ *end type", body, re.MULTILINE | re.DOTALL)
        if not found:
            continue
        base = re.search(r"extends\((\w+)\)", found.group(1).split("\n")[0])
        inherited = type_of(files, base.group(1)) if base else None
        return found.group(1) + (inherited[0] if inherited else ""), comment_above(body, found.start())
    return None


def members(text):
    """The public components of a type."""
    head = text.split("contains")[0]
    if re.search(r"^ *private *$", head, re.MULTILINE):
        return ""
    declarations = [line.strip() for line in head.splitlines()[1:] if re.match(r"[^!]*::", line)]
    return "\n".join(line for line in declarations if "private" not in line.split("::")[0])


def entry(files, home, name):
    """What is said of one public name."""
    of_type = type_of(files, name)
    if of_type:
        procedures = list(bound_procedures(of_type[0], files))
        constructor = re.search(rf"^ *interface {name}\b", home, re.MULTILINE)
        about = [of_type[1], comment_above(home, constructor.start()) if constructor else ""]
        parts = [shown(members(of_type[0]), name, "\n\n".join(filter(None, about)))]
        for bound, declaration, comment in procedures:
            parts.append(shown(declaration, f"{name}%{bound}", comment))
        return "\n".join(parts)
    declaration, comment = procedure(home, name)
    if not declaration:
        found = re.search(rf"^ *(?!public ::)[a-z][^!\n]*::[^!\n]*\b{name}\b[^\n]*|^ *interface {name}\b", home, re.MULTILINE)
        if not found:
            raise ValueError(f"weft.f90 makes {name} public, which is not found where it comes from")
        declaration = "" if "interface" in found.group(0) else found.group(0).strip()
        comment = comment_above(home, found.start())
    return shown(declaration, name, comment)


def fortran_reference(folder):
    """Markdown: a section for each module that weft.f90 takes names from."""
    files = {path.stem: joined(path.read_text()) for path in sorted(folder.glob("*.f90"))}
    homes = {re.search(r"^module (\w+)", body, re.MULTILINE).group(1): body for body in files.values()
             if re.search(r"^module \w+", body, re.MULTILINE)}
    sections = []
    for module, names in re.findall(r"^ *use (weft_\w+), only: (.*)$", files["weft"], re.MULTILINE):
        title = module.removeprefix("weft_").capitalize()
        sections.append(f"## {title}\n")
        sections += [entry(files, homes[module], name.strip()) for name in names.split(",")]
    return "\n".join(sections)
