"""The `[tool.paged-attention-migrate]` table of pyproject.toml, and the vLLM release that a project pins."""

from __future__ import annotations

import keyword
import os
import re
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from paged_attention_migrate.own import OwnName

_TABLE = "paged-attention-migrate"
_KEYS = ("exclude", "per-file-ignores", "target", "from-version", "homes", "baseline", "removed")
TARGETS = ("shim", "rocm")
_PIN = r"(?i)(?<![\w.-])vllm(?:\[[\w, -]*\])?\s*={2,3}\s*v?(\d[\w.+*-]*)"
_COMMENT = r"(?:^|\s)#.*"
_CODES = r"PAM\d{0,3}"


class SettingsError(Exception):
    """The table is wrong; `str()` is one sentence that names the key."""


class Settings(NamedTuple):
    """What a project says about a run.

    `exclude` are globs relative to the working directory, `homes` modules that hand the removed functions on.
    `baseline` is the path of a file with findings that are tolerated, `removed` are removed names of the project's own.
    """

    exclude: tuple[str, ...] = ()
    per_file_ignores: tuple[tuple[str, tuple[str, ...]], ...] = ()
    target: str = "shim"
    from_version: str | None = None
    homes: tuple[str, ...] = ()
    baseline: str | None = None
    removed: tuple[OwnName, ...] = ()

    @property
    def own_names(self) -> tuple[str, ...]:
        """The names that the project's own settings call removed, without their modules."""
        return tuple(dict.fromkeys(each.name for each in self.removed))


def load(start: str = ".", top: str | None = None) -> Settings:
    """The settings of the nearest pyproject.toml at or above `start`, up to `top`; the defaults where there is none."""
    for directory in _upwards(start, top):
        path = os.path.join(directory, "pyproject.toml")
        try:
            with open(path, "rb") as file:
                data = file.read()
        except OSError:
            continue
        return _read(data, path) if _TABLE.encode() in data else Settings()
    return Settings()


def _upwards(start: str, top: str | None = None) -> Iterator[str]:
    directory = os.path.abspath(start)
    while True:
        yield directory
        above = os.path.dirname(directory)
        if directory in (above, top):
            return
        directory = above


def _read(data: bytes, path: str) -> Settings:
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib
    try:
        document = tomllib.loads(data.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise SettingsError(f"{path} is not UTF-8, as TOML must be: byte {error.start + 1} is no part of it") from None
    except tomllib.TOMLDecodeError as error:
        raise SettingsError(f"{path} is not valid TOML: {error}") from None
    tool = document.get("tool")
    table = tool.get(_TABLE, {}) if isinstance(tool, dict) else {}
    if not isinstance(table, dict):
        raise SettingsError(f"{path}: [tool.{_TABLE}] is {kind_of_value(table)}; a table is accepted")
    where = f"{path}: [tool.{_TABLE}]"
    for key in table:
        if key not in _KEYS:
            raise SettingsError(f"{where} has no key {key!r}; it takes {', '.join(_KEYS)}")
    target = _string(table, "target", where)
    target = "shim" if target is None else target
    if target not in TARGETS:
        raise SettingsError(f"{where} target is {target!r}; {' or '.join(map(repr, TARGETS))} is accepted")
    return Settings(
        exclude=_strings(table.get("exclude", []), "exclude", where),
        per_file_ignores=_ignores(table.get("per-file-ignores", {}), where),
        target=target,
        from_version=_version(table, where),
        homes=_homes(_strings(table.get("homes", []), "homes", where), where),
        baseline=_beside(path, _string(table, "baseline", where)),
        removed=_removed(table["removed"], where) if "removed" in table else (),
    )


def _removed(value: Any, where: str) -> tuple[OwnName, ...]:
    from paged_attention_migrate.own.table import own_names

    return own_names(value, where)


def _beside(path: str, name: str | None) -> str | None:
    """A path that pyproject.toml names, seen from the working directory."""
    return None if name is None else os.path.relpath(os.path.join(os.path.dirname(path), name))


def _strings(value: Any, key: str, where: str) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise SettingsError(f"{where} {key} is {kind_of_value(value)}; an array of strings is accepted")
    return tuple(value)


def _homes(value: tuple[str, ...], where: str) -> tuple[str, ...]:
    for home in value:
        if not is_module(home):
            raise SettingsError(f"{where} homes has {home!r}; dotted names of modules are accepted, as 'mylib.ops'")
    return value


def is_module(text: str) -> bool:
    """Whether a text can be the dotted name of a module."""
    return all(part.isidentifier() and not keyword.iskeyword(part) for part in text.split("."))


def _string(table: dict[str, Any], key: str, where: str) -> str | None:
    value = table.get(key)
    if value is not None and not isinstance(value, str):
        raise SettingsError(f"{where} {key} is {kind_of_value(value)}; a string is accepted")
    return value


def _version(table: dict[str, Any], where: str) -> str | None:
    version = _string(table, "from-version", where)
    if version is None:
        return None
    try:
        return release(version)
    except ValueError:
        raise SettingsError(
            f"{where} from-version is {version!r}; a release of vLLM such as '0.8.5' is accepted"
        ) from None


def release(version: str) -> str:
    """The release of vLLM that a user names, with or without a `v`; raises ValueError if there is none such."""
    from paged_attention_shim.removed import RELEASES

    plain = version.removeprefix("v")
    if plain not in RELEASES:
        raise ValueError(f"{version!r} is no release of vLLM up to {RELEASES[-1]}")
    return plain


def _ignores(value: Any, where: str) -> tuple[tuple[str, tuple[str, ...]], ...]:
    if not isinstance(value, dict):
        raise SettingsError(
            f"{where} per-file-ignores is {kind_of_value(value)}; a table of globs and codes is accepted"
        )
    ignores = []
    for pattern, given in value.items():
        codes = _strings(given, f"per-file-ignores.{pattern!r}", where)
        for code in codes:
            if not re.fullmatch(_CODES, code):
                told = (
                    f"per-file-ignores.{pattern!r} has {code!r}; a code or how codes begin, such as 'PAM3', is accepted"
                )
                raise SettingsError(f"{where} {told}")
        ignores.append((pattern, codes))
    return tuple(ignores)


def kind_of_value(value: Any) -> str:
    """What a value of the table is, in words."""
    names = {str: "a string", bool: "a boolean", int: "a number", float: "a number", list: "an array", dict: "a table"}
    return f"{names.get(type(value), 'something else')} ({value!r})"


def pinned_version(start: str = ".") -> str | None:
    """The one release of vLLM that a project's requirements pin with `==`; None without a pin, or with two."""
    for directory in _upwards(start):
        found: set[str] = set()
        for name in _requirement_files(directory):
            try:
                with open(os.path.join(directory, name), encoding="utf-8", errors="replace") as file:
                    lines = [re.sub(_COMMENT, "", line) for line in file]
            except OSError:
                continue
            found.update(_exact(match[1]) for line in lines for match in re.finditer(_PIN, line))
        found.discard("")
        if found:
            return found.pop() if len(found) == 1 else None
        if os.path.exists(os.path.join(directory, ".git")):
            return None
    return None


def _exact(version: str) -> str:
    """The version without a local part; empty if it is none, as `0.4.*` is none."""
    from paged_attention_shim.removed import position

    public = version.partition("+")[0].rstrip(".")
    try:
        position(public)
    except ValueError:
        return ""
    return public


def _requirement_files(directory: str) -> list[str]:
    try:
        names = os.listdir(directory)
    except OSError:
        return []
    fixed = {"pyproject.toml", "setup.cfg", "environment.yml"}
    return sorted(name for name in names if name in fixed or re.fullmatch(r"requirements.*\.txt", name))
