"""The source of the module `paged_attention_shim.stubs`: every removed function and class, as something that raises.

The messages stand in it as literals, which is what editors and type checkers show of PEP 702's `deprecated`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from paged_attention_shim.removed.rows import REMOVED

if TYPE_CHECKING:
    from collections.abc import Iterator

    from paged_attention_shim.removed.records import RemovedName

_HEAD = '''"""The removed functions and classes, as names that say what became of them when they are used.

Made by `python -m paged_attention_shim.removed stubs` from the table of removed names.
"""

from __future__ import annotations

from typing import Any, NoReturn

from paged_attention_shim.gone import deprecated, error
'''


def source() -> str:
    """The whole module."""
    return "\n".join(_lines()) + "\n"


def classes() -> dict[str, list[RemovedName]]:
    """Every class that is gone, or lost methods, with those methods."""
    found: dict[str, list[RemovedName]] = {}
    for name in REMOVED:
        owner = name.homes[-1].path.rpartition(".")[2]
        if owner in {each.name for each in REMOVED if each.family != "module"}:
            found.setdefault(owner, []).append(name)
        elif not name.generations and not name.name.islower() and not name.name.startswith("_"):
            found.setdefault(name.name, [])
    return found


def functions() -> list[RemovedName]:
    """Every function of a module that is gone, once."""
    methods = [id(name) for names in classes().values() for name in names]
    return [name for name in REMOVED if name.generations and id(name) not in methods]


def _lines() -> Iterator[str]:
    yield from _HEAD.splitlines()
    for name in functions():
        yield from ("", "", *_function(name))
    for owner, methods in classes().items():
        row = next(name for name in REMOVED if name.name == owner)
        yield from ("", "", *_mark(row), f"class {owner}:", f'    """Gone since vLLM {row.removed_in}."""')
        path = f"{row.homes[-1].path}.{row.name}"
        yield from ("", "    def __init__(self, *_: Any, **__: Any) -> None:", f'        raise error("{path}")')
        for method in methods:
            yield from ("", "    @staticmethod", *(f"    {line}" for line in _function(method)))


def _function(name: RemovedName) -> Iterator[str]:
    path = f"{name.homes[-1].path}.{name.name}"
    yield from _mark(name)
    yield f"def {name.name}(*_: Any, **__: Any) -> NoReturn:"
    yield f'    """Gone since vLLM {name.removed_in}."""'
    yield f'    raise error("{path}")'


def _mark(name: RemovedName) -> Iterator[str]:
    yield f'@deprecated("Gone since vLLM {name.removed_in}. {name.advice}")'
