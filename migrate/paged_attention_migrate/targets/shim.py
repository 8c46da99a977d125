"""`paged_attention_shim.paged_attention`: the argument list of the last v1, without scratch."""

from __future__ import annotations

from typing import TYPE_CHECKING

from paged_attention_migrate.calls.arguments import Argument, can_go, short
from paged_attention_migrate.calls.binding import Bound, fp8_is_open
from paged_attention_migrate.calls.judging import ByRelease
from paged_attention_migrate.calls.scales import add_heads, count_heads, is_mapping, name_fp8, split_scale
from paged_attention_migrate.calls.stars import partly, with_star
from paged_attention_migrate.calls.verdict import Hazard, Plan, Verdict
from paged_attention_migrate.findings import SAFE
from paged_attention_migrate.targets import Place, Target, Written
from paged_attention_shim.removed import NEW_NAMES, SCRATCH

if TYPE_CHECKING:
    from paged_attention_migrate.module import Module


def _planned(bounds: list[Bound], _place: Place) -> Verdict:
    bound = bounds[0]
    arguments = {parameter.name: argument for parameter, argument in bound.by_parameter}
    plan = Plan()
    hazards: list[Hazard] = []
    fix: str | None = SAFE
    dropped: list[Argument] = []
    for parameter, argument in bound.by_parameter:
        if parameter.name in SCRATCH:
            dropped.append(argument)
        elif argument.keyword in NEW_NAMES:
            plan = plan._replace(rename=(*plan.rename, (argument.number, NEW_NAMES[argument.keyword])))
    plan = plan._replace(drop=tuple(sorted(argument.number for argument in dropped)))
    if "kv_scale" in arguments:
        plan, fix = split_scale(arguments["kv_scale"], plan, fix, hazards)
    if "head_mapping" in arguments or is_mapping(arguments.get("num_kv_heads")):
        plan, fix = count_heads(arguments, plan, fix, hazards)
    elif "num_kv_heads" not in arguments:
        plan, fix = add_heads(arguments, plan, fix, hazards)
    if fix is not None and fp8_is_open(bounds):
        plan, fix = name_fp8(bounds, arguments["kv_cache_dtype"], plan, fix, hazards)
    for argument in dropped:
        if not can_go(argument.node):
            fix = None
            hazards.append(
                Hazard("PAM410", f"dropping `{short(argument.node)}` would also drop what evaluating it does")
            )
    scratch = tuple(argument.node for argument in dropped)
    by_name = {name: argument.node for name, argument in arguments.items()}
    return Verdict(fix, plan, tuple(hazards), (), scratch, by_name)


def _unproved(_module: Module, _written: tuple[Written, ...]) -> str:
    return ""


TARGET = Target(
    module="paged_attention_shim",
    function="paged_attention",
    other_name="shim_paged_attention",
    unfilled="the surviving call does not fill it: use `lse=`",
    takes_old=True,
    stored="whoever calls what is stored here still passes the three scratch buffers: change that call first",
    judged=ByRelease(_planned, with_star, partly).judged,
    unproved=_unproved,
)
