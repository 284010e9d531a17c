"""Promises of the project as a whole: settings, layers, imports, what ships."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from citewell.errors import CitewellError
from citewell.settings import Settings, load_settings

ROOT = Path(__file__).resolve().parents[2]
FLOORS = {
    # Rendering and exports stand beside the nouns: they know nothing else, and an answer can print itself.
    "citewell.text": 0, "citewell.wording": 0, "citewell.models": 0, "citewell.rendering": 0, "citewell.exports": 0,
    "citewell.readers": 1,
    "citewell.library": 2, "citewell.testing": 3, "citewell.understanding": 3, "citewell.retrieval": 4, "citewell.answering": 5,
    "citewell.checking": 5, "citewell.assistant": 6, "citewell.chat": 7, "citewell.evaluation": 8, "citewell.api": 8, "citewell.cli": 9,
    "citewell_ui": 9,
}  # fmt: skip


def modules() -> list[tuple[str, Path]]:
    found = []
    for root in ("rag", "ui"):
        for path in sorted((ROOT / root).rglob("*.py")):
            name = ".".join(path.relative_to(ROOT / root).with_suffix("").parts).removesuffix(".__init__")
            found.append((name, path))
    return found


def floor(module: str) -> int | None:
    """The floor of a module of ours; nouns and settings, one module each, stand at the bottom."""
    if module.partition(".")[0] not in ("citewell", "citewell_ui"):
        return None
    if module == "citewell":
        return FLOORS["citewell.api"]
    return next((FLOORS[key] for key in sorted(FLOORS, key=len, reverse=True) if f"{module}.".startswith(f"{key}.")), 0)


def imported_from(node: ast.ImportFrom) -> list[str]:
    """The modules that a `from … import …` reads."""
    if node.module == "citewell":
        return [f"citewell.{alias.name}" for alias in node.names]
    return [node.module] if node.module else []


def test_nothing_imports_upward() -> None:
    wrong = []
    for name, path in modules():
        own = floor(name)
        for node in ast.walk(ast.parse(path.read_text())):
            targets = imported_from(node) if isinstance(node, ast.ImportFrom) else []
            targets += [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            for target in targets:
                other = floor(target)
                if own is not None and other is not None and other > own:
                    wrong.append(f"{name} imports {target}")
    assert wrong == []


def test_no_module_is_too_long() -> None:
    assert [name for name, path in modules() if len(path.read_text().splitlines()) > 400] == []


def test_importing_anything_loads_nothing_heavy_and_touches_nothing() -> None:
    names = [name for name, _ in modules() if not name.startswith("citewell_ui") and ".migrations" not in name]
    code = f"""
import importlib, sys
for name in {names!r}: importlib.import_module(name)
heavy = ("torch", "sentence_transformers", "transformers", "chromadb", "langchain_openai")
print([name for name in heavy if name in sys.modules])
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert done.stdout.strip() == "[]", done.stderr


def test_env_example_lists_every_setting_once_with_its_default_and_meaning() -> None:
    text = (ROOT / ".env.example").read_text()
    entries = re.findall(r"^# (.+)\n(CITEWELL_[A-Z_]+)=(.*)$", text, re.MULTILINE)
    assert [name for _, name, _ in entries] == [f"CITEWELL_{field.upper()}" for field in Settings.model_fields]
    for comment, name, value in entries:
        field = Settings.model_fields[name.removeprefix("CITEWELL_").lower()]
        assert comment == field.description
        default = field.default if field.default_factory is None else ""
        shown = default.get_secret_value() if hasattr(default, "get_secret_value") else default
        assert value == (str(shown).lower() if isinstance(shown, bool) else str(shown))


def test_settings_come_from_the_environment_and_from_dotenv(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / ".env").write_text("CITEWELL_MAX_SOURCES=3\nCITEWELL_LLM=openai:a\n")
    monkeypatch.setenv("CITEWELL_LLM", "openai:b")
    settings = load_settings()
    assert (settings.max_sources, settings.llm) == (3, "openai:b")


def test_the_example_file_can_be_used_as_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CITEWELL_HOME")
    (tmp_path / ".env").write_text((ROOT / ".env.example").read_text())
    settings = load_settings()
    assert settings.home.is_absolute()
    assert settings.home.name == "citewell"
    assert settings.llm == ""


def test_a_bad_setting_is_named() -> None:
    with pytest.raises(CitewellError, match="CITEWELL_MAX_SOURCES"):
        load_settings(max_sources=0)


def test_constraints_pin_every_dependency() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"]
    wanted = [*project["dependencies"], *(item for name in ("all", "dev", "docs", "bench") for item in extras[name])]
    wanted += [item for name in ("ui", "map", "excel", "styles", "tables", "eval", "openai") for item in extras[name]]
    names = {re.split(r"[\[<>=! ]", item)[0].lower().replace("_", "-") for item in wanted} - {"citewell"}
    pinned = {
        line.split("==")[0].lower().replace("_", "-") for line in (ROOT / "constraints.txt").read_text().splitlines()
    }
    assert names <= pinned


def test_help_is_quick_and_imports_nothing_heavy() -> None:
    heavy = "('numpy', 'rich', 'pydantic', 'chromadb')"
    code = f"import sys; from citewell.cli import main; print([m for m in {heavy} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.stdout.strip() == "[]"
