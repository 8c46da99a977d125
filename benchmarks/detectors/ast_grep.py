"""ast-grep rules that tie a use to an import of the same file, since ast-grep resolves no names itself."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from detectors import table

NAME = "ast-grep"
PROGRAM = "ast-grep"

Rule = dict[str, Any]

_NAMES = "|".join(table.ATTENTION)
_QUOTED = f"^[\"']({_NAMES})[\"']$"
_DOTTED = rf"^[\"'](torch\.ops\._C\.|vllm\._custom_ops\.|_C::)({_NAMES})[\"']$"
_CALLS = ("hasattr", "getattr", "setattr", "$P.setattr", "$P.delattr", "$P.object")
_OPERATORS = "torch.ops._C"


def hits(program: str, suite: Path) -> set[tuple[str, int]]:
    """The lines that ast-grep reports."""
    rules = suite.parent / "ast-grep.yml"
    rules.write_text("\n---\n".join(json.dumps(rule) for rule in [*_python(), *_others()]), encoding="utf-8")
    command = [program, "scan", "--rule", str(rules), "--json=stream", "--no-ignore", "hidden", "."]
    done = subprocess.run(command, cwd=suite, capture_output=True, text=True, check=False)
    found = set()
    for line in done.stdout.splitlines():
        each = json.loads(line)
        found.add((each["file"].removeprefix("./"), each["range"]["start"]["line"] + 1))
    return found


def _python() -> Iterator[Rule]:
    yield _rule("dotted", {"any": [{"pattern": path} for path in table.paths() if path.count(".") > 1]})
    for home, names in table.homes().items():
        exact, held = f"^({'|'.join(names)})$", home.replace(".", "-")
        alias = {"inside": _module({"any": _bindings(home)})}
        yield _rule(f"alias-{held}", {"pattern": "$OPS.$NAME", **alias}, NAME=exact)
        yield _rule(f"field-{held}", {"pattern": "self.$F.$NAME", "all": _field(home)}, NAME=exact)
        yield _rule(f"handed-{held}", _handed("$OPS", alias), NAME=_QUOTED)
        yield _rule(f"import-{held}", {"any": [_imported(home, name) for name in names]})
        yield _rule(f"name-{held}", _imported_name(home, exact))
    yield _rule(
        "module", {"any": [{"pattern": f"import {path}{end}"} for path in table.MODULES for end in ("", " as $X")]}
    )
    yield _rule("handed", _handed(_OPERATORS, {}), NAME=_QUOTED)
    yield _rule("dotted-string", {"kind": "string", "regex": _DOTTED})
    yield _rule("string", _string())
    yield _rule("composed", {"kind": "string", "regex": r"paged_attention_v?(\{|[\"']$)"})
    yield _rule("build", {"kind": "string", "regex": table.DELETED_SOURCES})


def _others() -> Iterator[Rule]:
    defines = {"any": [{"pattern": f"$M.{way}({end})"} for way in ("def", "impl") for end in ("$NAME", "$NAME, $$$")]}
    function = {"field": "function", "kind": "identifier", "regex": f"^({_NAMES})$"}
    yield _rule("call", {"kind": "call_expression", "has": function}, "cpp")
    yield _rule("operator", {"kind": "string_literal", "regex": f'^"_C::({_NAMES})"'}, "cpp")
    yield _rule("registered", defines, "cpp", NAME=f'^"({_NAMES})')
    yield _rule("include", {"kind": "preproc_include", "regex": table.DELETED_SOURCES}, "cpp")
    yield _rule("crate", {"kind": "string_literal", "regex": table.DELETED_SOURCES}, "rust")


def _rule(name: str, rule: Rule, language: str = "python", **constraints: str) -> Rule:
    found: Rule = {"id": name, "language": language, "severity": "error", "message": "it is gone", "rule": rule}
    if constraints:
        found["constraints"] = {key: {"regex": regex} for key, regex in constraints.items()}
    return found


def _module(holds: Rule) -> Rule:
    """Anywhere in a file that holds something."""
    return {"kind": "module", "stopBy": "end", "has": {"stopBy": "end", **holds}}


def _bindings(home: str) -> list[Rule]:
    """Ways to bind `$OPS` to the module or class that held the names."""
    package, _, name = home.rpartition(".")
    renamed = [{"has": {"field": "name", "regex": _regex(name)}}, {"has": {"field": "alias", "pattern": "$OPS"}}]
    return [
        _from_import(package, {"kind": "aliased_import", "all": renamed}),
        _from_import(package, {"kind": "dotted_name", "regex": _regex(name), "pattern": "$OPS"}),
        {"pattern": f"import {home} as $OPS"},
        {"pattern": f"$OPS = {home}"},
        {"pattern": f'$OPS = importlib.import_module("{home}")'},
    ]


def _regex(dotted: str) -> str:
    return f"^{dotted.replace('.', '[.]')}$"


def _from_import(package: str, holds: Rule) -> Rule:
    module = {"has": {"field": "module_name", "regex": _regex(package)}}
    return {"kind": "import_from_statement", "all": [module, {"has": holds}]}


def _imported(home: str, name: str) -> Rule:
    """The name in `from home import name`."""
    statement = {"kind": "import_from_statement", "has": {"field": "module_name", "regex": _regex(home)}}
    return {"regex": _regex(name), "kind": "dotted_name", "inside": {"stopBy": "end", **statement}}


def _imported_name(home: str, exact: str) -> Rule:
    """A plain name outside imports, in a file that imports it from vLLM, perhaps under another name."""
    renamed = [{"has": {"field": "name", "regex": exact}}, {"has": {"field": "alias", "pattern": "$NAME"}}]
    plain = _from_import(home, {"kind": "dotted_name", "regex": exact, "pattern": "$NAME"})
    imports = [plain, _from_import(home, {"kind": "aliased_import", "all": renamed})]
    used = [
        {"inside": _module({"any": imports})},
        {"not": {"inside": {"stopBy": "end", "kind": "import_from_statement"}}},
    ]
    stored = {"not": {"inside": {"kind": "assignment", "field": "left"}}}
    return {"pattern": "$NAME", "kind": "identifier", "all": [*used, stored]}


def _field(home: str) -> list[Rule]:
    """The file sets `self.$F` to something that it binds to the module."""
    through = [{"inside": _module({"pattern": "self.$F = $OPS"})}, {"inside": _module({"any": _bindings(home)})}]
    return [{"any": [{"all": through}, {"inside": _module({"pattern": f"self.$F = {home}"})}]}]


def _handed(base: str, where: Rule) -> Rule:
    """A question about, or a patch of, an attribute that is named by a string."""
    return {"any": [{"pattern": f"{call}({base}, $NAME{end})"} for call in _CALLS for end in ("", ", $$$")], **where}


def _string() -> Rule:
    """A whole name as a string, unless it asks or patches something, or is an export."""
    others = [{"pattern": f"{call}($$$)"} for call in _CALLS] + [{"pattern": "__all__ = $$$"}]
    inside = [{"inside": {"stopBy": "end", **each}} for each in others]
    return {"kind": "string", "regex": _QUOTED, "not": {"any": inside}}
