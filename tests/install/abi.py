"""Compares the binary interface of C with that of the last release, tests/install/abi/weft-c-VERSION.abi, by abidiff:
what a program compiled with that release's weft.h takes for granted has to be so. Structs that begin with struct_size
may have new members behind those of the release; functions and values of enumerations may be added.

usage: abi.py SOURCE LIBRARY [--write]
  LIBRARY: the C functions with debugging information, a shared library (target weft_c_abi)
  --write: takes the interface of LIBRARY as that of this release
"""
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as xml
from pathlib import Path

SKIPPED = 77
source, library = Path(sys.argv[1]), sys.argv[2]
folder = source / "tests" / "install" / "abi"


def described(library):
    """The functions of a library and the types of the public headers, as XML without paths and lines of files."""
    options = ["--headers-dir", source / "include", "--drop-private-types", "--exported-interfaces-only", "--no-elf-needed",
               "--no-corpus-path", "--no-comp-dir-path", "--no-show-locs", "--no-parameter-names", "--type-id-style", "hash"]
    return subprocess.run(["abidw", *options, library], check=True, capture_output=True, text=True).stdout


def without_new_members(now, release):
    """The description `now`, in which structs that carry their size end where they do in `release`."""
    sizes = {struct.get("name"): struct.get("size-in-bits") for struct in xml.fromstring(release).iter("class-decl")}
    tree = xml.fromstring(now)
    for struct in tree.iter("class-decl"):
        members = struct.findall("data-member")
        size = sizes.get(struct.get("name"))
        if not size or not members or members[0].find("var-decl").get("name") != "struct_size":
            continue
        for member in members:
            if int(member.get("layout-offset-in-bits")) >= int(size):
                struct.remove(member)
                struct.set("size-in-bits", size)
    return xml.tostring(tree, encoding="unicode")


def incompatible(now, release):
    """What abidiff says of changes that a program would notice; empty if there are none."""
    with tempfile.TemporaryDirectory() as scratch:
        old, new = Path(scratch) / "release.abi", Path(scratch) / "now.abi"
        old.write_text(release)
        new.write_text(without_new_members(now, release))
        done = subprocess.run(["abidiff", "--no-added-syms", old, new], capture_output=True, text=True)
    return "" if done.returncode == 0 else f"abidiff returns {done.returncode}\n{done.stdout}{done.stderr}"


def main():
    if not shutil.which("abidw") or not shutil.which("abidiff"):
        print("skipped: there is no abidiff; install abigail-tools")
        return SKIPPED
    now = described(library)
    if "--write" in sys.argv:
        for old in folder.glob("weft-c-*.abi"):
            old.unlink()
        folder.mkdir(exist_ok=True)
        version = re.search(r"project\(weft VERSION ([\d.]+)", (source / "CMakeLists.txt").read_text()).group(1)
        (folder / f"weft-c-{version}.abi").write_text(now)
        return 0
    (reference,) = folder.glob("weft-c-*.abi")
    release = reference.read_text()
    functions = set(re.findall(r"^\w[\w *]* \*?(weft_\w+)\(", (source / "include/weft/weft.h").read_text(), re.MULTILINE))
    there = set(re.findall(r"elf-symbol name='(\w+)'", now))
    assert functions == there, f"declared in weft.h or defined, but not both: {functions ^ there}"
    # What must be found is found, and what is allowed is not.
    size = re.search(r"name='weft_problem' size-in-bits='(\d+)'", release).group(1)
    last = re.search(r"(name='weft_problem'.*?)(</class-decl>)", release, re.DOTALL)
    for what, text, wrong in (
            ("moved", last.group().replace("layout-offset-in-bits='128'", "layout-offset-in-bits='160'"), True),
            ("shorter", last.group().replace(f"'{size}'", f"'{int(size) - 64}'"), True),
            ("longer", last.group(1).replace(f"'{size}'", f"'{int(size) + 64}'") + re.sub(
                "layout-offset-in-bits='0'", f"layout-offset-in-bits='{size}'",
                re.search(r"<data-member.*?</data-member>", last.group(), re.DOTALL).group()) + last.group(2), False)):
        changed = release.replace(last.group(), text)
        assert changed != release, what
        assert bool(incompatible(changed, release)) == wrong, f"a struct that is {what}: {incompatible(changed, release)}"
    found = incompatible(now, release)
    print(found or f"programs of {reference.name} run with this library")
    return 1 if found else 0


sys.exit(main())
