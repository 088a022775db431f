"""What the machine has: a GPU, its driver, cuFFT, NCCL, an MPI. Sets the environment of what runs."""
import ctypes.util
import glob
import json
import os
import re
import shutil
import sys
import tempfile

from runner import word_of


def look(runner):
    """Returns what was found; `ready` says whether programs can run, `why` what is missing."""
    set_paths(runner)
    set_mpi(runner)
    runner.log.write(f"LD_LIBRARY_PATH={runner.environment['LD_LIBRARY_PATH']}\n")
    found = {"ready": False, "gpus": gpus(runner), "cores": os.cpu_count(),
             "processor": processor()}
    if not os.access(runner.weft, os.X_OK):
        return missing(runner, found, f"there is no {runner.weft}: run tests/gpu/pack where compilers are")
    version = runner.step("weft --version", [runner.weft, "--version"], seconds=20)
    if not version["ok"]:
        return missing(runner, found, needed(version["output"]))
    info = runner.step("weft info", [runner.weft, "info"], ranks=1, seconds=60)
    found["info"] = info["output"]
    if not info["ok"]:
        return missing(runner, found, "weft info fails under this MPI's launcher")
    found.update(origin(runner))
    here = re.search(rf"^  {runner.space} +(not here|staged|MPI reaches)", info["output"], re.M)
    state = here.group(1) if here else "not here"
    if state == "not here":
        why = re.search(rf"^  {runner.space} .*\n +because (.*)", info["output"], re.M)
        return missing(runner, found, why.group(1) if why else "weft does not know this device")
    found["ready"] = True
    found["mpi_reaches"] = runner.mpi_reaches = state == "MPI reaches"
    return found


def origin(runner):
    """The five things that each file of results names, as weft says them."""
    told = runner.step("weft info --json", [runner.weft, "info", "--json"], ranks=1, seconds=60)["output"]
    try:
        return json.JSONDecoder().raw_decode(told, told.index("{"))[0]["origin"]
    except (ValueError, KeyError):
        return dict.fromkeys(("mpi", "versions", "vectors", "commit"))


def missing(runner, found, why):
    found["why"] = why
    print(f"tests/gpu/run: {why}", flush=True)
    runner.log.write(f"not run: {why}\n")
    return found


def needed(output):
    """What to do about a program that does not start."""
    library = re.search(r"error while loading shared libraries: (\S+?):", output)
    for name in ("cufft", "nccl"):
        if library and name in library.group(1):
            return (f"{library.group(1)} is not here: install the CUDA toolkit of that version, or "
                    f"Python's nvidia-{name}, or set LD_LIBRARY_PATH to where it is")
    return "weft does not start: " + word_of(output)


def set_paths(runner):
    """The pack's own libraries first, then NVIDIA's and the driver where no linker knows them."""
    folders = [os.path.join(runner.source, "lib")] if packed(runner) else []
    for name, places in (("libcufft.so", toolkit_places()), ("libnccl.so", toolkit_places()),
                         ("libcufftMp.so", toolkit_places()),
                         ("libnvshmem_host.so", toolkit_places()),
                         ("libcuda.so.1", driver_places())):
        if name == "libcuda.so.1" and ctypes.util.find_library("cuda"):
            continue
        folders += [place for place in places if glob.glob(os.path.join(place, name + "*"))]
    given = runner.environment.get("LD_LIBRARY_PATH", "")
    runner.environment["LD_LIBRARY_PATH"] = os.pathsep.join(
        dict.fromkeys(folders + ([given] if given else [])))
    runner.environment["WEFT_WISDOM"] = ""


def packed(runner):
    return os.path.isdir(os.path.join(runner.source, "mpi"))


def toolkit_places():
    places = [os.path.join(os.environ[name], "lib64") for name in ("CUDA_HOME", "CUDA_PATH")
              if os.environ.get(name)]
    for pattern in ("/usr/local/cuda/lib64", "/usr/local/cuda-*/lib64", "/opt/cuda/lib64",
                    "/opt/nvidia/hpc_sdk/Linux_x86_64/*/math_libs/lib64"):
        places += sorted(glob.glob(pattern), reverse=True)
    # Wheels: nvidia/cufft/lib, from CUDA 13 on nvidia/cu13/lib; nvidia/nccl/lib;
    # nvidia/cufftmp/cu13/lib.
    for path in sys.path:
        for folder in ("*", os.path.join("*", "cu*")):
            places += sorted(glob.glob(os.path.join(path, "nvidia", folder, "lib")), reverse=True)
    return places


def driver_places():
    return ["/usr/local/nvidia/lib64", "/usr/local/nvidia/lib", "/usr/lib/x86_64-linux-gnu",
            "/usr/lib64"]


def set_mpi(runner):
    """The pack's Open MPI, told where it is now; otherwise the machine's."""
    environment = runner.environment
    environment.update({
        "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
        "OMPI_MCA_rmaps_base_oversubscribe": "1", "OMPI_MCA_hwloc_base_binding_policy": "none",
        "OMPI_MCA_osc": "^ucx", "OMPI_MCA_btl_vader_single_copy_mechanism": "none",
        "OMPI_MCA_btl_base_warn_component_unused": "0",
        "PMIX_MCA_pcompress_base_silence_warning": "1",
        "OMPI_MCA_mca_base_component_show_load_errors": "0"})
    if not packed(runner):
        for name in ("mpiexec.openmpi", "mpiexec"):
            if shutil.which(name):
                environment["WEFT_GPU_MPIEXEC"] = name
                return
        return
    prefix = os.path.join(runner.source, "mpi", "usr")
    environment.update({
        "WEFT_GPU_MPIEXEC": os.path.join(prefix, "bin", "orterun"), "OPAL_PREFIX": prefix,
        "PMIX_INSTALL_PREFIX": os.path.join(prefix, "lib", "x86_64-linux-gnu", "pmix2"),
        # One machine: no network, and no shell of another one's.
        "OMPI_MCA_pml": "ob1", "OMPI_MCA_btl": "self,vader", "OMPI_MCA_plm_rsh_agent": "sh"})


def gpus(runner):
    """What nvidia-smi says; empty without it."""
    if runner.space != "cuda" or not shutil.which("nvidia-smi"):
        return []
    names = ["name", "driver_version", "memory.total", "clocks.max.sm", "clocks.max.memory",
             "pcie.link.gen.max", "pcie.link.width.max", "compute_cap"]
    found = runner.step("nvidia-smi", ["nvidia-smi", "--query-gpu=" + ",".join(names),
                                       "--format=csv,noheader"], seconds=20)
    if not found["ok"]:
        return []
    return [dict(zip(names, [word.strip() for word in line.split(",")]))
            for line in found["output"].splitlines() if line.count(",") == len(names) - 1]


def processor():
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as lines:
            return next((line.split(":", 1)[1].strip() for line in lines
                         if line.startswith("model name")), "")
    except OSError:
        return ""


class Mps:
    """NVIDIA's service that lets processes compute on a GPU at the same time."""

    def __init__(self, runner):
        self.runner, self.state, self.folder = runner, "not asked for", None

    def start(self):
        control = shutil.which("nvidia-cuda-mps-control")
        if not control:
            self.state = "nvidia-cuda-mps-control is not here: ranks take turns on the GPU"
            return
        self.folder = tempfile.mkdtemp(prefix="weft-mps-")
        places = {"CUDA_MPS_PIPE_DIRECTORY": self.folder, "CUDA_MPS_LOG_DIRECTORY": self.folder}
        if not self.runner.step("start MPS", [control, "-d"], seconds=20, extra=places)["ok"]:
            self.state = "MPS does not start: ranks take turns on the GPU"
            return
        self.runner.environment.update(places)
        tried = self.runner.step("verify with MPS", verify(self.runner, "16x12x10"), ranks=2)
        if tried["ok"]:
            self.state = "on"
            return
        self.stop()
        self.state = "programs fail with MPS: ranks take turns on the GPU"

    def stop(self):
        if "CUDA_MPS_PIPE_DIRECTORY" not in self.runner.environment or self.folder is None:
            return
        self.runner.call(["sh", "-c", "echo quit | nvidia-cuda-mps-control"], 20, {})
        for name in ("CUDA_MPS_PIPE_DIRECTORY", "CUDA_MPS_LOG_DIRECTORY"):
            self.runner.environment.pop(name, None)
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder = None


def verify(runner, text):
    return [runner.weft, "verify", text, "--space", runner.space]


def start_mps(runner):
    mps = Mps(runner)
    if runner.space == "cuda":
        mps.start()
    return mps
