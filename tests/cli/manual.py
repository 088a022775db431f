# `weft manual`: every verb and option that help has is on its manual page and is completed by shells; every word that
# a text may have is on the page weft-problem(7), and its examples are read; the pages are right for troff, and the
# completion of each shell for that shell, where these are.
# usage: manual.py WEFT
import json
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from expectations import finish, require

weft = sys.argv[1]


def run(*command, text=None):
    return subprocess.run(command, input=text, capture_output=True, text=True)


def printed(*words):
    done = run(weft, *words)
    require(done.returncode == 0, f"weft {' '.join(words)}: {done.stderr}")
    return done.stdout


def verbs_and_options(path):
    """What help lists: names of verbs, and options of both lengths."""
    text = printed(*path, "--help")
    parts = text.split("Subcommands:")
    verbs = re.findall(r"^  ([a-z]+)(?: {2,}|$)", parts[1], re.MULTILINE) if len(parts) == 2 else []
    options = re.findall(r"^  (-.*?)(?: {2,}| [A-Z[]|$)", parts[0], re.MULTILINE)
    return verbs, sum((names.split(",") for names in options), [])


def all_paths(path=()):
    yield path
    for verb in verbs_and_options(path)[0]:
        yield from all_paths((*path, verb))


def completed_by_bash(script, words):
    """What bash offers for the last word."""
    line = " ".join(map(shlex.quote, words))
    done = run("bash", "-c", f". '{script}'; COMP_WORDS=({line}) COMP_CWORD={len(words) - 1}; _weft; "
                             'printf "%s\\n" "${COMPREPLY[@]}"')
    require(done.returncode == 0 and not done.stderr, f"bash: {done.stderr}")
    return done.stdout.splitlines() if done.stdout.strip() else []


def fish_lines(text, path):
    return [line for line in text.splitlines() if f"__weft_verb '\\''{' '.join(path)}'\\''" in line]


def zsh_case(text, path):
    return next(line for line in text.splitlines() if line.lstrip().startswith(f"'{' '.join(path)}') verbs="))


def test_names(pages, shells):
    paths = list(all_paths())
    require(len(paths) >= 16, f"only {len(paths)} verbs were found")
    count = 0
    for path in paths:
        verbs, options = verbs_and_options(path)
        page = pages[path[:1]].replace("\\-", "-")
        offered = completed_by_bash(shells["bash"], ["weft", *path, ""])
        zsh, fish = zsh_case(shells["zsh"].read_text(), path), fish_lines(shells["fish"].read_text(), path)
        for name in verbs + options:
            count += 1
            what = f"weft {' '.join(path)}: {name}"
            on_page = f"weft-{name}\\fR(1)" if name in verbs and not path else f"{name}\\fR"
            require(on_page in page, f"{what} is not on the manual page")
            require(name in offered, f"bash does not complete {what}")
            require(f"'{name}:" in zsh, f"zsh does not complete {what}")
            flag = f" -a {name} " if name in verbs else f" -{'l' if name.startswith('--') else 's'} {name.lstrip('-')} "
            require(any(flag in line for line in fish), f"fish does not complete {what}")
    require(count >= 150, f"only {count} names were found")


def test_bash(script):
    require(completed_by_bash(script, ["weft", "ex"]) == ["explain", "exchange"], "bash: verbs that begin with ex")
    require(completed_by_bash(script, ["weft", "explain", "8x8", "--ran"]) == ["--ranks", "--rank", "--ranks-per-node"],
           "bash: options behind a problem")
    require("--foreign" in completed_by_bash(script, ["weft", "wisdom", "forget", "--"]), "bash: a verb of a verb")


def refused(text):
    """The words that a refusal of this text lists, without their values."""
    done = run(weft, "explain", text, "--ranks", "2")
    require(done.returncode == 2 and "there are " in done.stderr, f"{text}: {done.stderr}")
    words = re.split(r", (?![^(]*\))", done.stderr.strip().partition("there are ")[2].partition(", each with")[0])
    return [re.match(r"[\w-]*", word)[0] for word in words]


def test_problem(page):
    """Each section has the words that a refusal lists, each with a meaning; weft reads the layouts and examples."""
    plain = re.sub(r"\\f[BIR]", "", page).replace("\\-", "-").replace("\\&", "")
    sections = dict(part.split("\n", 1) for part in re.split(r"^\.SH ", plain, flags=re.MULTILINE)[1:])
    listed = {section: dict(re.findall(r"^\.TP\n(.*)\n(.*)$", text, re.MULTILINE)) for section, text in sections.items()}
    kinds = json.loads(printed("methods", "--json"))["methods"]
    for section, least, words in (("PROBLEM", 5, refused("x2x:f64:8x8")), ("PROBLEM", 13, refused("c2c:f64:8x8 xyz=1")),
                                  ("LAYOUTS", 9, refused("c2c:f64:8x8 in=xyz")),
                                  ("CHOICE", 14, refused("c2c:f64:8x8; xyz=1")),
                                  ("EXCHANGE METHODS", 18, [method["via"] for method in kinds]),
                                  ("TILES", 14, refused("c2c:f64:8x8x8; tile=(xyz:1)"))):
        require(len(words) >= least, f"weft-problem, {section}: a refusal lists only {words}")
        found = {re.match(r"[\w-]*", word)[0]: meaning for word, meaning in listed[section].items()}
        for word in words:
            require(found.get(word), f"weft-problem, {section}: {word} is not on the page, or has no meaning")
    require({"native", "fftw", "reference"} <= set(listed["ENGINES"]), f"weft-problem: engines {listed['ENGINES']}")
    heads = {"r2r": " kinds=dct2", "redistribute": " in=slab(0) out=slab(1)"}
    texts = [f"{kind}:{'8' if kind == 'redistribute' else 'f64'}:8x8{heads.get(kind, '')}" for kind in refused("x2x:f64:8x8")]
    for layout in (layout for layout in listed["LAYOUTS"] if layout[0].isalpha()):
        end = "modes=5x5x5 out" if layout.startswith("sphere") else "in"
        texts.append(f"c2c:f64:8x8x8 {end}={layout}; ranks={2 if layout.startswith('boxes') else 8}")
    texts += [f"c2c:f64:8x8x8*{'2' if 'b' in memory else '1'} in=slab(0){memory}; ranks=2"
              for memory in listed["LAYOUTS"] if not memory[0].isalpha()]
    texts += [f"c2c:f64:64x64x64*2; ranks=2; decomposition=slab;{' pack=sender;' if tile[0] in 'PU' else ''} tile=({tile})"
              for tile in listed["TILES"]]
    texts += [f"c2c:f64:16x16x16; ranks=4; decomposition=pencil(2x2); {item}" for item in ("via[1]=alltoallv", "carrier[1]=messages")]
    examples = re.findall(r"^\.RS\n(.*)$", sections["EXAMPLES"], re.MULTILINE)
    require(len(examples) >= 5, f"weft-problem: only {len(examples)} examples")
    for text in texts + examples:
        ranks = [] if "ranks=" in text else ["--ranks", "2"]
        done = run(weft, "explain", text, *ranks)
        require(done.returncode == 0, f"weft-problem has {text}, which is refused: {done.stderr}")


# What is typed behind `weft explain 8x8`, some of what is offered for the last word, and some of what is not.
VALUES = [
    (["--in", ""], ["free", "slab(", "pencil(", "grid(", "brick", "single", "boxes(", "sphere("], ["--ranks"]),
    (["--out", "sl"], ["slab\\("], []),  # a single one is quoted for the shell
    (["--engine", ""], ["auto", "native", "fftw"], ["--pack"]),
    (["--via", "alltoall"], ["alltoall", "alltoallv", "alltoallw"], ["sendrecv"]),
    (["--via", "kway"], ["kway", "kway("], []),
    (["--pack", "s"], ["sender"], ["receiver"]),
    (["--precision", ""], ["f32", "f64"], []),
    (["--kind", "r"], ["r2c", "r2r"], ["redistribute"]),
    (["--kinds", "c2c,dct"], ["c2c,dct1", "c2c,dct4"], ["c2c,c2c"]),
    (["--effort", "m"], ["measure"], []),
    (["--decomposition", ""], ["pencil", "pencil(", "row-wise", "least-volume"], []),
    (["--machine", "summ"], ["summit", "summit-v100"], ["titan"]),
    (["--carrier", "=", "re"], ["region"], []),
    (["--carrier", "="], ["auto", "direct"], []),
    (["'8x8x8 in=sl"], ["8x8x8 in=slab("], []),
    (["'8x8x8; via=sendr"], ["8x8x8; via=sendrecv"], []),
    (["--csv", ""], [], ["--json"]),  # a file's name
    (["--ranks", "4", "--vol"], ["--volume"], []),
]


def test_values(shells):
    for typed, wanted, unwanted in VALUES:
        offered = completed_by_bash(shells["bash"], ["weft", "explain", "8x8", *typed])
        require(set(wanted) <= set(offered) and not set(unwanted) & set(offered), f"bash: {typed} gives {offered}")
    require(completed_by_bash(shells["bash"], ["weft", "explain", "--json", ""]) != [], "bash: behind a flag")
    zsh, fish = shells["zsh"].read_text(), shells["fish"].read_text()
    for option, value in (("--in", "slab("), ("--engine", "native"), ("--via", "sendrecv"), ("--machine", "titan"),
                          ("--pack", "fused"), ("--tuning", "frozen")):
        lines = re.findall(rf"^ *{option}\) values='(.*)' ;;$", zsh, re.MULTILINE)
        require(len(lines) == 1 and value in lines[0].split(), f"zsh does not complete {option} {value}")
        line = next(line for line in fish_lines(fish, ["explain"]) if f" -l {option[2:]} " in line)
        require(value.replace("(", "\\(") in re.search(r" -a '([^']*)'", line).group(1).split(), f"fish: {line}")


def test_syntax(pages, shells):
    for shell, options in (("bash", ["-n"]), ("zsh", ["-n"]), ("fish", ["--no-execute"])):
        if shutil.which(shell):
            done = run(shell, *options, str(shells[shell]))
            require(done.returncode == 0 and not done.stderr, f"{shell}: {done.stderr}")
    for path, page in pages.items():
        if shutil.which("groff"):
            done = run("groff", "-man", "-Tascii", "-ww", text=page)
            require(done.returncode == 0 and not done.stderr, f"groff, {path}: {done.stderr}")
        if shutil.which("mandoc"):
            done = run("mandoc", "-Tlint", "-W", "warning", text=page)
            # Pages have no date, so that a package is the same whenever it is built.
            told = [line for line in done.stdout.splitlines() if "missing date" not in line]
            require(not told, f"mandoc, {path}: {told}")
        require(re.search(r"^.SH EXAMPLES\n(.*\n.PP\n)?.nf\n", page, re.MULTILINE), f"{path}: no example on the page")


def test_folder(folder, pages, shells):
    share = folder / "share"
    printed("manual", "--folder", str(share))
    expected = {f"man/man1/{'-'.join(('weft', *path))}.1": page for path, page in pages.items()}
    expected["man/man7/weft-problem.7"] = expected.pop("man/man1/weft-problem.1")
    expected |= {"bash-completion/completions/weft": shells["bash"].read_text(),
                 "zsh/site-functions/_weft": shells["zsh"].read_text(),
                 "fish/vendor_completions.d/weft.fish": shells["fish"].read_text()}
    written = {str(path.relative_to(share)): path.read_text() for path in share.rglob("*") if path.is_file()}
    require(written == expected, f"--folder writes {sorted(written)}, other than what is printed or not all of it")


with tempfile.TemporaryDirectory() as name:
    folder = Path(name)
    pages = {path: printed("manual", *path) for path in [(), *((verb,) for verb in verbs_and_options(())[0])]}
    shells = {shell: folder / shell for shell in ("bash", "zsh", "fish")}
    for shell, path in shells.items():
        path.write_text(printed("manual", "--completion", shell))
    test_names(pages, shells)
    pages["problem",] = printed("manual", "problem")
    test_problem(pages["problem",])
    test_bash(shells["bash"])
    test_values(shells)
    test_syntax(pages, shells)
    test_folder(folder, pages, shells)
unknown = run(weft, "manual", "explian")
require(unknown.returncode == 2 and "there is no verb 'explian'" in unknown.stderr, f"a misspelt verb: {unknown.stderr}")
require(run(weft, "manual", "--completion", "tcsh").returncode == 2, "a shell that is not known")
finish()
