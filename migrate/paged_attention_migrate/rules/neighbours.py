"""Removed neighbours of the attention functions.

PAM201 helper: a method of the PagedAttention class is gone

`PagedAttention.forward_decode` and five other static methods left vLLM in 0.12.0
(https://github.com/vllm-project/vllm/pull/28043). `forward_decode` made its own output and took the block size from the
cache, so `PagedAttention.forward_decode(query, key_cache, value_cache, block_tables, ...)` becomes
`paged_attention(None, query, key_cache, value_cache, num_kv_heads, ...)`.
The other methods are for a person; `explain NAME` says what to use.

PAM202 ipex: an operator of vllm._ipex_ops is gone

The XPU operators left in 0.16.0 (https://github.com/vllm-project/vllm/pull/33379). They had the same names but took
caches of another layout, so nothing is rewritten.
By hand: call Intel's own `ipex.llm.modules.PagedAttention`, or move to the cache layout of the surviving call.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from paged_attention_migrate.calls.forward_decode import judge_forward_decode
from paged_attention_migrate.findings import ERROR, SAFE
from paged_attention_migrate.module import Change, Draft, Module, Site
from paged_attention_migrate.rules.wording import gone, then


def drafts(module: Module) -> Iterator[Draft]:
    """Drafts for uses of PagedAttention's methods and of ipex_ops."""
    for site in module.sites:
        if site.name.family == "ipex" and site.certain:
            start, end = module.span(site.node)
            yield Draft(
                start, end, "PAM202", ERROR, site.path, f"{gone(site.name, site.entries[0].home)}: {then(site.name)}"
            )
        elif site.name.family == "helper" and not site.name.moved:
            yield _method(module, site)
    for node, bases in module.flow.class_bases.items():
        for base, values in zip(node.bases, bases, strict=True):
            entries, _ = module.entries_in(values)
            if entries and entries[0].name.name.startswith("PagedAttention") and entries[0].name.family == "helper":
                start, end = module.span(base)
                what = gone(entries[0].name, entries[0].home)
                message = f"{what}, and `{node.name}` inherits from it: {then(entries[0].name)}"
                yield Draft(start, end, "PAM201", ERROR, entries[0].reference.path, message)


def _method(module: Module, site: Site) -> Draft:
    start, end = module.span(site.node)
    what = gone(site.name, site.entries[0].home)
    parent = module.parent(site.node)
    is_call = isinstance(parent, ast.Call) and parent.func is site.node
    if site.name.name != "forward_decode" or not is_call or not site.certain or site.form == "derived":
        return Draft(start, end, "PAM201", ERROR, site.path, f"{what}: {then(site.name)}")
    assert isinstance(parent, ast.Call)
    if not module.target.takes_old:
        text = f"it returned a new tensor, and `{module.target.function}` writes into one: allocate `out`, call that"
        return Draft(start, end, "PAM201", ERROR, site.path, f"{what}: {text}", None, [text])
    entries = [(entry.name, entry.home) for entry in site.entries]
    verdict = judge_forward_decode(parent, entries, module.settings.from_version, lambda: None)
    reasons = [hazard.message for hazard in verdict.hazards]
    message = f"{what}: call `{module.target.path}`, which returns a new tensor when `out` is None"
    if verdict.fix != SAFE and reasons:
        message = f"{what}: {reasons[0]}"
    change = Change(site, parent, verdict.plan) if verdict.fix else None
    return Draft(start, end, "PAM201", ERROR, site.path, message, verdict.fix, reasons, change)
