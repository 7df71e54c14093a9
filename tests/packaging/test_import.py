"""What importing bgcore does and leaves undone."""

from __future__ import annotations

import subprocess
import sys
import sysconfig

import pytest

FREE_THREADED = bool(sysconfig.get_config_var("Py_GIL_DISABLED"))


def python(code: str, *options: str) -> str:
    """Run code in a new interpreter and return what it printed."""
    result = subprocess.run([sys.executable, *options, "-c", code], capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    return result.stdout.strip()


@pytest.mark.subprocess
def test_import_pulls_in_no_optional_package() -> None:
    extras = "typer rich matplotlib dask onnxruntime ogxm pyarrow resvg_py cryptography gymnasium pettingzoo"
    code = f"import sys, bgcore; print(*sorted(set('{extras}'.split()) & set(sys.modules)))"
    assert python(code) == ""


@pytest.mark.subprocess
def test_import_gives_no_warning() -> None:
    assert python("import bgcore", "-W", "error") == ""


@pytest.mark.subprocess
@pytest.mark.skipif(not FREE_THREADED, reason="only a free-threaded Python can switch its GIL off")
def test_the_gil_stays_off() -> None:
    import pkgutil

    import bgcore

    names = [m.name for m in pkgutil.walk_packages(bgcore.__path__, "bgcore.") if ".cli" not in m.name]
    names = [name for name in names if not name.startswith("bgcore.conformance.adapters.")]  # they need their peers
    code = f"import importlib, sys; [importlib.import_module(n) for n in {names}]; print(sys._is_gil_enabled())"
    assert python(code, "-W", "error") == "False"
