# The single entry for people.  Every word only calls a script in ci/, which does its own set-up.
.DEFAULT_GOAL := help
.PHONY: help demo test test-long sanitize lint docs format dev wheel-x86_64 wheel-aarch64 bench budget peers clean

help:            ## this list
	@sed -n 's/^\([a-z0-9_-]*\):[^#]*## /\1\t/p' Makefile | expand -t 16

demo:            ## build, then see bgcore at work (under 2 minutes)
	ci/demo

test:            ## quick tests against the installed wheel (under 10 minutes)
	ci/test

lint:            ## ruff, cython-lint, mypy, stubtest, layers, shellcheck
	ci/lint

docs:            ## the documentation as a site, in build/docs
	ci/docs

format:          ## let ruff put the Python files into shape
	ci/format

dev:             ## build the modules in place, for work on them
	ci/dev

test-long:       ## everything that takes minutes (under 3 hours)
	ci/test-long

sanitize:        ## the tests under AddressSanitizer and UBSan
	ci/sanitize

wheel-x86_64:    ## a manylinux wheel in dist/, tested in an empty environment
	ci/wheel-x86_64

wheel-aarch64:   ## manylinux wheels of arm64, built here and tested under emulation (under 30 minutes)
	ci/wheel-aarch64

bench:           ## benchmarks/, one run
	ci/bench

budget:          ## what six workloads cost in instructions, compared with what they may
	ci/budget

peers:           ## the same rolls asked of other engines from PyPI
	benchmarks/peers/run

clean:           ## remove builds and environments
	rm -rf build dist .venv-ci* src/*.egg-info
	find src -name '*.so' -delete
