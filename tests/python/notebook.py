"""Runs a notebook, cell by cell, in a kernel of this interpreter; it is committed without outputs.

usage: notebook.py NOTEBOOK
"""

import os
import sys
import tempfile

import nbformat
from jupyter_client.manager import AsyncKernelManager
from nbclient import NotebookClient


def main(path):
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    if any(cell.outputs or cell.execution_count for cell in cells):
        sys.exit(f"{path} has outputs: commit it without")
    with tempfile.TemporaryDirectory() as folder:
        # What these programs remember is not for the files of whoever runs the tests.
        for name in ("IPYTHONDIR", "JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR",
                     "MPLCONFIGDIR"):
            os.environ[name] = folder
        kernel = AsyncKernelManager(kernel_name="python3", transport="ipc", ip=f"{folder}/kernel")
        NotebookClient(notebook, kernel, timeout=200, startup_timeout=200).execute(
            cleanup_kc=True)
    pictures = sum("image/png" in output.get("data", {}) for cell in cells for output in cell.outputs)
    print(f"{len(cells)} cells, {pictures} pictures")
    return 0 if pictures == 2 else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
