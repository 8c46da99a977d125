"""C, C++, CUDA and Metal as layers, and the part that a name plays in code."""

from __future__ import annotations

import re

from paged_attention_migrate.native.layers import Layers, word_before

DEFINITION = "definition"
DECLARATION = "declaration"
CALL = "call"
REFERENCE = "reference"
MEMBER = "member"

# Words and numbers are tokens too, so that 1'000 opens no character and LR"( no plain string.
_TOKEN = re.compile(
    r"""
    (?P<comment> //(?:[^\r\n\\]|\\\r\n|\\[\s\S])* | /\*[\s\S]*?(?:\*/|\Z) )
    | (?P<string>
        (?:u8|[uUL])?R"(?P<mark>[^()\\\s"]{0,16})\((?P<body>[\s\S]*?)(?:\)(?P=mark)"|\Z)
        | (?:u8|[uUL])?"(?P<body_plain>(?:[^"\\\r\n]|\\\r\n|\\[\s\S])*)"?
        | (?:u8|[uUL])?'(?P<body_char>(?:[^'\\\r\n]|\\.)*)'?
      )
    | [A-Za-z_]\w* | \.?[0-9](?:'?[\w.])*
    """,
    re.VERBOSE,
)
_QUALIFIER = re.compile(r"(?:(?:[A-Za-z_]\w*)?::\s*)+\Z")
_DEFINE = re.compile(r"#\s*define\s*\Z")
_TEMPLATE = re.compile(r"\s*<(?!<)[^;{}]*?>\s*(?=\()")
_AFTER_PARAMETERS = re.compile(
    r"(?:\s|\b(?:const|noexcept|override|final|try)\b|__attribute__\s*\(\([^)]*\)\)|->\s*[\w:<>]+)*"
)
# fmt: off
_NOT_A_TYPE = frozenset([
    "and", "case", "co_await", "co_return", "co_yield", "decltype", "delete", "do", "else",
    "goto", "new", "not", "or", "return", "sizeof", "throw", "using",
])
# fmt: on
_OWN_TYPE = frozenset(["struct", "class", "enum", "union", "namespace"])
_REACH = 200
_LONGEST_TEMPLATE = 1000


def layers(text: str) -> Layers:
    """The text of a file apart: comments, strings and code."""
    return Layers(text, _TOKEN, "cuda")


def layers_of_line(text: str) -> Layers:
    """A single line apart, which no grammar understands."""
    return Layers(text, _TOKEN)


def qualifier(code: str, start: int) -> str:
    """`vllm` of `vllm::name`, "" of `name` and of `::name`."""
    return re.sub(r"\s", "", code[_qualified_from(code, start) : start]).rstrip(":").lstrip(":")


def role(source: Layers, start: int, end: int) -> str:
    """What the name from `start` to `end` does there."""
    code = source.code
    first = _qualified_from(code, start)
    before = code[max(0, first - _REACH) : first].rstrip()
    if before.endswith((".", "->")):
        return MEMBER
    if _DEFINE.search(before):
        return DEFINITION
    template = _TEMPLATE.match(code, end, end + _LONGEST_TEMPLATE)
    after = _skip_space(code, template.end() if template else end)
    typed = _follows_a_type(before)
    if code.startswith("(", after):
        rest = _AFTER_PARAMETERS.match(code, source.brackets.closing(after) + 1)
        if rest is not None and code.startswith("{", rest.end()):
            return DEFINITION
        return DECLARATION if typed else CALL
    if code.startswith("<<<", after):
        return CALL
    if before.endswith("*") and before.rstrip("*& ").endswith("(") and code.startswith(")", after):
        return DECLARATION
    if word_before(before, len(before)) in _OWN_TYPE:
        return DEFINITION
    return DECLARATION if typed else REFERENCE


def _qualified_from(code: str, start: int) -> int:
    """Where a name begins with the scopes before it."""
    window = max(0, start - _REACH)
    if not code[window:start].rstrip().endswith("::"):
        return start
    match = _QUALIFIER.search(code, window, start)
    return match.start() if match else start


def _follows_a_type(before: str) -> bool:
    """Whether what stands before a name can be the type of a declaration."""
    if before.endswith("&&"):
        return False
    before = before.rstrip("*& \t\r\n")
    word = word_before(before, len(before))
    return before.endswith(">") or (word != "" and not word[0].isdigit() and word not in _NOT_A_TYPE)


def _skip_space(code: str, at: int) -> int:
    while at < len(code) and code[at].isspace():
        at += 1
    return at
