"""The removed names as they stand in text, and what is said about them."""

from __future__ import annotations

import re
from functools import cache

from paged_attention_migrate.findings import INFO
from paged_attention_migrate.native.places import Place
from paged_attention_shim.removed import entry_point

# ASCII on purpose: in prose a name may touch letters of a script that is written without spaces.
NAME = re.compile(r"(?<![A-Za-z0-9_])(?:paged_attention_v[12]|single_query_cached_kv_attention)(?![A-Za-z0-9_])")

_HOMES = {
    "paged_attention_v1": "torch.ops._C.paged_attention_v1",
    "paged_attention_v2": "torch.ops._C.paged_attention_v2",
    "single_query_cached_kv_attention": "vllm.attention_ops.single_query_cached_kv_attention",
}


@cache
def gone(name: str) -> str:
    """`NAME is gone since vLLM RELEASE (#PULL)`."""
    return f"{name} is {since(name)}"


@cache
def since(name: str) -> str:
    """`gone since vLLM RELEASE (#PULL)`."""
    entry = entry_point(_HOMES[name])
    if entry is None:
        raise LookupError(name)
    removed, _ = entry
    return f"gone since vLLM {removed.removed_in} (#{removed.pull_request})"


@cache
def advice(name: str) -> str:
    """What the table says to do, as the rest of a sentence."""
    entry = entry_point(_HOMES[name])
    if entry is None:
        raise LookupError(name)
    sentence = entry[0].advice.rstrip(".")
    return sentence[:1].lower() + sentence[1:]


def mention(match: re.Match[str], where: str) -> Place:
    """A name in text that nothing executes."""
    name = match[0]
    return Place(match.start(), match.end(), "PAM305", INFO, name, f"{where} {name}, {since(name)}")
