"""Builds the example against the installed bgcore:  python setup.py build_ext --inplace."""

from setuptools import Extension, setup

import bgcore

if __name__ == "__main__":
    setup(name="blots", ext_modules=[Extension("blots", ["blots.c"], include_dirs=[bgcore.get_include()])])
