"""The sources that packages are made of: a copy, the version, and the options of CMake."""
import os
import re
import shutil


def copy_of_sources(source, folder):
    """A clean copy, as version control would have it; other tests may make and remove folders in it meanwhile."""
    for path, folders, files in os.walk(source):
        if path == str(source):
            folders[:] = [name for name in folders if not name.startswith("build") and name not in (".git", "debian", "shared")]
        folders[:] = [name for name in folders if name != "__pycache__"]
        target = folder / os.path.relpath(path, source)
        target.mkdir(parents=True, exist_ok=True)
        for name in files:
            try:
                shutil.copy2(os.path.join(path, name), target, follow_symlinks=False)
            except FileNotFoundError:
                continue
    return folder


def version_of(source):
    """As CMakeLists.txt has it."""
    return re.search(r"^project\(weft VERSION ([\d.]+)", (source / "CMakeLists.txt").read_text(), re.MULTILINE)[1]


def options_of(source):
    """The names of CMake's options."""
    cmake = "\n".join(file.read_text() for file in [source / "CMakeLists.txt", *(source / "src").rglob("*.cmake")])
    options = set(re.findall(r"^(?:option\(|set\((?=[^)]*CACHE))((?:WEFT|BUILD)_\w+)", cmake, re.MULTILINE))
    return options | set(re.findall(r"^set\((\w+) .*\n? *CACHE", cmake, re.MULTILINE)) | {"Python_EXECUTABLE"}
