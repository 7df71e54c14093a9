"""Builds every ``src/bgcore/**/*.pyx``; the module's name is its path.  All else is in pyproject.toml.

Compiler directives stand in the one table below, never in a file's head (a comment there would beat the checked
build).  C files and objects go to ``build/<mode>/``, so builds of different modes never mix:

* release  the default
* BGCORE_DEBUG=1     every check of Cython on, C asserts on, -O1 -g
* BGCORE_SANITIZE=1  AddressSanitizer and UBSan of gcc, reports name .pyx lines (see ci/sanitize)
* BGCORE_WERROR=1    beside any of them: a C warning is an error (CI sets it)
"""

import os
import subprocess
import sys
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

DEBUG = os.environ.get("BGCORE_DEBUG", "0") not in ("", "0")
SANITIZE = os.environ.get("BGCORE_SANITIZE", "0") not in ("", "0")
WERROR = os.environ.get("BGCORE_WERROR", "0") not in ("", "0")
MODE = "-".join(name for name, on in (("debug", DEBUG), ("sanitize", SANITIZE)) if on) or "release"
BUILD = Path("build") / MODE
SHARED = "bgcore._cyutility"  # Cython's memoryview and conversion code, once for all modules

DIRECTIVES = {
    "language_level": 3,
    "binding": True,
    "embedsignature": True,
    "embedsignature.format": "python",
    "freethreading_compatible": True,
    "cdivision": True,  # C's meaning of / and %, in every build; UBSan sees a division by zero
    "wraparound": False,  # no negative indices, in every build: with boundscheck on they are errors
    "boundscheck": DEBUG,
    "initializedcheck": DEBUG,
    "nonecheck": DEBUG,
    "overflowcheck": False,  # the packed board relies on unsigned arithmetic
}

MACROS = [("NPY_NO_DEPRECATED_API", "NPY_2_0_API_VERSION")]
if DEBUG:
    MACROS.append(("BGCORE_DEBUG", "1"))
else:
    MACROS.append(("CYTHON_WITHOUT_ASSERTIONS", "1"))

# Bit-identical floats on every CPU need -ffp-contract=off (MSVC: /fp:precise).
UNIX_FLAGS = ["-O1", "-g", "-UNDEBUG"] if DEBUG or SANITIZE else ["-O3"]
UNIX_FLAGS += [
    "-ffp-contract=off",
    "-Wall",
    "-Wextra",
    # Each of these is code that Cython writes and we can't change:
    "-Wno-unused-parameter",  # self and args of generated wrappers
    "-Wno-missing-field-initializers",  # PyMethodDef and PyModuleDef tables
    "-Wno-cast-function-type",  # PyCFunction casts
    "-Wno-unused-function",  # utility code that a module turns out not to need
    "-Wno-unused-variable",  # temporaries of asserts, which the release build drops
]
MSVC_FLAGS = ["/O2", "/fp:precise", "/W3"]
LINK_FLAGS = []
if SANITIZE:
    FLAGS = ["-fsanitize=address,undefined", "-fno-omit-frame-pointer", "-fno-sanitize-recover=undefined"]
    UNIX_FLAGS += FLAGS
    LINK_FLAGS += FLAGS[:1]
if WERROR:
    UNIX_FLAGS.append("-Werror")
    MSVC_FLAGS.append("/WX")


def extensions():
    """One Extension for each .pyx under src/, and the shared one, whose source is written at build time."""
    src = Path("src")
    headers = sorted(str(p) for pattern in ("*.h", "*.pxd") for p in src.rglob(pattern))
    return [
        Extension(".".join(path.relative_to(src).with_suffix("").parts), [path.as_posix()], depends=headers)
        for path in sorted(src.rglob("*.pyx"))
    ] + [Extension(SHARED, [])]


class BuildExt(build_ext):
    """Cythonizes only when something is compiled, in parallel; so the sdist lists .pyx files and never .c files."""

    def finalize_options(self):  # noqa: D102
        super().finalize_options()
        if self.parallel is None:
            self.parallel = os.cpu_count()

    def run(self):  # noqa: D102
        self.inplace_of_other_mode()
        super().run()

    def inplace_of_other_mode(self):
        """In-place .so files carry no mode: start anew when the last in-place build was of another one."""
        if self.inplace:
            stamp = Path("build") / "inplace-mode"
            if not stamp.exists() or stamp.read_text() != MODE:
                self.force = True
                stamp.parent.mkdir(exist_ok=True)
                stamp.write_text(MODE)

    def build_extensions(self):  # noqa: D102
        import numpy
        from Cython.Build import cythonize

        ours = [module for module in self.extensions if module.name != SHARED]
        written = cythonize(
            ours,
            build_dir=str(BUILD / "cython"),
            include_path=["src"],
            compiler_directives=DIRECTIVES,
            shared_utility_qualified_name=SHARED,
            emit_linenums=DEBUG or SANITIZE,
            nthreads=os.cpu_count(),
            force=self.force,
        )
        sources = {module.name: module.sources for module in written} | {SHARED: [self.shared_module()]}
        msvc = self.compiler.compiler_type == "msvc"
        for module in self.extensions:
            module.sources = sources[module.name]
            module.include_dirs += [numpy.get_include(), "src/bgcore/include", "src/bgcore/core"]
            module.define_macros += MACROS
            module.extra_compile_args += MSVC_FLAGS if msvc else UNIX_FLAGS
            module.extra_link_args += [] if msvc else LINK_FLAGS
        super().build_extensions()

    def shared_module(self):
        """Write the C file of the shared utility module and return its path."""
        path = BUILD / "cython" / "_cyutility.c"
        if self.force or not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            command = ["-m", "cython", "-3", "-X", "freethreading_compatible=True", f"--generate-shared={path}"]
            subprocess.run([sys.executable, *command], check=True)
        return path.as_posix()


if __name__ == "__main__":
    setup(
        ext_modules=extensions(),
        cmdclass={"build_ext": BuildExt},
        options={"build": {"build_base": str(BUILD)}},
    )
