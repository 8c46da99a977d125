"""Reads and checks `[[tool.paged-attention-migrate.removed]]`; every fault is one sentence."""

from __future__ import annotations

import keyword
from inspect import Parameter, Signature
from typing import Any, NoReturn

from paged_attention_migrate.own import OwnName
from paged_attention_migrate.own.signatures import signature_of
from paged_attention_migrate.settings import SettingsError, is_module, kind_of_value
from paged_attention_shim.removed import REMOVED, entry_point

KEYS = (
    *("name", "homes", "signature", "replacement", "replacement-signature"),
    *("renamed", "dropped", "safe", "since", "reason"),
)
_WITH_REPLACEMENT = ("replacement-signature", "renamed", "dropped", "safe")


def own_names(value: Any, where: str) -> tuple[OwnName, ...]:
    """The entries of the array; raises SettingsError."""
    if not isinstance(value, list) or not all(isinstance(each, dict) for each in value):
        raise SettingsError(f"{where} removed is {kind_of_value(value)}; an array of tables is accepted")
    found = [_Entry(table, f"{where} removed, entry {number}").checked() for number, table in enumerate(value, 1)]
    known: dict[str, int] = {}
    for number, each in enumerate(found, 1):
        for path in each.paths:
            if path in known:
                told = f"`{path}` is entry {known[path]} already; one entry for each name of each module is accepted"
                raise SettingsError(f"{where} removed, entry {number}: {told}")
            known[path] = number
    for number, each in enumerate(found, 1):
        if each.replacement in known:
            told = f"replacement `{each.replacement}` is itself removed, by entry {known[each.replacement]}"
            raise SettingsError(f"{where} removed, entry {number}: {told}; name what is there in the end")
    return tuple(found)


class _Entry:
    """One table of the array."""

    def __init__(self, table: dict[str, Any], where: str) -> None:
        self.table = table
        self.where = where

    def checked(self) -> OwnName:
        for key in self.table:
            if key not in KEYS:
                self._fault(f"there is no key {key!r}; it takes {', '.join(KEYS)}")
        name = self._name()
        self.where += f" ({name})"
        homes = self._homes(name)
        replacement = self._replacement(homes)
        old, new = self._text("signature"), self._text("replacement-signature")
        if replacement is None:
            for key in _WITH_REPLACEMENT:
                if key in self.table:
                    self._fault(f"{key} is there without replacement; add the dotted name of what to call instead")
        elif (old is None) != (new is None):
            missing = "signature" if old is None else "replacement-signature"
            self._fault(f"{missing} is missing; both signatures are accepted, or neither")
        before = None if old is None else self._signature("signature", old)
        after = None if new is None else self._signature("replacement-signature", new)
        renamed, dropped = self._renamed(), self._strings("dropped", required=False)
        if before is not None and after is not None:
            self._check_places(before, after, dict(renamed), dropped)
        elif renamed or dropped:
            self._fault(f"{'renamed' if renamed else 'dropped'} is there without signatures; add both")
        safe = self.table.get("safe", True)
        if not isinstance(safe, bool):
            self._fault(f"safe is {kind_of_value(safe)}; true or false is accepted")
        since, reason = self._words("since"), self._words("reason")
        return OwnName(name, homes, old, replacement, new, renamed, dropped, safe, since, reason)

    def _fault(self, told: str) -> NoReturn:
        raise SettingsError(f"{self.where}: {told}")

    def _name(self) -> str:
        name = self._text("name")
        if name is None:
            self._fault("name is missing; the name of the function is accepted")
        if not _is_name(name):
            self._fault(f"name is {name!r}; an identifier such as 'old_norm' is accepted, and its modules in homes")
        if any(row.name == name and row.family == "attention" for row in REMOVED):
            self._fault(f"{name} is known already; the key homes above names modules of yours that hand it on")
        return name

    def _homes(self, name: str) -> tuple[str, ...]:
        homes = self._strings("homes", required=True)
        if not homes:
            self._fault("homes is empty; at least one module that held the name is accepted")
        for number, home in enumerate(homes):
            if not is_module(home):
                self._fault(f"homes has {home!r}; a dotted name of a module such as 'pkg.ops' is accepted")
            if home in homes[:number]:
                self._fault(f"homes has {home!r} twice; each module once is accepted")
            if entry_point(f"{home}.{name}") is not None:
                self._fault(f"`{home}.{name}` is known already; `explain {home}.{name}` says what becomes of it")
        return homes

    def _replacement(self, homes: tuple[str, ...]) -> str | None:
        replacement = self._text("replacement")
        if replacement is None:
            return None
        if not is_module(replacement) or "." not in replacement:
            self._fault(f"replacement is {replacement!r}; a full dotted name such as 'pkg.ops.norm' is accepted")
        module = replacement.rpartition(".")[0]
        if f"{module}.".startswith("torch.ops.") and any(home != module for home in homes):
            told = "which no import brings; a function of a module is accepted"
            self._fault(f"replacement `{replacement}` is an operator, {told}")
        if entry_point(replacement) is not None:
            self._fault(f"replacement `{replacement}` is gone itself; name what is there in the end")
        return replacement

    def _signature(self, key: str, text: str) -> Signature:
        try:
            return signature_of(text)
        except ValueError as error:
            self._fault(f"{key} {text!r} {error}")

    def _renamed(self) -> tuple[tuple[str, str], ...]:
        value = self.table.get("renamed", {})
        if not isinstance(value, dict) or not all(isinstance(each, str) for each in value.values()):
            self._fault(f"renamed is {kind_of_value(value)}; a table such as {{ old = 'new' }} is accepted")
        return tuple(value.items())

    def _check_places(self, old: Signature, new: Signature, renamed: dict[str, str], dropped: tuple[str, ...]) -> None:
        self._check_parameters(old, renamed, dropped)
        fed = self._fed(old, new, renamed, dropped)
        for parameter in new.parameters.values():
            if parameter.name not in fed and parameter.default is Parameter.empty:
                told = f"parameter {parameter.name!r} of replacement-signature has no default"
                self._fault(f"{told}, and no parameter of signature becomes it")

    def _check_parameters(self, old: Signature, renamed: dict[str, str], dropped: tuple[str, ...]) -> None:
        for key, names in (("renamed", tuple(renamed)), ("dropped", dropped)):
            for number, name in enumerate(names):
                if name not in old.parameters:
                    self._fault(f"{key} has {name!r}, which is no parameter of signature {_listed(old)}")
                if name in names[:number]:
                    self._fault(f"{key} has {name!r} twice; each parameter once is accepted")
        both = [name for name in dropped if name in renamed]
        if both:
            self._fault(f"{both[0]!r} is in renamed and in dropped; one of them is accepted")

    def _fed(self, old: Signature, new: Signature, renamed: dict[str, str], dropped: tuple[str, ...]) -> dict[str, str]:
        """The new parameters that old ones become, each with the old one."""
        fed: dict[str, str] = {}
        for name in old.parameters:
            if name in dropped:
                continue
            place = renamed.get(name, name)
            if place not in new.parameters:
                told = f"is no parameter of replacement-signature {_listed(new)}"
                if name in renamed:
                    self._fault(f"renamed has {name!r} as {place!r}, which {told}")
                self._fault(f"parameter {name!r} {told}; give its new name in renamed, or list it in dropped")
            if place in fed:
                self._fault(f"parameters {fed[place]!r} and {name!r} would both become {place!r}")
            fed[place] = name
        return fed

    def _text(self, key: str) -> str | None:
        value = self.table.get(key)
        if value is not None and not isinstance(value, str):
            self._fault(f"{key} is {kind_of_value(value)}; a string is accepted")
        return value

    def _words(self, key: str) -> str | None:
        """A text for messages, which are one line each."""
        text = " ".join((self._text(key) or "").split())
        return text or None

    def _strings(self, key: str, required: bool) -> tuple[str, ...]:
        if key not in self.table and required:
            self._fault(f"{key} is missing; an array of strings is accepted")
        value = self.table.get(key, [])
        if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
            self._fault(f"{key} is {kind_of_value(value)}; an array of strings is accepted")
        return tuple(value)


def _listed(signature: Signature) -> str:
    return f"({', '.join(signature.parameters)})"


def _is_name(text: str) -> bool:
    return text.isidentifier() and not keyword.iskeyword(text)
