"""`vllm._custom_ops.paged_attention_rocm` of vLLM 0.9.0 and later: v2's argument list with scratch of its own.

What it takes beside that of v2 is `query_start_loc`, which is None for one query token a sequence.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from paged_attention_migrate.calls.arguments import Argument, can_go, can_stand_twice, short
from paged_attention_migrate.calls.binding import Bound, Entry, fp8_is_open
from paged_attention_migrate.calls.judging import ByRelease
from paged_attention_migrate.calls.scales import add_heads, count_heads, is_mapping, name_fp8
from paged_attention_migrate.calls.verdict import Hazard, Plan, Verdict
from paged_attention_migrate.findings import SAFE, UNSAFE
from paged_attention_migrate.targets import Place, Target, Written
from paged_attention_migrate.targets.scratch import NoRoom, Scratch, not_in_front, scratch_of
from paged_attention_shim.removed import NEW_NAMES, SCRATCH

if TYPE_CHECKING:
    from paged_attention_migrate.module import Module

_BLOCK_SIZES = (16, 32)
_CACHES = ("auto", "fp8", "fp8_e4m3")
_OLD_TAIL = (
    *("tp_rank", "blocksparse_local_blocks", "blocksparse_vert_stride"),
    *("blocksparse_block_size", "blocksparse_head_sliding_step"),
)


def _planned(bounds: list[Bound], place: Place) -> Verdict:
    arguments = {parameter.name: argument for parameter, argument in bounds[0].by_parameter}
    arguments = {NEW_NAMES.get(name, name): argument for name, argument in arguments.items()}
    by_name = {name: argument.node for name, argument in arguments.items()}
    hazards = _beyond_it(by_name)
    scratch = None
    if not hazards:
        try:
            scratch = scratch_of(place, arguments["query"], arguments["max_seq_len"])
        except NoRoom as error:
            hazards = [Hazard("PAM412", str(error))]
    if scratch is None:
        return Verdict(None, Plan(), tuple(hazards))
    plan = Plan(before=scratch.statements, imports=scratch.imports)
    fix: str | None = SAFE
    plan = _with_scratch(plan, arguments, scratch)
    if "head_mapping" in arguments or is_mapping(arguments.get("num_kv_heads")):
        plan, fix = count_heads(arguments, plan, fix, hazards)
    elif "num_kv_heads" not in arguments:
        plan, fix = add_heads(arguments, plan, fix, hazards)
    if fix is not None and fp8_is_open(bounds):
        fix = _meaning_of_fp8(bounds, arguments["kv_cache_dtype"], hazards, fix)
    plan = _with_scales(plan, arguments, bounds, scratch, hazards)
    plan = _with_the_rest(plan, arguments, scratch)
    replaced = tuple(argument for name, argument in arguments.items() if name in SCRATCH)
    for argument in (*replaced, *(arguments[name] for name in _OLD_TAIL if name in arguments)):
        if not can_go(argument.node):
            text = f"dropping `{short(argument.node)}` would also drop what evaluating it does"
            hazards.append(Hazard("PAM410", text))
    if any(hazard.code in ("PAM409", "PAM410") for hazard in hazards):
        return Verdict(None, Plan(), tuple(hazards), (), (), by_name)
    return Verdict(fix, plan, tuple(hazards), (), tuple(argument.node for argument in replaced), by_name)


def _beyond_it(arguments: dict[str, ast.expr]) -> list[Hazard]:
    """What the operator cannot do, as far as the arguments' own text says."""
    stride = arguments.get("blocksparse_vert_stride")
    if stride is not None and not (isinstance(stride, ast.Constant) and stride.value in (0, 1)):
        text = f"`{short(stride)}` may ask for block-sparse attention, which `paged_attention_rocm` does not have"
        return [Hazard("PAM411", f"{text}: `--target shim` moves it")]
    size = arguments["block_size"]
    if isinstance(size, ast.Constant) and size.value not in _BLOCK_SIZES:
        text = f"the block size is {short(size)}, and `paged_attention_rocm` takes 16 and 32"
        return [Hazard("PAM411", f"{text}: `--target shim` moves it")]
    dtype = arguments.get("kv_cache_dtype")
    if isinstance(dtype, ast.Constant) and dtype.value not in _CACHES:
        text = f"the cache is {short(dtype)}, and `paged_attention_rocm` reads auto, fp8 and fp8_e4m3"
        return [Hazard("PAM411", f"{text}: `--target shim` moves it")]
    return []


def _with_scratch(plan: Plan, arguments: dict[str, Argument], scratch: Scratch) -> Plan:
    new = dict(zip(("exp_sum", "max_logits", "tmp_out"), scratch.names, strict=True))
    for name, argument in arguments.items():
        if name in SCRATCH:
            own = "exp_sum" if name == "exp_sums" else name
            plan = plan._replace(replace=(*plan.replace, (argument.number, new.pop(own))))
            plan = _renamed(plan, argument, own)
        else:
            plan = _renamed(plan, argument, name)
    put_in = [(arguments["out"].number, name, text) for name, text in new.items()]
    put_in.append((arguments["seq_lens"].number, "query_start_loc", "None"))
    return plan._replace(insert_after=tuple(put_in))


def _renamed(plan: Plan, argument: Argument, name: str) -> Plan:
    if argument.keyword in (None, name, "kv_scale", "head_mapping"):
        return plan
    return plan._replace(rename=(*plan.rename, (argument.number, name)))


def _meaning_of_fp8(bounds: list[Bound], argument: Argument, hazards: list[Hazard], fix: str) -> str | None:
    if {bound.generation.label for bound in bounds} <= {"G5", "G6"}:
        text = 'in vLLM 0.4.1 and 0.4.2 "fp8" meant e4m3 on ROCm, as it does here, and unscaled e5m2 on NVIDIA'
        hazards.append(Hazard("PAM408", text))
        return UNSAFE
    return name_fp8(bounds, argument, Plan(), fix, hazards)[1]


def _with_scales(
    plan: Plan, arguments: dict[str, Argument], bounds: list[Bound], scratch: Scratch, hazards: list[Hazard]
) -> Plan:
    """Scales must be tensors; before vLLM 0.7.0 they were numbers."""
    kinds = {
        parameter.kind for bound in bounds for parameter, _ in bound.by_parameter if parameter.name.endswith("_scale")
    }
    for name in ("kv_scale", "k_scale", "v_scale"):
        argument = arguments.get(name)
        if argument is None:
            continue
        if name == "kv_scale" and not can_stand_twice(argument.node):
            text = f"`kv_scale` became two scales, and `{short(argument.node)}` cannot be written twice: name it first"
            hazards.append(Hazard("PAM409", text))
        elif name == "kv_scale":
            tensor = _tensor_of(argument.node, kinds, scratch)
            plan = plan._replace(
                replace=(*plan.replace, (argument.number, tensor)),
                insert_after=(*plan.insert_after, (argument.number, "v_scale", tensor)),
            )
            if argument.keyword is not None:
                plan = plan._replace(rename=(*plan.rename, (argument.number, "k_scale")))
        elif kinds != {"tensor"} or isinstance(argument.node, ast.Constant):
            tensor = _tensor_of(argument.node, kinds, scratch)
            plan = plan._replace(replace=(*plan.replace, (argument.number, tensor)))
    return plan


def _tensor_of(node: ast.expr, kinds: set[str], scratch: Scratch) -> str:
    """A scale as a tensor: filled with a number, or taken over where it may be a tensor already."""
    text, device = ast.unparse(node), f"{scratch.query}.device"
    if kinds == {"float"} or isinstance(node, ast.Constant):
        return f"{scratch.torch}.full((), {text}, dtype={scratch.torch}.float32, device={device})"
    return f"{scratch.torch}.as_tensor({text}, dtype={scratch.torch}.float32, device={device})"


def _with_the_rest(plan: Plan, arguments: dict[str, Argument], scratch: Scratch) -> Plan:
    """What older lists did not have behind what they had, and what this one no longer has."""
    gone = {arguments[name].number for name in _OLD_TAIL if name in arguments}
    last = max(argument.number for argument in arguments.values() if argument.number not in gone)
    one = _tensor_of(ast.Constant(1.0), {"float"}, scratch)
    there = {*arguments, *(("k_scale", "v_scale") if "kv_scale" in arguments else ())}
    wanted = (("alibi_slopes", "None"), ("kv_cache_dtype", '"auto"'), ("k_scale", one), ("v_scale", one))
    put_in = tuple((last, name, text) for name, text in wanted if name not in there)
    return plan._replace(drop=tuple(sorted(gone)), insert_after=(*plan.insert_after, *put_in))


def _with_star(_given: list[Argument], _entries: list[Entry]) -> Verdict:
    text = "a star hides the arguments that the scratch of `paged_attention_rocm` is sized by: write them out"
    return Verdict(None, Plan(), (Hazard("PAM405", text),))


def _partly(_given: list[Argument], _entries: list[Entry]) -> Verdict:
    text = "the scratch of `paged_attention_rocm` is sized when it is called: make a function of the partial"
    return Verdict(None, Plan(), (Hazard("PAM412", text),))


def _unproved(module: Module, written: tuple[Written, ...]) -> str:
    """Each call has every argument and follows the allocation of just its buffers, for its own query and length."""
    names = {each.partition(" = ")[0] for _, statements in written for each in statements}
    there = {ast.dump(node): node for node in ast.walk(module.tree) if isinstance(node, ast.Call)}
    for after, _ in written:
        if ast.dump(ast.parse(f"({after})", mode="eval").body) not in there:
            return f"`{after.partition('(')[0]}` would be called in another way"
    calls = [node for node in ast.walk(module.tree) if isinstance(node, ast.Call) and _names_any(node, names)]
    calls += [there[ast.dump(ast.parse(f"({after})", mode="eval").body)] for after, _ in written]
    for node in calls:
        if not _has_all(node) or {ast.unparse(_argument(node, each)) for each in _BUFFERS} != names:
            return f"the call at line {node.lineno} would not have the arguments that the operator takes"
        if not_in_front(module, node, _argument(node, "query"), _argument(node, "max_seq_len")):
            return f"the scratch of the call at line {node.lineno} would not be allocated in front of it"
    return ""


_BUFFERS = ("exp_sum", "max_logits", "tmp_out")


_PARAMETERS = (
    *("out", "exp_sum", "max_logits", "tmp_out", "query", "key_cache", "value_cache", "num_kv_heads", "scale"),
    *("block_tables", "seq_lens", "query_start_loc", "block_size", "max_seq_len", "alibi_slopes", "kv_cache_dtype"),
    *("k_scale", "v_scale"),
)


def _has_all(call: ast.Call) -> bool:
    named = {keyword.arg for keyword in call.keywords}
    return named == set(_PARAMETERS[len(call.args) :]) and len(named) == len(call.keywords)


def _argument(call: ast.Call, name: str) -> ast.expr:
    number = _PARAMETERS.index(name)
    named = {keyword.arg: keyword.value for keyword in call.keywords}
    return call.args[number] if number < len(call.args) else named[name]


def _names_any(call: ast.Call, names: set[str]) -> bool:
    """Whether a buffer stands among the arguments: in `empty_like`, which makes one of another, it may."""
    given = [*call.args, *(keyword.value for keyword in call.keywords)]
    own = isinstance(call.func, ast.Attribute) and call.func.attr == "empty_like"
    return not own and any(isinstance(node, ast.Name) and node.id in names for node in given)


TARGET = Target(
    module="vllm._custom_ops",
    function="paged_attention_rocm",
    other_name="vllm_paged_attention_rocm",
    unfilled="the rewritten call fills buffers of its own, for partitions of 256 tokens: read those",
    takes_old=False,
    stored=(
        "`paged_attention_rocm` takes other arguments than whoever calls what is stored here passes: "
        "call it by its name, with scratch buffers"
    ),
    judged=ByRelease(_planned, _with_star, _partly).judged,
    unproved=_unproved,
    through_variables=False,
)
