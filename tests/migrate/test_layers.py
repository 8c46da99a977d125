"""Who imports whom: the codemod takes the shim's table, the shim takes the kernels late, and nothing else crosses."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

PACKAGES = ("migrate", "shim", "kernels")


class Import(NamedTuple):
    module: str
    late: bool  # inside a function, or only for type checkers
    where: str


def imports_of(path: Path) -> Iterator[Import]:
    def walk(node: ast.AST, late: bool) -> Iterator[Import]:
        for child in ast.iter_child_nodes(node):
            where = f"{path.name}:{getattr(child, 'lineno', 0)}"
            if isinstance(child, ast.Import):
                yield from (Import(alias.name, late, where) for alias in child.names)
            elif isinstance(child, ast.ImportFrom):
                assert child.level == 0, f"{where}: a relative import"
                yield from (Import(f"{child.module}.{alias.name}", late, where) for alias in child.names)
            else:
                yield from walk(child, late or runs_late(child))

    yield from walk(ast.parse(path.read_bytes()), late=False)


def runs_late(node: ast.AST) -> bool:
    if isinstance(node, ast.If):
        return ast.unparse(node.test) == "TYPE_CHECKING"
    return isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda))


def package_imports(checkout: Path, package: str) -> list[Import]:
    sources = sorted((checkout / package / f"paged_attention_{package}").rglob("*.py"))
    assert sources
    return [each for source in sources for each in imports_of(source)]


def inside(module: str, *packages: str) -> bool:
    return any(module == package or module.startswith(f"{package}.") for package in packages)


def test_migrate_takes_from_the_shim_only_the_table_of_removed_names(checkout: Path) -> None:
    for each in package_imports(checkout, "migrate"):
        if inside(each.module, "paged_attention_shim"):
            assert inside(each.module, "paged_attention_shim.removed"), each
        assert not inside(each.module, "paged_attention_kernels", "torch", "triton", "vllm"), each


def test_the_shim_imports_kernels_and_torch_only_when_used(checkout: Path) -> None:
    for each in package_imports(checkout, "shim"):
        assert not inside(each.module, "paged_attention_migrate", "libcst", "click"), each
        if inside(each.module, "paged_attention_kernels", "torch", "triton", "vllm"):
            assert each.late, each


def test_kernels_import_neither_the_shim_nor_the_codemod(checkout: Path) -> None:
    for each in package_imports(checkout, "kernels"):
        assert not inside(each.module, "paged_attention_migrate", "paged_attention_shim", "libcst", "click", "vllm"), (
            each
        )


@pytest.mark.parametrize("package", PACKAGES)
def test_a_source_root_is_no_package_and_holds_exactly_one(checkout: Path, package: str) -> None:
    found = [each for each in (checkout / package).iterdir() if each.is_dir() or each.suffix == ".py"]
    assert {each.name for each in found if each.name[0] not in "._"} == {f"paged_attention_{package}"}
    assert not (checkout / package / "__init__.py").exists()


def loaded_by(statement: str) -> set[str]:
    code = f"import sys; before = set(sys.modules); {statement}; print(*sorted(set(sys.modules) - before))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(run.stdout.split())


def test_the_command_line_starts_without_anything_heavy() -> None:
    loaded = loaded_by("import paged_attention_migrate.cli")
    assert "paged_attention_migrate.cli" in loaded
    heavy = {"torch", "triton", "libcst", "yaml", "numpy", "multiprocessing", "paged_attention_kernels"}
    assert not loaded & heavy


def test_the_command_line_loads_no_standard_module_that_click_does_not() -> None:
    from_click = loaded_by("import click")
    costly = {"dataclasses", "inspect", "subprocess", "json", "tokenize", "ast", "concurrent.futures", "logging"}
    assert not (loaded_by("import paged_attention_migrate.cli") - from_click) & costly


def test_the_table_of_removed_names_needs_only_the_standard_library() -> None:
    tops = {module.partition(".")[0] for module in loaded_by("import paged_attention_shim.removed")}
    assert tops - set(sys.stdlib_module_names) == {"paged_attention_shim"}
