"""semgrep rules: resolved references and imports, fields of self, strings, and regular expressions outside Python."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from detectors import table

NAME = "semgrep"
PROGRAM = "semgrep"
_NAMES = "|".join(table.ATTENTION)
_MODULES = ("vllm._custom_ops", "torch.ops._C")


def hits(program: str, suite: Path) -> set[tuple[str, int]]:
    """The lines that semgrep reports."""
    rules = suite.parent / "semgrep.yml"
    rules.write_text(json.dumps({"rules": _rules()}), encoding="utf-8")  # JSON is YAML
    command = [program, "scan", "--config", str(rules), "--json", "--metrics", "off", "--disable-version-check"]
    command += ["--disable-nosem", "--no-git-ignore", "--quiet", "."]
    environment = os.environ | {"SEMGREP_SEND_METRICS": "off", "SEMGREP_ENABLE_VERSION_CHECK": "0"}
    done = subprocess.run(command, cwd=suite, capture_output=True, text=True, env=environment, check=False)
    return {(each["path"].removeprefix("./"), each["start"]["line"]) for each in json.loads(done.stdout)["results"]}


def _rules() -> list[dict[str, Any]]:
    patched = "|".join(f"(?:torch.ops._C.|vllm._custom_ops.|_C::){name}" for name in table.ATTENTION)
    asks = [
        f'{call}($X, "$S", ...)' for call in ("hasattr", "getattr", "setattr", "$P.setattr", "$P.delattr", "$P.object")
    ]
    return [
        _rule("reference", "python", {"pattern-either": [{"pattern": path} for path in table.paths()]}),
        _rule("import", "python", {"pattern-either": list(_imports())}),
        _rule(
            "field",
            "python",
            {"pattern-either": [_field(module, name) for module in _MODULES for name in table.ATTENTION]},
        ),
        _rule(
            "asked",
            "python",
            {
                "patterns": [
                    {"pattern-either": [{"pattern": ask.replace("$X", module)} for ask in asks for module in _MODULES]},
                    _matches("$S", f"^({_NAMES})$"),
                ]
            },
        ),
        _rule("by-name", "python", {"pattern-either": list(_by_name())}),
        _rule("schema", "python", _schema()),
        _rule("composed", "python", {"pattern-regex": r"paged_attention_v?(\{|[\"']\s*[+%])"}),
        _rule("dotted", "python", {"patterns": [{"pattern": '"$S"'}, _matches("$S", f"^({patched})$")]}),
        _rule(
            "string",
            "python",
            {
                "patterns": [
                    {"pattern": '"$S"'},
                    _matches("$S", f"^({_NAMES})$"),
                    *({"pattern-not-inside": ask.replace('"$S"', "...")} for ask in asks),
                    {"pattern-not-inside": "__all__ = [...]"},
                    {"pattern-not-inside": "$L.define(...)"},
                ]
            },
        ),
        _rule(
            "native",
            "cpp",
            {
                "pattern-either": [
                    {"pattern-regex": rf'\.(def|impl)\(\s*"({_NAMES})\b'},
                    {"pattern-regex": rf'"_C::({_NAMES})"'},
                    {"pattern-regex": rf"(?m)^\s*({_NAMES})\("},
                    {"pattern-regex": rf'#\s*include\s+"[^"]*{table.DELETED_SOURCES}"'},
                ]
            },
        ),
        _rule("included", "generic", {"pattern-regex": rf'#\s*include\s+"[^"]*{table.DELETED_SOURCES}"'})
        | {"paths": {"include": ["*.cu", "*.cuh"]}},
        _rule("build", "generic", {"pattern-regex": rf"[^\s\"']*{table.DELETED_SOURCES}\b"})
        | {"paths": {"include": ["CMakeLists.txt", "*.cmake", "setup.py", "*.rs", "*.toml"]}},
    ]


def _rule(name: str, language: str, body: dict[str, Any]) -> dict[str, Any]:
    return {"id": name, "languages": [language], "severity": "ERROR", "message": "it is gone", **body}


def _matches(variable: str, regex: str) -> dict[str, Any]:
    return {"metavariable-regex": {"metavariable": variable, "regex": regex}}


def _imports() -> list[dict[str, str]]:
    found = []
    for path in table.paths():
        module, _, name = path.rpartition(".")
        forms = [f"from {module} import {name}", f"from {module} import {name} as $A"]
        if path in table.MODULES:
            forms += [f"import {path}", f"import {path} as $A"]
        found += [{"pattern": form} for form in forms]
    return found


def _field(module: str, name: str) -> dict[str, Any]:
    """`self.ops.paged_attention_v1` in a class that sets `self.ops` to the module."""
    method = "class $C(...):\n  ...\n  def $M(...):\n    ...\n"
    package, _, last = module.rpartition(".")
    direct = f"{method}    self.$A = {module}\n    ...\n  ...\n"
    local = f"{method}    from {package} import {last} as $O\n    ...\n    self.$A = $O\n    ...\n  ...\n"
    inside = {"pattern-either": [{"pattern-inside": direct}, {"pattern-inside": local}]}
    return {"patterns": [{"pattern": f"self.$A.{name}"}, inside]}


def _by_name() -> Iterator[dict[str, Any]]:
    """Uses of a module that `importlib` found."""
    for module in _MODULES[:1]:
        inside = {"pattern-inside": f'$M = importlib.import_module("{module}")\n...\n'}
        for name in table.ATTENTION:
            for use in (f"$M.{name}", f'getattr($M, "{name}", ...)'):
                yield {"patterns": [{"pattern": use}, inside]}


def _schema() -> dict[str, Any]:
    """An operator that `torch.library` defines in vLLM's namespace."""
    inside = {"pattern-inside": '$L = torch.library.Library("_C", ...)\n...\n'}
    return {"patterns": [{"pattern": '$L.define("$S", ...)'}, inside, _matches("$S", rf"^({_NAMES})\(")]}
