# Sphinx: the pages of docs/ and of the top folder as a site (docs/sphinx/build.py builds it). The source folder is the
# top one, so that links between pages are those that readers of the sources follow.
import os
import re
import sys
from pathlib import Path

source = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(source / "python"), str(source / "docs" / "sphinx")]

import generated  # noqa: E402: it lies in the folder above

project = "weft"
version = re.search(r"project\(weft VERSION ([\d.]+)", (source / "CMakeLists.txt").read_text()).group(1)
release = version
author = copyright = "the authors of weft"

extensions = ["myst_nb", "sphinx_design", "breathe", "sphinx.ext.autodoc"]
root_doc = "docs/index"
include_patterns = ["docs/**", "README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md",
                    "SECURITY.md", "RELEASING.md", "packaging/README.md", "examples/README.md", "examples/first_steps.ipynb",
                    "bench/README.md", "bench/results/README.md", "bench/cluster/README.md"]
exclude_patterns = ["docs/pictures", "docs/sphinx"]
source_suffix = {".md": "myst-nb", ".ipynb": "myst-nb"}
# The notebook is run if the package is built; kernels inherit the environment.
nb_execution_mode = "off"
if os.environ.get("WEFT_SITE_PYTHONPATH"):
    nb_execution_mode = "force"
    os.environ["PYTHONPATH"] = os.environ["WEFT_SITE_PYTHONPATH"]
nb_execution_raise_on_error = True
nb_merge_streams = True
html_theme = "furo"
html_title = f"weft {version}"
smartquotes = False
html_copy_source = False
html_show_sphinx = False
html_show_copyright = False
html_extra_path = ["sphinx/extra"]  # index.html, which leads to the first page

# Headings have anchors of the names that links in the sources use.
myst_heading_anchors = 4
myst_enable_extensions = ["colon_fence", "dollarmath"]
nitpicky = True

# The headers, as Doxygen reads them (docs/sphinx/Doxyfile).
breathe_projects = {"weft": os.environ.get("WEFT_SITE_XML", "")}
breathe_default_project = "weft"
breathe_domain_by_extension = {"hpp": "cpp", "h": "c"}
breathe_default_members = ("members", "undoc-members")
breathe_show_include = False

# The extension module and MPI are not there where pages are built.
autodoc_mock_imports = ["weft._weft", "weft.loaded", "weft.built", "mpi4py", "h5py"]
autodoc_typehints = "signature"
autodoc_member_order = "bysource"
autodoc_preserve_defaults = True

# Names in declarations are of the languages, of MPI and of numpy as often as ours.
nitpick_ignore_regex = [
    (r"(c|cpp):.*", r".*"),
    (r"py:.*", r"(?!weft\.).*|weft\.[a-z0-9_]+\.[A-Z_]\w*"),
]
suppress_warnings = ["misc.highlighting_failure"]  # code that leaves something out, with `..`


def setup(app):
    app.connect("autodoc-process-docstring", generated.keep_blocks)
    app.connect("source-read", generated.complete)
