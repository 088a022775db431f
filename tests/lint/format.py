"""clang-format on all sources. `clang-format -i` mends what it finds.
usage: format.py SOURCE"""
import subprocess
import sys
from pathlib import Path

files = [file for folder in sorted(Path(sys.argv[1]).iterdir())
         if folder.is_dir() and not folder.name.startswith((".", "build"))
         for file in sorted(folder.rglob("*")) if file.suffix in (".hpp", ".cpp", ".h", ".c")]
print(f"{len(files)} files")
assert len(files) > 500
sys.exit(subprocess.run(["clang-format", "--dry-run", "-Werror", *files]).returncode)
