"""Builds the example against the installed bgcore:  python setup.py build_ext --inplace."""

from Cython.Build import cythonize
from setuptools import Extension, setup

import bgcore

if __name__ == "__main__":
    setup(
        name="tally",
        ext_modules=cythonize(
            [Extension("tally", ["tally.pyx"], include_dirs=[bgcore.get_include()])],
            compiler_directives={"language_level": 3, "freethreading_compatible": True},
        ),
    )
