"""The pictures of docs/boards.md: all there, all used, and showing what the script that made them would draw now."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path
from types import ModuleType

import pytest
from draw.svg_reader import read_picture


@pytest.fixture(scope="module")
def gallery(repo: Path) -> ModuleType:
    """Return docs/gallery.py as a module."""
    spec = importlib.util.spec_from_file_location("gallery", repo / "docs" / "gallery.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_pictures_are_up_to_date(gallery: ModuleType) -> None:
    made = dict(gallery.pictures())
    kept = {path.stem: path.read_text(encoding="utf-8") for path in gallery.IMAGES.glob("*.svg")}
    assert kept.keys() == made.keys(), "run docs/gallery.py"
    for name, picture in made.items():
        assert read_picture(kept[name]) == read_picture(picture), f"{name}: run docs/gallery.py"


def test_every_picture_is_on_the_page(gallery: ModuleType, repo: Path) -> None:
    page = (repo / "docs" / "boards.md").read_text(encoding="utf-8")
    linked = re.findall(r"!\[[^\]]*\]\(images/(\w+)\.svg\)", page)
    assert sorted(linked) == sorted(name for name, _ in gallery.pictures())
