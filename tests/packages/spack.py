# Spack's recipe, without Spack: it is run with stand-ins for Spack's names, and what it declares is compared with
# CMake's options and with the versions of docs/install.md.
# usage: spack.py SOURCE
import re
import sys
import types
from pathlib import Path

from sources import options_of

source = Path(sys.argv[1])
sys.dont_write_bytecode = True
failures = []


def expect(right, message):
    if not right:
        failures.append(message)


class Recorded:
    """What the recipe declares."""

    def __init__(self):
        self.variants, self.needs, self.defined, self.conditions = {}, [], {}, []

    def variant(self, name, default, description, when=None):
        expect(description, f"variant {name} says nothing")
        self.variants[name] = default
        self.conditions.append(when)

    def need(self, spec, type=None, when=None):
        self.needs.append(spec)
        self.conditions.append(when)


class Spec:
    """With every variant on, or off."""

    def __init__(self, on):
        self.on = on

    def satisfies(self, condition):
        self_known = condition[1:] in recorded.variants
        expect(self_known, f"the recipe asks for {condition}, which is no variant")
        return self.on

    def __getitem__(self, name):
        return types.SimpleNamespace(command=types.SimpleNamespace(path=f"/bin/{name}"))


class Package:
    def __init__(self, spec):
        self.spec = spec

    def define(self, name, value):
        recorded.defined[name] = value
        return f"-D{name}={value}"

    def define_from_variant(self, name, variant):
        expect(variant in recorded.variants, f"{name} is of {variant}, which is no variant")
        return self.define(name, self.spec.on)


recorded = Recorded()
names = {"variant": recorded.variant, "depends_on": recorded.need, "extends": recorded.need,
         "version": lambda *_, **__: None, "license": lambda *_, **__: None,
         "run_after": lambda *_, **__: lambda function: function}
spack = types.ModuleType("spack")
spack.package = types.ModuleType("spack.package")
spack.package.__dict__.update(names)
spack.package.__all__ = list(names)
systems = "spack_repo.builtin.build_systems"
modules = {"spack": spack, "spack.package": spack.package}
for name in ("spack_repo", "spack_repo.builtin", systems, f"{systems}.cmake", f"{systems}.python"):
    modules[name] = types.ModuleType(name)
modules[f"{systems}.cmake"].CMakePackage = Package
modules[f"{systems}.python"].PythonExtension = type("PythonExtension", (), {})
sys.modules.update(modules)

path = source / "packaging" / "spack" / "package.py"
scope = {}
exec(compile(path.read_text(), str(path), "exec"), scope)
for on in (True, False):
    arguments = scope["Weft"](Spec(on)).cmake_args()
    expect(not any(hasattr(scope["Weft"], name) for name in ("git", "url")), "the recipe has an address")
    expect(any("WEFT_CUDA" in argument for argument in arguments), "the recipe does not say WEFT_CUDA")

options = options_of(source)
for name in recorded.defined:
    expect(name in options, f"{name} is no option of CMake's")
for condition in recorded.conditions:
    expect(condition is None or condition[1:] in recorded.variants, f"when={condition}: there is no such variant")
expect({"fftw", "cuda", "python", "fortran"} <= set(recorded.variants), f"variants are {sorted(recorded.variants)}")

install = (source / "docs" / "install.md").read_text()
for spec, words in (("cmake", "| CMake, and Ninja or Make |"), ("fmt", "| {fmt} |"), ("cli11", "CLI11 |"),
                    ("highway", "| Highway, for SIMD |"),
                    ("nlohmann-json", "| nlohmann-json |"), ("python", "with numpy and mpi4py |"),
                    ("cuda", "([devices.md](devices.md#build)) |")):
    found = re.search(rf"{re.escape(words)} ([\d.]+) \|", install)
    expect(found, f"docs/install.md does not say a version of {spec}")
    if found:
        expect(f"{spec}@{found.group(1)}:" in recorded.needs, f"{spec} is not asked for as {found.group(1)} and later")
print("\n".join([*failures, f"{len(recorded.variants)} variants, {len(recorded.defined)} options, {len(failures)} failures"]))
sys.exit(failures != [])
