# Spack's recipe for weft; packaging/README.md says how it is used.
from spack_repo.builtin.build_systems.cmake import CMakePackage
from spack_repo.builtin.build_systems.python import PythonExtension

from spack.package import *


class Weft(CMakePackage, PythonExtension):
    """Distributed-memory fast Fourier transforms over MPI, for C++, C, Fortran and Python."""

    license("BSD-3-Clause", checked_by="the weft authors")

    # Without an address: the sources are in a folder, which dev_path= of a spec or `spack develop` names.
    version("main")

    variant("shared", default=True, description="Build shared libraries")
    variant("cli", default=True, description="Build the command weft")
    variant("fortran", default=True, description="Build the Fortran modules")
    variant("fftw", default=True, description="Build the engine fftw")
    variant("fftw_interface", default=True, when="+fftw", description="Build the libraries that run programs for FFTW's MPI interface")
    variant("mkl", default=False, description="Build the engine mkl")
    variant("cuda", default=False, description="Compute on NVIDIA GPUs")
    variant("python", default=False, description="Build the Python package")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("fortran", type="build", when="+fortran")
    depends_on("cmake@3.25:", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("mpi@3:")
    depends_on("fmt@9:")
    depends_on("highway@1.0.3:")
    depends_on("nlohmann-json@3.11:")
    depends_on("cli11@2.1:", when="+cli")
    depends_on("fftw@3.3: precision=float,double", when="+fftw")
    depends_on("fftw@3.3: +mpi precision=float,double", when="+fftw_interface")
    depends_on("intel-oneapi-mkl", when="+mkl")
    depends_on("cuda@13.0:", when="+cuda")

    extends("python@3.9:", when="+python")
    depends_on("py-nanobind@2:", type="build", when="+python")
    depends_on("py-numpy", type=("build", "run"), when="+python")
    depends_on("py-mpi4py", type=("build", "run"), when="+python")

    def cmake_args(self):
        args = [
            self.define("WEFT_BUILD_TESTS", False),
            self.define("WEFT_BUILD_BENCH", False),
            self.define("WEFT_BUILD_EXAMPLES", False),
            self.define("WEFT_HIP", False),
            self.define("WEFT_NCCL", False),
            self.define_from_variant("BUILD_SHARED_LIBS", "shared"),
            self.define_from_variant("WEFT_BUILD_CLI", "cli"),
            self.define_from_variant("WEFT_BUILD_FORTRAN", "fortran"),
            self.define_from_variant("WEFT_WITH_FFTW", "fftw"),
            self.define("WEFT_BUILD_FFTW_INTERFACE", self.spec.satisfies("+fftw_interface")),
            self.define_from_variant("WEFT_WITH_MKL", "mkl"),
            self.define_from_variant("WEFT_CUDA", "cuda"),
            self.define_from_variant("WEFT_BUILD_PYTHON", "python"),
        ]
        if self.spec.satisfies("+python"):
            args.append(self.define("Python_EXECUTABLE", self.spec["python"].command.path))
        return args

    @run_after("install", when="+python")
    def install_python(self):
        package = join_path(python_platlib, "weft")
        with working_dir(self.build_directory):
            cmake("--install", ".", "--prefix", python_platlib, "--component", "python")
        for pattern in ("*.py", "*.pyi", "py.typed"):
            install(join_path(self.stage.source_path, "python", "weft", pattern), package)
