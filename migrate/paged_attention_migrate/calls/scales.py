"""Arguments that changed their meaning: one scale that became two, a head mapping, the name fp8."""

from __future__ import annotations

import ast

from paged_attention_migrate.calls.arguments import Argument, can_stand_twice, form_of, short
from paged_attention_migrate.calls.binding import Bound
from paged_attention_migrate.calls.verdict import Hazard, Plan
from paged_attention_migrate.findings import UNSAFE


def split_scale(argument: Argument, plan: Plan, fix: str | None, hazards: list[Hazard]) -> tuple[Plan, str | None]:
    """One scale becomes two, if its expression may stand twice."""
    if not can_stand_twice(argument.node):
        hazards.append(
            Hazard(
                "PAM409",
                f"`kv_scale` became `k_scale` and `v_scale`, and `{short(argument.node)}` cannot be written twice: "
                "give it a name first",
            )
        )
        return plan, None
    return plan._replace(split=(*plan.split, argument.number)), fix


def is_mapping(argument: Argument | None) -> bool:
    """Whether an argument maps heads instead of counting them."""
    return argument is not None and form_of(argument.node) in {"mapping", "tensor"}


def count_heads(
    arguments: dict[str, Argument], plan: Plan, fix: str | None, hazards: list[Hazard]
) -> tuple[Plan, str | None]:
    """A head mapping becomes the number of KV heads: right in the usual case, so unsafe."""
    mapping = arguments.get("head_mapping") or arguments["num_kv_heads"]
    key_cache = arguments["key_cache"].node
    if not can_stand_twice(key_cache):
        text = f"`{short(mapping.node)}` maps heads; the surviving call takes `shape[1]` of the key cache"
        hazards.append(Hazard("PAM403", text))
        return plan, None
    heads = f"{ast.unparse(key_cache)}.shape[1]"
    text = (
        f"`{short(mapping.node)}` maps query heads to KV heads; the surviving call takes their number, `{heads}`, "
        "which is the same only when neighbouring query heads share a KV head"
    )
    hazards.append(Hazard("PAM403", text))
    plan = plan._replace(replace=(*plan.replace, (mapping.number, heads)))
    if mapping.keyword == "head_mapping":
        plan = plan._replace(rename=(*plan.rename, (mapping.number, "num_kv_heads")))
    return plan, UNSAFE if fix else None


def add_heads(
    arguments: dict[str, Argument], plan: Plan, fix: str | None, hazards: list[Hazard]
) -> tuple[Plan, str | None]:
    """The number of KV heads is put in where a parameter list had none."""
    key_cache, value_cache = arguments["key_cache"].node, arguments["value_cache"]
    if not can_stand_twice(key_cache):
        hazards.append(
            Hazard(
                "PAM409",
                f"`shape[1]` of `{short(key_cache)}` is wanted, and that cannot be written twice: name it first",
            )
        )
        return plan, None
    # Before 0.1.3 there were as many KV heads as query heads, so the cache's own count is the number.
    return plan._replace(
        insert_after=(
            *plan.insert_after,
            (value_cache.number, "num_kv_heads", f"{ast.unparse(key_cache)}.shape[1]"),
        )
    ), fix


def name_fp8(
    bounds: list[Bound], argument: Argument, plan: Plan, fix: str | None, hazards: list[Hazard]
) -> tuple[Plan, str | None]:
    """The name of the cache type is brought to what it meant."""
    labels = {bound.generation.label for bound in bounds}
    if labels <= {"G5", "G6"}:
        text = (
            'in vLLM 0.4.1 and 0.4.2 "fp8" meant unscaled e5m2 on NVIDIA; it is called "fp8_e5m2" now '
            "(on ROCm it meant e4m3)"
        )
        hazards.append(Hazard("PAM408", text))
        return plan._replace(replace=(*plan.replace, (argument.number, '"fp8_e5m2"'))), UNSAFE if fix else None
    text = (
        '"fp8" meant unscaled e5m2 in vLLM 0.4.1 and 0.4.2 and e4m3 from 0.4.3 on, and this argument list fits both: '
        "say which with --from-version"
    )
    hazards.append(Hazard("PAM408", text))
    return plan, None
