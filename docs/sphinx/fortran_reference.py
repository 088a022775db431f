"""The Fortran module `weft` as a page: its public names, types and comments, as FORD reads fortran/*.f90."""
import contextlib
import io
import re

from ford.fortran_project import Project
from ford.settings import ProjectSettings


def plain(text):
    """Without FORD's links."""
    return re.sub(r"<[^>]*>", "", str(text)).replace("character(len=*)", "character(*)")


def comment_of(*entities):
    """The first comment that one of them has."""
    for one in entities:
        if one is not None and getattr(one, "doc_list", None):
            return "\n".join(line.strip() for line in one.doc_list)
    return ""


def type_of(variable):
    """`integer(int64), pointer, dimension (:)` of an argument, a result or a component."""
    words = [plain(variable.full_type), *(["parameter"] if getattr(variable, "parameter", False) else []),
             *(word for word in variable.attribs if word.lower() not in ("public", "private"))]
    shape = plain(variable.dimension).strip()
    return ", ".join([*words, *([f"dimension{shape}"] if shape else [])])


def procedure_of(entity):
    """What FORD has of a procedure: that of an interface is within it."""
    return getattr(entity, "procedure", None) or entity


def call_of(name, procedure, passed):
    """How callers write it: `call plan%create(problem [, stat])`."""
    arguments = [one for one in procedure.args if one.name != passed]
    shown = ""
    for one in arguments:
        comma = ", " if shown else ""
        shown += f" [{comma.strip()}{' ' if comma else ''}{one.name}]" if one.optional else f"{comma}{one.name}"
    variable = f"{passed}%" if passed else ""
    call = f"{variable}{name}({shown.strip()})"
    return (f"result = {call}" if procedure.proctype.lower() == "function" else f"call {call}"), arguments


def either(variables):
    """The types that forms of one procedure take, or give, in one place."""
    return ", or ".join(f"`{one}`" for one in dict.fromkeys(map(type_of, variables)))


def table(procedures, arguments):
    """Types of arguments and of the result, of forms that are called alike."""
    rows = [(f"`{some[0].name}`", either(some),
             " ".join(filter(None, [some[0].intent, "optional" if some[0].optional else ""])) or " ")
            for some in zip(*arguments)]
    if procedures[0].proctype.lower() == "function":
        rows.append(("result", either([one.retvar for one in procedures]), " "))
    if not rows:
        return ""
    return "\n".join(["| argument | type | intent |", "|---|---|---|", *(f"| {' | '.join(row)} |" for row in rows)])


def shown(heading, forms, comment):
    """A heading, the comment, and each way to call it with the types of its arguments."""
    parts = [f"### {heading}", comment]
    alike = {}
    for name, procedure, passed in forms:
        call, arguments = call_of(name, procedure, passed)
        alike.setdefault(call, []).append((procedure, arguments))
    for call, some in alike.items():
        parts += [f"```fortran\n{call}\n```", table(*zip(*some))]
    return "\n\n".join(filter(None, parts)) + "\n"


def bindings_of(derived, types):
    """Public bound procedures of a type and of those that it extends, each with the procedures behind it."""
    seen = {"assignment(=)", "objection"}  # for the modules themselves
    while derived is not None:
        for bound in derived.boundprocs:
            if bound.permission == "public" and bound.name not in seen:
                seen.add(bound.name)
                yield bound
        base = getattr(derived, "extends", None)
        derived = types.get(getattr(base, "name", base))


def bodies(bound, specific):
    """The procedures of a binding; those of a generic one are bindings themselves."""
    for one in bound.bindings:
        one = specific.get(one, one) if isinstance(one, str) else one
        if type(one).__name__ == "FortranBoundProcedure":
            yield from bodies(one, specific)
        elif not isinstance(one, str):
            yield procedure_of(one)


def type_entry(derived, types, constructors):
    parts = [shown(derived.name, [(derived.name, one, None) for one in constructors],
                   "\n\n".join(filter(None, [comment_of(derived), comment_of(*constructors)])))]
    components = [one for one in derived.variables if one.permission == "public"]
    if components:
        rows = [f"| `{one.name}` | `{type_of(one)}` |" for one in components]
        parts.append("\n".join(["| component | type |", "|---|---|", *rows]) + "\n")
    specific = {bound.name: bound for bound in derived.boundprocs}
    for bound in bindings_of(derived, types):
        found = list(bodies(bound, specific))
        forms = [(bound.name, one, one.args[0].name) for one in found]
        parts.append(shown(f"{derived.name}%{bound.name}", forms, comment_of(bound, *found)))
    return "\n".join(parts)


def entry(module, types, name):
    """One public name of a module: a type, a procedure, a generic name or a constant."""
    def named(entities):
        return [one for one in entities if one.name.lower() == name]
    generic = [procedure_of(one) for interface in named(module.interfaces)
               for one in getattr(interface, "modprocs", [])] if named(module.interfaces) else []
    generic = [procedure_of(getattr(one, "procedure", one)) for one in generic]
    if named(module.types):
        return type_entry(named(module.types)[0], types, generic)
    if named(module.interfaces):
        return shown(name, [(name, one, None) for one in generic], comment_of(named(module.interfaces)[0], *generic))
    procedures = named([*module.subroutines, *module.functions, *module.modprocedures])
    if procedures:
        return shown(name, [(name, procedures[0], None)], comment_of(procedures[0]))
    (constant,) = named(module.variables)
    value = f" = {plain(constant.initial)}" if constant.initial else ""
    declaration = f"```fortran\n{type_of(constant)} :: {name}{value}\n```"
    return "\n\n".join([f"### {name}", declaration, comment_of(constant)]).strip() + "\n"


def read(folder):
    """The modules, by FORD, by name."""
    settings = ProjectSettings(src_dir=[folder], extensions=["f90"], docmark="", docmark_alt="", predocmark=">",
                               predocmark_alt="", display=["public"], preprocess=False, quiet=True, parallel=0)
    with contextlib.redirect_stdout(io.StringIO()):
        project = Project(settings)
        project.correlate()
    return {module.name: module for module in project.modules}


def fortran_reference(folder):
    """Markdown: a section for each module that weft.f90 takes names from."""
    modules = read(folder)
    types = {derived.name: derived for module in modules.values() for derived in module.types}
    text = re.sub(r" *&\n\s*", " ", (folder / "weft.f90").read_text())
    sections = []
    for module, names in re.findall(r"^ *use (weft_\w+), only: (.*)$", text, re.MULTILINE):
        sections.append(f"## {module.removeprefix('weft_').capitalize()}\n")
        sections += [entry(modules[module], types, name.strip()) for name in names.split(",")]
    return "\n".join(sections)
