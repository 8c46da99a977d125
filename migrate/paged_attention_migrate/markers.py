"""What bytes a Python file must hold to be parsed at all: exact identifiers, so that look-alikes cost nothing."""

from __future__ import annotations

import re

# Any file of interest holds one of these; `in` runs at memory speed, a regular expression does not.
_NEEDLES = (b"paged_att", b"single_query_cached", b"attention_ops", b"ipex_ops", b"vllm._C", b"layers.attention")
_EXACT = re.compile(
    rb"(?<!\w)(?:paged_attention_v[12]|single_query_cached_kv_attention)(?!\w)"
    rb"|paged_attention_v?[\"'{%]"
    rb"|(?<!v1\.attention\.)ops\.paged_attn\b|\bops\s+import\s[^\n]*\bpaged_attn\b"
    rb"|\b_ipex_ops\b"
    rb"|\bvllm\._C(?:\.|\s+import\s)[^\n]*\b(?:ops|cache_ops)\b"
    rb"|\bvllm(?:\.|\s+import\s[^\n]*)\battention_ops\b"
    rb"|\bvllm\.model_executor\.layers\.attention\s+import\s*(?:\([^)]*|[^\n(]*)\b_?[Pp](?:aged|ARTITION)"
)
_NAME = re.compile(rb"(?<!\w)(?:paged_attention_v[12]|single_query_cached_kv_attention)(?!\w)")


def may_hold_removed_name(data: bytes) -> bool:
    """Whether a Python file can refer to anything that is gone."""
    for needle in _NEEDLES:
        if needle in data:
            return _EXACT.search(data) is not None
    return False


def first_line_of_name(data: bytes) -> int:
    """The line of the first removed name, from 1; 1 when there is only an indirect sign of one."""
    match = _NAME.search(data) or _EXACT.search(data)
    return data.count(b"\n", 0, match.start()) + 1 if match else 1
