"""What bytes a Python file must hold to be parsed at all: exact identifiers, so that look-alikes cost nothing."""

from __future__ import annotations

import re

# From an import to one of its names, over the lines of a parenthesis with its comments or behind backslashes.
_IMPORT = rb"[\s\\]+import\b(?:[\s\\]*\((?:#[^\n\r]*[\n\r]|[^)#])*|(?:\\\r?\n|[^\n(])*)\b"
# Each needle is found at memory speed; its expression, compiled when one was found, begins with a literal.
# One alternation of all of them took 0.39 s on 3,690 files, the needles 0.07 s.
_MARKERS = (
    (b"paged_att", rb"paged_attention_(?:v[12](?!\w)|v?[\"'{%])|paged_attn\b"),
    (b"single_query_cached_kv_attention", rb"single_query_cached_kv_attention(?!\w)"),
    (b"attention_ops", rb"vllm(?:\.|" + _IMPORT + rb")attention_ops\b"),
    (b"cache_ops", rb"vllm(?:\.|" + _IMPORT + rb")cache_ops\b"),
    (b"_ipex_ops", rb"_ipex_ops\b"),
    # The extension module itself is not gone, but what it held is, under its own name or another.
    (b"_C", rb"_C(?:(?:\.|" + _IMPORT + rb")(?:ops|cache_ops)\b|[^\S\n]+as[^\S\n]+(?P<alias>\w+))"),
    (
        b"model_executor.layers.attention",
        rb"model_executor\.layers\.attention" + _IMPORT + rb"_?[Pp](?:aged|ARTITION)",
    ),
)
# Two words decide which needles a file can hold: five files in six do not hold the first, four in five not the second.
_BY_WORDS = {
    (attention, ops): tuple(
        (needle, expression)
        for needle, expression in _MARKERS
        if (attention or b"attention" not in needle) and (ops or not (needle == b"_C" or b"ops" in needle))
    )
    for attention in (False, True)
    for ops in (False, True)
}
_REMARK = rb"#[ \t]*(?:noqa:[^\n\r]*\bPAM\d|paged-attention:[ \t]*keep\b)"
_OLD_PLACE = rb"(?<!v1\.attention\.)ops\.paged_attn\b|\bops" + _IMPORT + rb"paged_attn\b"
_NAME = rb"(?<!\w)(?:paged_attention_v[12]|single_query_cached_kv_attention)(?!\w)"


def may_concern(data: bytes, every_name: bool = False) -> bool:
    """Whether a Python file can refer to anything that is gone, or hold a remark to this tool."""
    attention = b"attention" in data
    return _refers(data, attention, every_name) or may_hold_remark(data, attention)


def may_hold_removed_name(data: bytes, every_name: bool = False) -> bool:
    """Whether a Python file can refer to anything that is gone.

    Comments refer to nothing, and operators of AITER's namespace have the same names; with `every_name` both count.
    """
    return _refers(data, b"attention" in data, every_name)


def _refers(data: bytes, attention: bool, every_name: bool) -> bool:
    for needle, expression in _BY_WORDS[attention, b"ops" in data]:
        if needle in data and _holds(expression, data, every_name):
            return True
    return False


def holds_any(data: bytes, names: tuple[str, ...]) -> bool:
    """Whether a file holds one of some names as a whole identifier."""
    return any(name.encode() in data and re.search(_whole(name), data) for name in names)


def _whole(name: str) -> bytes:
    return rb"(?<!\w)" + re.escape(name.encode()) + rb"(?!\w)"


def may_hold_remark(data: bytes, attention: bool = True) -> bool:
    """Whether a Python file can hold a remark to this tool: a `noqa` of its codes, or that a place is to be kept.

    `attention`: whether the word is in it, where somebody has looked.
    """
    # Three letters take longer to find than five, and one file in eight holds these five.
    named = (b"noqa:" in data and b"PAM" in data) or (attention and b"paged-attention:" in data)
    return named and re.search(_REMARK, data) is not None


def _holds(expression: bytes, data: bytes, every_name: bool) -> bool:
    for match in re.finditer(expression, data):
        before = data[match.start() - 1 : match.start()]
        if not every_name and _says_nothing(data, match.start()):
            continue
        if match[0] == b"paged_attn":
            if re.search(_OLD_PLACE, data):
                return True
        elif match[0].startswith(b"_C"):
            alias = match["alias"]
            used = alias is None or re.search(rb"(?<!\w)" + alias + rb"\.(?:ops|cache_ops)\b", data)
            if used and not (before.isalnum() or before == b"_") and b"vllm" in data:
                return True
        elif not (before.isalnum() or before == b"_") or match[0].startswith(b"_ipex"):
            return True
    return False


def _says_nothing(data: bytes, start: int) -> bool:
    line = max(data.rfind(b"\n", 0, start), data.rfind(b"\r", 0, start)) + 1
    return data.endswith(b"torch.ops.aiter.", 0, start) or data[line:start].lstrip().startswith(b"#")


def first_line_of_name(data: bytes, own_names: tuple[str, ...] = ()) -> int:
    """The line of the first removed name, from 1; 1 when there is only an indirect sign of one."""
    expressions = [_NAME, *(_whole(name) for name in own_names)]
    starts = [match.start() for expression in expressions if (match := re.search(expression, data))]
    return data.count(b"\n", 0, min(starts)) + 1 if starts else 1
