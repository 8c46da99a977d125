"""What a project names in its settings as the replacement of a removed name, with the arguments mapped as it says."""

from __future__ import annotations

import ast
from inspect import Parameter, Signature
from typing import TYPE_CHECKING, NamedTuple

from paged_attention_migrate.calls.arguments import Argument, arguments_of, can_go, short, unstarred
from paged_attention_migrate.calls.verdict import Hazard, Plan, Verdict
from paged_attention_migrate.findings import SAFE, UNSAFE
from paged_attention_migrate.own import CALL, OwnName
from paged_attention_migrate.own.signatures import is_constant, is_flag, same_default, signature_of, take_the_same
from paged_attention_migrate.targets import Asked, Target, Written

if TYPE_CHECKING:
    from paged_attention_migrate.module import Module

_READER = "the settings say that this edit needs a reader (safe = false)"


NO_REPLACEMENT = "the settings name no replacement"


def target_of(own: OwnName, told: str = "") -> Target:
    """The target of one removed name; one that is not there, for the reason `told`, where it is only reported."""
    module, _, function = (own.replacement or "").rpartition(".")
    mapping = _Mapping.of(own)
    return Target(
        module=module,
        function=function,
        other_name=f"{module.partition('.')[0]}_{function}",
        unfilled=f"`{own.replacement}` does not fill it",
        takes_old=mapping.is_identity,
        stored=f"`{own.replacement}` takes other arguments than whoever calls what is stored here passes",
        judged=_Judge(own, mapping, told or NO_REPLACEMENT).judged,
        unproved=mapping.unproved,
        doubt="" if own.safe else _READER,
    )


def plan_of(own: OwnName, given: list[Argument]) -> Plan:
    """What becomes of an argument list; raises NoPlace."""
    return _Mapping.of(own).plan(given)[0]


class NoPlace(Exception):
    """An argument cannot be passed on; `str()` says which and why."""


class _Judge(NamedTuple):
    own: OwnName
    mapping: _Mapping
    why_none: str

    def judged(self, asked: Asked) -> Verdict:
        """What may be done with a call."""
        if self.own.replacement is None:
            return _left(self.why_none)
        fix = SAFE if self.own.safe else UNSAFE
        hazards = () if self.own.safe else (Hazard(CALL, _READER),)
        stars = [argument for argument in asked.given if argument.star]
        if self.mapping.is_identity and (stars or not asked.complete):
            return Verdict(fix, Plan(), hazards)
        if stars:
            star = f"`{stars[0].star}{short(unstarred(stars[0].node))}`"
            return _left(f"{star} hides arguments, and `{self.own.replacement}` takes others: write them out")
        if not asked.complete:
            text = "more arguments follow where the partial is called: make a function of it"
            return _left(f"`{self.own.replacement}` takes other arguments, and {text}")
        try:
            plan, dropped = self.mapping.plan(asked.given)
        except NoPlace as error:
            return _left(str(error))
        for argument in dropped:
            if not can_go(argument.node):
                return _left(f"dropping `{short(argument.node)}` would also drop what evaluating it does")
        without = " and ".join(f"`{short(argument.node)}`" for argument in dropped)
        return Verdict(fix, plan, hazards, (), self.mapping.buffers(asked.given, dropped), {}, without)


def _left(reason: str) -> Verdict:
    return Verdict(None, Plan(), (Hazard(CALL, reason),))


class _Mapping(NamedTuple):
    """Where the parameters of one signature end in another; without signatures every argument stays what it is."""

    old: Signature | None
    new: Signature | None
    places: dict[str, str | None]  # the new name of an old parameter; None for one that is dropped

    @classmethod
    def of(cls, own: OwnName) -> _Mapping:
        """The mapping that the settings describe."""
        if own.signature is None or own.replacement_signature is None:
            return cls(None, None, {})
        old, renamed = signature_of(own.signature), dict(own.renamed)
        places = {name: None if name in own.dropped else renamed.get(name, name) for name in old.parameters}
        return cls(old, signature_of(own.replacement_signature), places)

    @property
    def is_identity(self) -> bool:
        """Whether every argument list is right as it stands."""
        if self.old is None or self.new is None:
            return True
        same = all(name == place for name, place in self.places.items())
        return same and take_the_same(self.old, self.new)

    def plan(self, given: list[Argument]) -> tuple[Plan, list[Argument]]:
        """What becomes of an argument list, and the arguments that go; raises NoPlace."""
        if self.old is None or self.new is None:
            return Plan(), []
        bound = _bound(self.old, given)
        writing = _Writing(self.new)
        dropped = []
        for argument in given:
            place = self.places[bound[argument.number]]
            if place is None:
                dropped.append(argument)
            else:
                writing.pass_on(argument, self.new.parameters[place])
        passed = set(bound.values())
        for name, parameter in self.old.parameters.items():
            place = self.places[name]
            if name not in passed and place is not None:
                writing.write_out(parameter, self.new.parameters[place])
        drop = tuple(argument.number for argument in dropped)
        return Plan(drop=drop, spell=tuple(writing.spelled), append=tuple(writing.appended)), dropped

    def buffers(self, given: list[Argument], dropped: list[Argument]) -> tuple[ast.expr, ...]:
        """The dropped arguments into which the old function may have written."""
        if self.old is None or not dropped:
            return ()
        bound = _bound(self.old, given)
        return tuple(each.node for each in dropped if not is_flag(self.old.parameters[bound[each.number]]))

    def unproved(self, _module: Module, written: tuple[Written, ...]) -> str:
        """Each call that was written has the arguments that the new signature takes."""
        for after, _ in written if self.new is not None else ():
            call = ast.parse(f"({after})", mode="eval").body
            try:
                assert isinstance(call, ast.Call)
                assert self.new is not None
                _bound(self.new, arguments_of(call))
            except NoPlace as error:
                return f"`{short(call)}` would not be a call of the new signature: {error}"
        return ""


def _bound(signature: Signature, given: list[Argument]) -> dict[int, str]:
    """The parameter of each argument, by the argument's number; raises NoPlace."""
    plain = [argument for argument in given if argument.keyword is None]
    named = {argument.keyword: argument for argument in given if argument.keyword is not None}
    try:
        found = signature.bind(*plain, **named)
    except TypeError as error:
        raise NoPlace(f"the arguments do not fit {_text_of(signature)}: {error}") from None
    return {argument.number: name for name, argument in found.arguments.items()}


def _text_of(signature: Signature) -> str:
    return f"the signature ({', '.join(signature.parameters)})"


class _Writing:
    """Writes arguments in their old order: by position as long as they stand in their places, then by keyword."""

    def __init__(self, new: Signature) -> None:
        self.places = [each for each in new.parameters.values() if each.kind is not Parameter.KEYWORD_ONLY]
        self.by_position = 0
        self.only_keywords = False
        self.spelled: list[tuple[int, str]] = []
        self.appended: list[tuple[str, str]] = []

    def pass_on(self, argument: Argument, place: Parameter) -> None:
        """Pass an argument to a parameter, by position where it was so or has to be, if that is its place."""
        has_to = place.kind is Parameter.POSITIONAL_ONLY
        if (argument.keyword is None or has_to) and self._is_next(place):
            self.by_position += 1
            if argument.keyword is not None:
                self.spelled.append((argument.number, ""))
            return
        if has_to:
            text = f"`{short(argument.node)}` would have to come before others"
            raise NoPlace(f"{text} to be `{place.name}`, which has no keyword")
        self.only_keywords = True
        if argument.keyword != place.name:
            self.spelled.append((argument.number, place.name))

    def write_out(self, left_out: Parameter, place: Parameter) -> None:
        """Pass what the old function took by default, where the new one has another default."""
        if same_default(left_out, place):
            return
        if not is_constant(left_out.default):
            text = f"`{left_out.name}` is left out, and its old default `{left_out.default}` is no constant"
            raise NoPlace(f"{text} that could be written here: pass it")
        if place.kind is not Parameter.POSITIONAL_ONLY:
            self.only_keywords = True
            self.appended.append((place.name, left_out.default))
        elif self._is_next(place):
            self.by_position += 1
            self.appended.append(("", left_out.default))
        else:
            raise NoPlace(f"`{left_out.name}` is left out, and its old default has no place in front of others")

    def _is_next(self, place: Parameter) -> bool:
        left = self.places[self.by_position :]
        return not self.only_keywords and bool(left) and left[0] is place
