"""Binds the arguments of a call against the parameter lists that a removed function had over the years.

The result is a plan: which arguments go, which keywords change, what is put in.
Nothing is guessed: when two parameter lists fit and mean different things, the call is for a person.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable
from typing import NamedTuple

from paged_attention_migrate.findings import SAFE, UNSAFE
from paged_attention_shim.removed import (
    REQUIRED,
    SURVIVING,
    Generation,
    Home,
    Parameter,
    RemovedName,
    generations_at,
)

Entry = tuple[RemovedName, Home]

SCRATCH = frozenset({"exp_sum", "exp_sums", "max_logits", "tmp_out"})
_NEW_NAMES = {"context_lens": "seq_lens", "max_context_len": "max_seq_len"}
_SURVIVING_NAMES = tuple(parameter.name for parameter in SURVIVING)
_RANK = re.compile(r"(^|_)(tp_?)?rank$|current_device$")
_SCALE = re.compile(r"scale")
_MAPPING = re.compile(r"mapping")
_HEADS = re.compile(r"(^|_)(n|num)?_?(kv)?_?heads?(_num)?$|^n?kvh?$|kv_?heads?|num_?heads?")
_ALLOCATORS = frozenset({"empty", "zeros", "ones", "full", "tensor", "empty_like", "zeros_like", "ones_like", "full_like"})


class Argument(NamedTuple):
    """One argument as it stands in the call, counted from 0 in source order."""

    index: int
    node: ast.expr
    keyword: str | None
    star: str  # "", "*" or "**"


class Plan(NamedTuple):
    """How an argument list changes; indices count the old arguments in source order."""

    drop: tuple[int, ...] = ()
    rename: tuple[tuple[int, str], ...] = ()
    split: tuple[int, ...] = ()  # one scale becomes k_scale and v_scale
    replace: tuple[tuple[int, str], ...] = ()
    insert_after: tuple[tuple[int, str], ...] = ()
    arrange: tuple[int | str, ...] | None = None  # the whole list anew: old indices and literal texts

    @property
    def is_identity(self) -> bool:
        return self == Plan()


class Hazard(NamedTuple):
    """A PAM4xx remark on a call: its code and one sentence."""

    code: str
    message: str


class Verdict(NamedTuple):
    """What may be done with a call, and why not more."""

    fix: str | None
    plan: Plan
    hazards: tuple[Hazard, ...] = ()
    reasons: tuple[str, ...] = ()
    scratch: tuple[ast.expr, ...] = ()
    arguments: dict[str, ast.expr] = {}


def arguments_of(call: ast.Call) -> list[Argument]:
    """The arguments in source order."""
    found = [(argument, None, "*" if isinstance(argument, ast.Starred) else "") for argument in call.args]
    found += [(keyword.value, keyword.arg, "" if keyword.arg else "**") for keyword in call.keywords]  # type: ignore[misc]
    found.sort(key=lambda item: (item[0].lineno, item[0].col_offset))
    return [Argument(index, *item) for index, item in enumerate(found)]


def judge(
    call: ast.Call,
    entries: Iterable[Entry],
    version: str | None,
    pinned: Callable[[], str | None],
    skip: int = 0,
    complete: bool = True,
) -> Verdict:
    """Say how a call to one of `entries` (the same function, perhaps from several homes) becomes the surviving one.

    `skip` leading arguments are not the function's own (1 inside `functools.partial`);
    `complete` is False when more arguments follow later.
    """
    given = arguments_of(call)[skip:]
    entries = list(entries)
    if any(argument.star for argument in given):
        return _with_star(call, given, entries)
    if not complete:
        return _partly(given, entries)
    fitting = _fitting(given, entries, version)
    if not fitting:
        return _misfit(given, entries)
    if len({_meaning(bound) for bound in fitting}) > 1 or _fp8_is_open(given, fitting):
        settled = pinned() if version is None else None
        narrowed = _fitting(given, entries, settled) if settled else []
        fitting = narrowed or fitting
    fitting = _plausible(fitting)
    meanings = {_meaning(bound) for bound in fitting}
    if len(meanings) > 1:
        return _ambiguous(fitting)
    return _planned(fitting)


class Bound(NamedTuple):
    """Arguments bound to one generation's parameters."""

    generation: Generation
    home: Home
    by_parameter: tuple[tuple[Parameter, Argument], ...]


def _fitting(given: list[Argument], entries: list[Entry], version: str | None) -> list[Bound]:
    found = []
    for name, home in entries:
        for generation in generations_at(name, home, version):
            bound = _bind(given, generation, home)
            if bound is not None:
                found.append(bound)
    return found


def _bind(given: list[Argument], generation: Generation, home: Home) -> Bound | None:
    parameters = {parameter.name: parameter for parameter in generation.parameters}
    positional = [argument for argument in given if argument.keyword is None]
    if len(positional) > len(generation.parameters):
        return None
    taken: dict[str, Argument] = {}
    for parameter, argument in zip(generation.parameters, positional):
        taken[parameter.name] = argument
    for argument in given:
        if argument.keyword is None:
            continue
        name = argument.keyword
        if name not in parameters and name in {"exp_sum", "exp_sums"}:
            name = "exp_sums" if name == "exp_sum" else "exp_sum"
        if home.call_style == "pybind" or name not in parameters or name in taken:
            return None
        taken[name] = argument
    for parameter in generation.parameters:
        needed = parameter.default is REQUIRED or home.call_style != "wrapper"
        if needed and parameter.name not in taken:
            return None
    return Bound(generation, home, tuple((parameters[name], argument) for name, argument in taken.items()))


def _meaning(bound: Bound) -> tuple[tuple[str, int], ...]:
    """Which surviving parameter every argument ends in: equal meanings give equal rewrites."""
    found = []
    for parameter, argument in bound.by_parameter:
        found.append((_NEW_NAMES.get(parameter.name, parameter.name), argument.index))
    return tuple(sorted(found))


def _plausible(fitting: list[Bound]) -> list[Bound]:
    """Leave out the readings that an argument's own form contradicts, or that nobody writes."""
    if len({_meaning(bound) for bound in fitting}) == 1:
        return fitting
    sound = [bound for bound in fitting if not _contradicted(bound)] or fitting
    if len({_meaning(bound) for bound in sound}) == 1:
        return sound
    # A wrapper's tail has defaults: fourteen plain arguments end with the two scales, not in the middle of the tail.
    ending = [bound for bound in sound if bound.by_parameter and _ends_at_scales(bound)]
    return ending if ending and len({_meaning(bound) for bound in ending}) == 1 else sound


def _ends_at_scales(bound: Bound) -> bool:
    required = sum(parameter.default is REQUIRED for parameter in bound.generation.parameters)
    return len(bound.by_parameter) == required


def _contradicted(bound: Bound) -> bool:
    return any(_contradicts(parameter, argument.node) for parameter, argument in bound.by_parameter)


def _contradicts(parameter: Parameter, node: ast.expr) -> bool:
    form = form_of(node)
    if parameter.name == "head_mapping":
        return form in {"int", "float", "heads"}
    if parameter.name == "num_kv_heads":
        return form in {"mapping", "tensor", "float"}
    if parameter.name in {"kv_scale", "k_scale", "v_scale"}:
        return form in {"zero", "rank", "str"}
    if parameter.kind == "int":
        return form in {"scale", "float", "tensor", "str", "mapping"}
    if parameter.kind == "str":
        return form in {"int", "zero", "float", "tensor"}
    return False


def form_of(node: ast.expr) -> str:
    """What an argument's own text says it is: int, zero, float, str, tensor, rank, scale, mapping, heads or ""."""
    if isinstance(node, ast.UnaryOp):
        return form_of(node.operand)
    if isinstance(node, ast.Constant):
        if isinstance(node.value, bool) or node.value is None:
            return ""
        if isinstance(node.value, int):
            return "int" if node.value else "zero"
        return type(node.value).__name__ if isinstance(node.value, (float, str)) else ""
    if isinstance(node, ast.Call):
        callee = node.func
        last = callee.attr if isinstance(callee, ast.Attribute) else callee.id if isinstance(callee, ast.Name) else ""
        if last in _ALLOCATORS:
            return "tensor"
        return "int" if last in {"len", "int", "size"} else "rank" if _RANK.search(last) else ""
    if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Attribute) and node.value.attr == "shape":
        return "int"
    last = node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""
    for form, pattern in (("mapping", _MAPPING), ("scale", _SCALE), ("rank", _RANK), ("heads", _HEADS)):
        if last and pattern.search(last.lower()):
            return form
    return ""


def _planned(fitting: list[Bound]) -> Verdict:
    bound = fitting[0]
    arguments = {parameter.name: argument for parameter, argument in bound.by_parameter}
    plan = Plan()
    hazards: list[Hazard] = []
    fix: str | None = SAFE
    reasons: list[str] = []
    dropped: list[Argument] = []
    for parameter, argument in bound.by_parameter:
        if parameter.name in SCRATCH:
            dropped.append(argument)
        elif argument.keyword in _NEW_NAMES:
            plan = plan._replace(rename=(*plan.rename, (argument.index, _NEW_NAMES[argument.keyword])))
    plan = plan._replace(drop=tuple(sorted(argument.index for argument in dropped)))
    if "kv_scale" in arguments:
        plan, fix = _split_scale(arguments["kv_scale"], plan, fix, hazards)
    if "head_mapping" in arguments or _is_mapping(arguments.get("num_kv_heads")):
        plan, fix = _count_heads(arguments, plan, fix, hazards)
    elif "num_kv_heads" not in arguments:
        plan, fix = _add_heads(arguments, plan, fix, hazards)
    if fix is not None and _fp8_is_open([], fitting):
        plan, fix = _name_fp8(fitting, arguments["kv_cache_dtype"], plan, fix, hazards)
    for argument in dropped:
        if not can_go(argument.node):
            fix = None
            hazards.append(Hazard("PAM410", f"dropping `{short(argument.node)}` would also drop what evaluating it does"))
    scratch = tuple(argument.node for argument in dropped)
    by_name = {name: argument.node for name, argument in arguments.items()}
    return Verdict(fix, plan, tuple(hazards), tuple(reasons), scratch, by_name)


def _split_scale(argument: Argument, plan: Plan, fix: str | None, hazards: list[Hazard]) -> tuple[Plan, str | None]:
    if not _can_stand_twice(argument.node):
        hazards.append(
            Hazard(
                "PAM409",
                f"`kv_scale` became `k_scale` and `v_scale`, and `{short(argument.node)}` cannot be written twice: "
                "give it a name first",
            )
        )
        return plan, None
    return plan._replace(split=(*plan.split, argument.index)), fix


def _is_mapping(argument: Argument | None) -> bool:
    return argument is not None and form_of(argument.node) in {"mapping", "tensor"}


def _count_heads(
    arguments: dict[str, Argument], plan: Plan, fix: str | None, hazards: list[Hazard]
) -> tuple[Plan, str | None]:
    mapping = arguments.get("head_mapping") or arguments["num_kv_heads"]
    key_cache = arguments["key_cache"].node
    if not _can_stand_twice(key_cache):
        text = f"`{short(mapping.node)}` maps heads; the surviving call takes the number of KV heads, `shape[1]` of the key cache"
        hazards.append(Hazard("PAM403", text))
        return plan, None
    heads = f"{ast.unparse(key_cache)}.shape[1]"
    text = (
        f"`{short(mapping.node)}` maps query heads to KV heads; the surviving call takes their number, `{heads}`, "
        "which is the same only when neighbouring query heads share a KV head"
    )
    hazards.append(Hazard("PAM403", text))
    plan = plan._replace(replace=(*plan.replace, (mapping.index, heads)))
    if mapping.keyword == "head_mapping":
        plan = plan._replace(rename=(*plan.rename, (mapping.index, "num_kv_heads")))
    return plan, UNSAFE if fix else None


def _add_heads(
    arguments: dict[str, Argument], plan: Plan, fix: str | None, hazards: list[Hazard]
) -> tuple[Plan, str | None]:
    key_cache, value_cache = arguments["key_cache"].node, arguments["value_cache"]
    if not _can_stand_twice(key_cache):
        hazards.append(
            Hazard("PAM409", f"the number of KV heads is `shape[1]` of `{short(key_cache)}`, which cannot be written twice: name it first")
        )
        return plan, None
    # Before 0.1.3 there were as many KV heads as query heads, so the cache's own count is the number.
    return plan._replace(insert_after=((value_cache.index, f"{ast.unparse(key_cache)}.shape[1]"),)), fix


def _fp8_is_open(given: list[Argument], fitting: list[Bound]) -> bool:
    for bound in fitting:
        for parameter, argument in bound.by_parameter:
            is_fp8 = isinstance(argument.node, ast.Constant) and argument.node.value == "fp8"
            if parameter.name == "kv_cache_dtype" and is_fp8 and bound.generation.label in {"G5", "G6"}:
                return True
    return False


def _name_fp8(
    fitting: list[Bound], argument: Argument, plan: Plan, fix: str | None, hazards: list[Hazard]
) -> tuple[Plan, str | None]:
    labels = {bound.generation.label for bound in fitting}
    if labels <= {"G5", "G6"}:
        text = 'in vLLM 0.4.1 and 0.4.2 "fp8" meant unscaled e5m2 on NVIDIA; it is called "fp8_e5m2" now (on ROCm it meant e4m3)'
        hazards.append(Hazard("PAM408", text))
        return plan._replace(replace=(*plan.replace, (argument.index, '"fp8_e5m2"'))), UNSAFE if fix else None
    text = '"fp8" meant unscaled e5m2 in vLLM 0.4.1 and 0.4.2 and e4m3 from 0.4.3 on, and this argument list fits both: say which with --from-version'
    hazards.append(Hazard("PAM408", text))
    return plan, None


def _ambiguous(fitting: list[Bound]) -> Verdict:
    ranges = []
    for bound in fitting:
        text = f"{bound.generation.first} to {bound.generation.last}"
        if text not in ranges:
            ranges.append(text)
    text = (
        f"the argument list fits vLLM {' and '.join(ranges)}, which read it differently: "
        "say which release the code was written for with --from-version"
    )
    return Verdict(None, Plan(), (Hazard("PAM404", text),))


def _misfit(given: list[Argument], entries: list[Entry]) -> Verdict:
    name, home = entries[0]
    keywords = sorted(argument.keyword for argument in given if argument.keyword)
    known = {parameter.name for entry, _ in entries for generation in entry.generations for parameter in generation.parameters}
    strange = [keyword for keyword in keywords if keyword not in known | SCRATCH]
    if strange:
        why = f"`{strange[0]}` is no parameter of `{name.name}` in any release"
    elif keywords and home.call_style == "pybind":
        why = f"`{home.path}` took no keywords in any release, so the call never worked"
    else:
        why = f"{len(given)} arguments fit no parameter list that `{home.path}.{name.name}` ever had"
    return Verdict(None, Plan(), (Hazard("PAM404", why),))


def _with_star(call: ast.Call, given: list[Argument], entries: list[Entry]) -> Verdict:
    name, home = entries[0]
    plan = Plan()
    hazards: list[Hazard] = []
    fix: str | None = SAFE
    for argument in given:
        if argument.keyword in _NEW_NAMES:
            plan = plan._replace(rename=(*plan.rename, (argument.index, _NEW_NAMES[argument.keyword])))
        elif argument.keyword == "kv_scale":
            plan, fix = _split_scale(argument, plan, fix, hazards)
        elif argument.keyword and argument.keyword not in (*_SURVIVING_NAMES, *SCRATCH):
            return _misfit(given, entries)
    stars = " and ".join(f"`{argument.star}{short(_unstarred(argument.node))}`" for argument in given if argument.star)
    old = [entry_home.path for _, entry_home in entries if entry_home.call_style == "pybind"]
    if old and fix:
        fix = UNSAFE
        hazards.append(Hazard("PAM405", f"{stars} may hold one of the older parameter lists of `{old[0]}`"))
    if not name.scratch:
        hazards.append(Hazard("PAM405", f"{stars} is passed on as it is: what it holds could not be counted"))
        return Verdict(fix, plan, tuple(hazards))
    return _star_with_scratch(given, plan, fix, stars, hazards)


def _star_with_scratch(
    given: list[Argument], plan: Plan, fix: str | None, stars: str, hazards: list[Hazard]
) -> Verdict:
    leading = []
    for argument in given:
        if argument.star or argument.keyword:
            break
        leading.append(argument)
    named = [argument for argument in given if argument.keyword in SCRATCH]
    dropped = leading[1:4] if len(leading) >= 4 else named if len(named) == 3 else None
    if dropped is not None:
        hazards.append(Hazard("PAM405", f"{stars} is passed on as it is: what it holds could not be counted"))
        bad = [argument for argument in dropped if not can_go(argument.node)]
        if bad:
            text = f"dropping `{short(bad[0].node)}` would also drop what evaluating it does"
            hazards.append(Hazard("PAM410", text))
            fix = None
        plan = plan._replace(drop=tuple(argument.index for argument in dropped))
        return Verdict(fix, plan, tuple(hazards), (), tuple(argument.node for argument in dropped))
    first = given[0]
    inner = _unstarred(first.node)
    alone = first.star == "*" and isinstance(inner, ast.Name) and not any(argument.star for argument in given[1:])
    if alone and isinstance(inner, ast.Name):
        text = f"the scratch buffers are items 1 to 3 of `{inner.id}`, if that is a tuple or list with every argument"
        hazards.append(Hazard("PAM405", text))
        plan = plan._replace(replace=((first.index, f"{inner.id}[0], *{inner.id}[4:]"),))
        return Verdict(UNSAFE if fix else None, plan, tuple(hazards))
    hazards.append(Hazard("PAM405", f"the scratch buffers to drop are somewhere in {stars}: take them out where it is built"))
    return Verdict(None, plan, tuple(hazards))


def _partly(given: list[Argument], entries: list[Entry]) -> Verdict:
    """A `functools.partial`: the first arguments now, the rest at the call."""
    name, home = entries[0]
    positional = [argument for argument in given if argument.keyword is None]
    scratch = len([parameter for parameter in name.generations[-1].parameters if parameter.name in SCRATCH])
    plan = Plan()
    hazards: list[Hazard] = []
    fix: str | None = SAFE
    for argument in given:
        if argument.keyword in _NEW_NAMES:
            plan = plan._replace(rename=(*plan.rename, (argument.index, _NEW_NAMES[argument.keyword])))
        elif argument.keyword == "kv_scale":
            plan, fix = _split_scale(argument, plan, fix, hazards)
        elif argument.keyword and argument.keyword not in (*_SURVIVING_NAMES, *SCRATCH):
            return _misfit(given, entries)
    if home.call_style == "pybind" and len(positional) > 4 + scratch or len(positional) > 12 + scratch:
        text = "which release's parameter list this continues cannot be told from a part of it"
        return Verdict(None, Plan(), (Hazard("PAM404", text),))
    if not scratch:
        return Verdict(fix, plan, tuple(hazards))
    named = [argument for argument in given if argument.keyword in SCRATCH]
    dropped = positional[1:4] if len(positional) >= 4 else named if len(named) == 3 else None
    if dropped is None:
        text = "the scratch buffers are passed when the partial is called: drop them there and rename by hand"
        return Verdict(None, Plan(), (Hazard("PAM405", text),))
    if not all(can_go(argument.node) for argument in dropped):
        return Verdict(None, Plan(), (Hazard("PAM410", "dropping the scratch would also drop what evaluating it does"),))
    plan = plan._replace(drop=tuple(argument.index for argument in dropped))
    return Verdict(fix, plan, tuple(hazards), (), tuple(argument.node for argument in dropped))


def judge_forward_decode(
    call: ast.Call, entries: Iterable[Entry], version: str | None, pinned: Callable[[], str | None]
) -> Verdict:
    """`PagedAttention.forward_decode(query, ...)` made its own output and took the block size from the cache."""
    entries = list(entries)
    given = arguments_of(call)
    if any(argument.star for argument in given):
        text = "the arguments of `forward_decode` stand in another order than those of the surviving call, so a star cannot be passed on"
        return Verdict(None, Plan(), (Hazard("PAM405", text),))
    fitting = _fitting(given, entries, version)
    if fitting and len({_meaning(bound) for bound in fitting}) > 1 and version is None:
        settled = pinned()
        fitting = (_fitting(given, entries, settled) if settled else []) or fitting
    fitting = _plausible(fitting)
    if not fitting:
        return _misfit(given, entries)
    if len({_meaning(bound) for bound in fitting}) > 1:
        return _ambiguous(fitting)
    arguments = {_NEW_NAMES.get(parameter.name, parameter.name): argument for parameter, argument in fitting[0].by_parameter}
    return _arranged(arguments)


def _arranged(arguments: dict[str, Argument]) -> Verdict:
    value_cache = arguments["value_cache"].node
    if not _can_stand_twice(value_cache):
        text = f"the block size is `shape[3]` of `{short(value_cache)}`, which cannot be written twice: name it first"
        return Verdict(None, Plan(), (Hazard("PAM409", text),))
    if "kv_scale" in arguments:
        if not _can_stand_twice(arguments["kv_scale"].node):
            text = f"`kv_scale` became two scales, and `{short(arguments['kv_scale'].node)}` cannot be written twice: name it first"
            return Verdict(None, Plan(), (Hazard("PAM409", text),))
        arguments["k_scale"] = arguments["v_scale"] = arguments.pop("kv_scale")
    items: list[int | str] = ["None"]
    by_position = True
    for parameter in SURVIVING[1:]:
        if parameter.name == "block_size":
            items.append(f"{ast.unparse(value_cache)}.shape[3]")
            continue
        argument = arguments.get(parameter.name)
        if argument is None:
            by_position = False
            continue
        plain = by_position and (argument.keyword is None or parameter.default is REQUIRED or parameter.name in {"alibi_slopes", "kv_cache_dtype", "k_scale", "v_scale"})
        by_position = by_position and plain
        items.append(argument.index if plain else f"{parameter.name}={ast.unparse(argument.node)}")
    impure = [argument for argument in arguments.values() if not can_go(argument.node)]
    plan = Plan(arrange=tuple(items))
    by_name = {name: argument.node for name, argument in arguments.items()}
    if impure:
        text = f"the arguments change their order, and evaluating `{short(impure[0].node)}` may do something"
        return Verdict(UNSAFE, plan, (Hazard("PAM410", text),), (), (), by_name)
    return Verdict(SAFE, plan, (), (), (), by_name)


def can_go(node: ast.expr) -> bool:
    """Whether evaluating an expression does nothing but give its value: names, attributes, arithmetic, new tensors."""
    if isinstance(node, (ast.Constant, ast.Name)):
        return True
    if isinstance(node, ast.Attribute):
        return can_go(node.value)
    if isinstance(node, ast.Call):
        callee = node.func
        last = callee.attr if isinstance(callee, ast.Attribute) else callee.id if isinstance(callee, ast.Name) else ""
        known = last in _ALLOCATORS | {"size", "len", "int", "float", "min", "max", "new_empty", "new_zeros", "view", "item", "cdiv", "ceil", "sqrt"}
        parts = [*node.args, *(keyword.value for keyword in node.keywords), *([callee.value] if isinstance(callee, ast.Attribute) else [])]
        return known and all(can_go(part) for part in parts)
    if isinstance(node, (ast.Subscript, ast.BinOp, ast.UnaryOp, ast.Tuple, ast.List, ast.Compare, ast.BoolOp, ast.IfExp, ast.Slice)):
        return all(can_go(child) for child in ast.iter_child_nodes(node) if isinstance(child, ast.expr))
    return False


def _can_stand_twice(node: ast.expr) -> bool:
    if isinstance(node, ast.Attribute):
        return _can_stand_twice(node.value)
    if isinstance(node, ast.Subscript):
        return _can_stand_twice(node.value) and isinstance(node.slice, (ast.Constant, ast.Name))
    if isinstance(node, ast.UnaryOp):
        return isinstance(node.operand, ast.Constant)
    return isinstance(node, (ast.Name, ast.Constant))


def _unstarred(node: ast.expr) -> ast.expr:
    return node.value if isinstance(node, ast.Starred) else node


def short(node: ast.expr) -> str:
    """An expression for a message, at most 40 characters."""
    text = " ".join(ast.unparse(node).split())
    return text if len(text) <= 40 else text[:37] + "..."
