"""Builds the site of docs/ and of the headers, and treats warnings as errors.

usage: build.py FOLDER [WEFT [PYTHONPATH]]      needs doxygen, and for this Python breathe, ford, furo, matplotlib,
                                               myst-nb, numpy, sphinx and sphinx-design

WEFT is the command, whose help becomes a page. PYTHONPATH has the package of this build; the notebook of examples/ is
run with it, so that its results and pictures are on its page.
"""
import os
import shutil
import subprocess
import sys
from pathlib import Path

source = Path(__file__).resolve().parent.parent.parent
site = Path(sys.argv[1]).resolve()
work = site.with_name(site.name + ".work")
for folder in (site, work):
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)

subprocess.run([sys.executable, source / "bench" / "plots", "--all", work / "pictures"], check=True)
doxygen = (source / "docs" / "sphinx" / "Doxyfile").read_text() + f'OUTPUT_DIRECTORY = "{work}"\n'
subprocess.run(["doxygen", "-"], cwd=source, input=doxygen, text=True, check=True)
# Classes have sections of their own on their page: they are not listed with the functions as well.
for path in (work / "xml").glob("namespace*.xml"):
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join(line for line in lines if "<innerclass " not in line))
subprocess.run([sys.executable, "-m", "sphinx", "-q", "-W", "-n", "--keep-going", "-b", "html", "-d", work / "doctrees",
                "-c", source / "docs", source, site],
               env={**os.environ, "WEFT_SITE_XML": str(work / "xml"),
                    "WEFT_SITE_PICTURES": str(work / "pictures"), "WEFT_SITE_COMMAND": "".join(sys.argv[2:3]),
                    "WEFT_SITE_PYTHONPATH": "".join(sys.argv[3:4]),
                    # What the notebook's programs remember is not for the files of whoever builds.
                    **{name: str(work / "home") for name in ("IPYTHONDIR", "JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR",
                                                             "JUPYTER_RUNTIME_DIR", "MPLCONFIGDIR")},
                    "WEFT_WISDOM": "", "PYTHONDONTWRITEBYTECODE": "1"}, check=True)
