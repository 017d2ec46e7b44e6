# A recipe for Spack: put it into a repository of yours as packages/banyan/package.py.
from spack.package import *


class Banyan(CMakePackage):
    """Designs, routes, proves and simulates the networks of HPC and AI machines."""

    homepage = "https://example.invalid/banyan"
    git = "https://example.invalid/banyan.git"
    license("Apache-2.0")

    version("main", branch="main")

    variant("mpi", default=True, description="Studies and simulations by several processes")
    variant("python", default=True, description="The Python module")
    variant("clp", default=True, description="Linear programs: optima and oblivious ratios")
    variant("explorer", default=True, description="The server of 'banyan serve'")
    variant("cuda", default=False, description="Samples of loads on GPUs")

    depends_on("cxx", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("esbuild", type="build")
    depends_on("fmt")
    depends_on("cli11")
    depends_on("nlohmann-json")
    depends_on("expat")
    depends_on("tomlplusplus")
    depends_on("sqlite")
    depends_on("cpp-httplib", when="+explorer")
    depends_on("clp", when="+clp")
    depends_on("mpi", when="+mpi")
    depends_on("cuda", type="build", when="+cuda")
    extends("python@3.9:", when="+python")
    depends_on("py-pybind11", type="build", when="+python")
    depends_on("py-numpy", type=("build", "run"), when="+python")

    build_targets = ["installed"]

    def cmake_args(self):
        args = [
            self.define_from_variant("BANYAN_MPI", "mpi"),
            self.define_from_variant("BANYAN_PYTHON", "python"),
            self.define_from_variant("BANYAN_CLP", "clp"),
            self.define_from_variant("BANYAN_EXPLORER", "explorer"),
            self.define_from_variant("BANYAN_GPU", "cuda"),
            self.define("BANYAN_OPENSM", False),
        ]
        if self.spec.satisfies("+python"):
            args.append(self.define("BANYAN_PYTHON_EXECUTABLE", self.spec["python"].command.path))
        return args

    def setup_run_environment(self, env):
        if self.spec.satisfies("+python"):
            env.prepend_path("PYTHONPATH", self.prefix.lib.python3.join("dist-packages"))
