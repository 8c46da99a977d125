"""Parameter lists that a project writes down: read, and held against each other."""

from __future__ import annotations

import ast
from inspect import Parameter, Signature

_FLAGS = frozenset(["bool", "int", "float", "str", "bytes"])


def signature_of(text: str) -> Signature:
    """The signature that a parameter list in brackets says, defaults and annotations as text.

    Raises ValueError, with what is wrong as half a sentence.
    """
    source = f"def f{text.strip()}: pass"
    try:
        tree = ast.parse(source if text.strip().startswith("(") else "(")
    except (SyntaxError, ValueError) as error:
        message = error.msg if isinstance(error, SyntaxError) else error
        raise ValueError(f"does not parse as a parameter list in brackets ({message})") from None
    function = tree.body[0]
    if len(tree.body) > 1 or not isinstance(function, ast.FunctionDef) or not isinstance(function.body[0], ast.Pass):
        raise ValueError("is more than a parameter list in brackets")
    given = function.args
    star = given.vararg or given.kwarg
    if star is not None:
        sign = "*" if star is given.vararg else "**"
        raise ValueError(f"has {sign}{star.arg}; parameters that have names are accepted")
    plain = [*given.posonlyargs, *given.args]
    defaults: list[ast.expr | None] = [None] * (len(plain) - len(given.defaults)) + list(given.defaults)
    parameters = []
    for number, (argument, default) in enumerate(zip(plain, defaults, strict=True)):
        before_slash = number < len(given.posonlyargs)
        kind = Parameter.POSITIONAL_ONLY if before_slash else Parameter.POSITIONAL_OR_KEYWORD
        parameters.append(_parameter(argument, kind, default, source))
    for argument, default in zip(given.kwonlyargs, given.kw_defaults, strict=True):
        parameters.append(_parameter(argument, Parameter.KEYWORD_ONLY, default, source))
    try:
        return Signature(parameters)
    except ValueError as error:
        raise ValueError(f"is none ({error})") from None


def _parameter(argument: ast.arg, kind: object, default: ast.expr | None, source: str) -> Parameter:
    return Parameter(
        argument.arg,
        kind,  # type: ignore[arg-type]  # a member of an enumeration that has no public name
        default=Parameter.empty if default is None else ast.get_source_segment(source, default),
        annotation=Parameter.empty if argument.annotation is None else ast.unparse(argument.annotation),
    )


def take_the_same(old: Signature, new: Signature) -> bool:
    """Whether every argument list of the old signature means the same in the new one."""
    pairs = list(zip(old.parameters.values(), new.parameters.values(), strict=False))
    same = all((one.name, one.kind) == (other.name, other.kind) and same_default(one, other) for one, other in pairs)
    return same and len(old.parameters) == len(new.parameters)


def same_default(one: Parameter, other: Parameter) -> bool:
    """Whether two parameters have the same default, or none, however it is spelled."""
    if Parameter.empty in (one.default, other.default):
        return one.default is other.default
    return ast.dump(ast.parse(one.default, mode="eval")) == ast.dump(ast.parse(other.default, mode="eval"))


def is_constant(text: str) -> bool:
    """Whether a default can be written wherever a call stands: it needs no name, and nobody can change it."""
    try:
        hash(ast.literal_eval(text))
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return False
    return True


def is_flag(parameter: Parameter) -> bool:
    """Whether a parameter takes what nothing can be written into, by its annotation or default."""
    if parameter.annotation in _FLAGS:
        return True
    if parameter.default is Parameter.empty or not is_constant(parameter.default):
        return False
    return isinstance(ast.literal_eval(parameter.default), (bool, int, float, str, bytes))
