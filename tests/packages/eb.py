# EasyBuild's recipe, where Python has EasyBuild with its recipes of others: its style, and that each package that it
# asks for is one of EasyBuild's, down to the compiler. Nothing is downloaded or built.
# usage: eb.py SOURCE SCRATCH
import shutil
import sys
from pathlib import Path

try:
    from easybuild.tools import modules
except ImportError:
    print("skipped: this Python has no easybuild")
    sys.exit(77)

# Environment modules are not needed for reading.
modules.modules_tool = lambda *_, **__: modules.NoModulesTool(testing=True)

from easybuild.framework.easyconfig.style import check_easyconfigs_style  # noqa: E402
from easybuild.framework.easyconfig.tools import parse_easyconfigs  # noqa: E402
from easybuild.tools.options import set_up_configuration  # noqa: E402
from easybuild.tools.robot import resolve_dependencies  # noqa: E402

source, scratch = Path(sys.argv[1]), Path(sys.argv[2])
shutil.rmtree(scratch, ignore_errors=True)
others = Path(sys.prefix) / "easybuild" / "easyconfigs"  # the recipes that come with EasyBuild
if not others.is_dir():
    print(f"skipped: EasyBuild's recipes are not in {others}")
    sys.exit(77)
recipe = str(next((source / "packaging" / "easybuild").glob("*.eb")))
set_up_configuration(args=[f"--robot={others}", f"--prefix={scratch}", "--module-syntax=Tcl",
                           "--allow-use-as-root-and-accept-consequences"], silent=True)
failures = []
try:
    if check_easyconfigs_style([recipe]):
        failures.append("the style is not EasyBuild's")
except Exception as error:  # pycodestyle may be missing
    print(f"the style is not looked at: {error}")
recipes, _ = parse_easyconfigs([(recipe, False)], validate=True)
order = [one["full_mod_name"] for one in resolve_dependencies(recipes, modules.modules_tool(), retain_all_deps=True)]
for name in ("GCC", "OpenMPI", "FFTW", "FFTW.MPI", "fmt", "Highway", "nlohmann_json", "CLI11", "mpi4py", "nanobind"):
    if not any(module.startswith(f"{name}/") for module in order):
        failures.append(f"weft is built without {name}")
if not order[-1].startswith("weft/"):
    failures.append(f"the last module is {order[-1]}")
print("\n".join([*failures, f"{len(order)} modules, {len(failures)} failures"]))
sys.exit(failures != [])
