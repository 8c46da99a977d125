"""Cython and stubs: what looks like Python and is not compiled by it."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator

from paged_attention_migrate.findings import ERROR, INFO, WARNING
from paged_attention_migrate.native.deleted_files import FILE, build_source, file_mention, in_file_name
from paged_attention_migrate.native.gone import NAME, advice, gone, mention, since
from paged_attention_migrate.native.layers import CODE, COMMENT, STRING, Layers
from paged_attention_migrate.native.places import LEFT_ALONE, Facts, Place, TextFile

_TOKEN = re.compile(
    r"""
    (?P<comment> \#[^\r\n]* )
    | (?P<string>
        \"\"\"(?P<body>(?:[^\\]|\\[\s\S])*?)(?:\"\"\"|\Z)
        | '''(?P<body_single>(?:[^\\]|\\[\s\S])*?)(?:'''|\Z)
        | "(?P<body_quoted>(?:[^"\\\r\n]|\\[\s\S])*)"?
        | '(?P<body_apostrophe>(?:[^'\\\r\n]|\\[\s\S])*)'?
      )
    """,
    re.VERBOSE,
)
_FROM_VLLM = re.compile(
    r"(?:^|;)[ \t]*(?:from[ \t]+vllm\b|c?import[ \t]+[^\r\n;]*(?<![\w.])vllm\b)"
    r"|(?<!\w)_C[ \t]*\.[ \t]*(?:ops[ \t]*\.[ \t]*)?(?:paged_attention_v|single_query)"
    r"|\btorch[ \t]*\.[ \t]*ops[ \t]*\.[ \t]*_C\b",
    re.MULTILINE,
)
_MODULE = re.compile(r"vllm(?:\.\w+)*")
_OTHER_NAMESPACE = re.compile(r"\btorch[ \t]*\.[ \t]*ops[ \t]*\.[ \t]*(?!_C\b)\w+[ \t]*\.[ \t]*\Z")
_DECLARATION = re.compile(r"[ \t]*(?:(?:async[ \t]+)?def|cdef|cpdef|ctypedef|class)\b[^\r\n=()]*[ \t*&]")
# In an `extern` block a name behind a type; no word of Python may stand where the type does.
_BEHIND_TYPE = re.compile(
    r"[ \t]+(?!(?:return|yield|await|print|not|in|is|and|or|if|elif|else|lambda|assert|raise|del)\b)"
    r"(?:\w[\w.]*(?:\[[^\]\r\n]*\])?[ \t*&]+)+"
)
_QUALIFIED = re.compile(r"\.[ \t]*\Z")
_IMPORT = re.compile(
    r"^[ \t]*(?:from[ \t]+[\w.]+[ \t]+c?import[ \t]*\([^)]*\)|(?:from|c?import)[ \t](?:[^\r\n\\]|\\\r?\n)*)",
    re.MULTILINE,
)
_DEFINED = re.compile(r"\b(?:def|class)[ \t]+\Z")


def cython_places(file: TextFile, facts: Facts) -> Iterator[Place]:
    """Everything of interest in one Cython file."""
    text = file.text
    source = Layers(text, _TOKEN)
    for match in FILE.finditer(text):
        kind = source.kind(match.start())
        string = kind not in {CODE, COMMENT}
        place = build_source(text, match, facts) if string else file_mention(text, match, f"a {kind} names", facts)
        if place is not None:
            yield place
    cython = _Cython(source)
    for match in NAME.finditer(text):
        if not in_file_name(text, match):
            yield cython.place(match)


class _Cython:
    """What a removed name is where it stands in a Cython file."""

    def __init__(self, source: Layers) -> None:
        self.source = source
        strings = (source.content(each) for each in source.segments if each.kind == STRING)
        self.from_vllm = _FROM_VLLM.search(source.code) is not None or any(map(_MODULE.fullmatch, strings))
        named = [match for match in NAME.finditer(source.code) if not _QUALIFIED.search(self._before(match))]
        imports = [each[0] for each in _IMPORT.finditer(source.code) if "vllm" in each[0]]
        declared = {match[0] for match in named if self._declares(match)}
        self.own = {name for name in declared if not any(name in each for each in imports)}

    def place(self, match: re.Match[str]) -> Place:
        """The finding for a removed name."""
        name, kind = match[0], self.source.kind(match.start())
        if kind == COMMENT:
            return mention(match, "a comment names")
        if kind != CODE:
            return self._in_string(match)
        if not self.from_vllm or self._is_look_alike(match):
            what = "declares" if self._declares(match) else "uses"
            message = f"{what} a {name} that does not come from vLLM, whose own is {since(name)}"
            return Place(match.start(), match.end(), "PAM301", INFO, name, message)
        message = f"{gone(name)}; by hand, as Cython is not rewritten: {advice(name)}"
        return Place(match.start(), match.end(), "PAM301", ERROR, name, message)

    def _in_string(self, match: re.Match[str]) -> Place:
        """A string that is the name alone, with or without its module, may be looked up by it."""
        segment = self.source.at(match.start())
        content = self.source.content(segment) if segment is not None else ""
        before = content.removesuffix(match[0])
        is_name = before != content and (not before or (before[-1] in ".:" and before.rstrip(".:").isidentifier()))
        is_path = before.startswith(("vllm.", "_C::")) and " " not in before
        if not (is_path or (is_name and self.from_vllm)):
            return mention(match, "a string names")
        message = f"this string names {match[0]}, {since(match[0])}; by hand, as Cython is not rewritten"
        return Place(match.start(), match.end(), "PAM301", WARNING, match[0], message)

    def _is_look_alike(self, match: re.Match[str]) -> bool:
        before = self._before(match)
        if _OTHER_NAMESPACE.search(before) or self._declares(match):
            return True
        return match[0] in self.own and not _QUALIFIED.search(before)

    def _declares(self, match: re.Match[str]) -> bool:
        before = self._before(match)
        if _DECLARATION.fullmatch(before):
            return True
        is_called = self.source.code.startswith("(", match.end())
        return is_called and "cdef extern" in self.source.code and _BEHIND_TYPE.fullmatch(before) is not None

    def _before(self, match: re.Match[str]) -> str:
        """The line up to a name."""
        code = self.source.code
        return code[max(code.rfind("\n", 0, match.start()), code.rfind("\r", 0, match.start())) + 1 : match.start()]


def stub_places(file: TextFile, facts: Facts) -> Iterator[Place]:
    """Declarations in a stub; its imports are judged as Python's are."""
    text = file.text
    source = Layers(text, _TOKEN)
    for match in FILE.finditer(text):
        place = file_mention(text, match, f"a {source.kind(match.start())} names", facts)
        if place is not None:
            yield place
    imports = [(0, 0), *(match.span() for match in _IMPORT.finditer(source.code))]
    starts, ends = zip(*imports, strict=True)
    for match in NAME.finditer(text):
        name = match[0]
        if in_file_name(text, match):
            continue
        if source.kind(match.start()) != CODE:
            yield mention(match, f"a {source.kind(match.start())} names")
        elif match.start() < ends[bisect_right(starts, match.start()) - 1]:
            reason = "an import, which is judged as Python's are"
            yield Place(match.start(), match.end(), "PAM307", LEFT_ALONE, name, reason)
        else:
            verb = "declares" if _DEFINED.search(source.code, max(0, match.start() - 40), match.start()) else "types"
            message = f"{verb} {name}; vLLM's is {since(name)}"
            yield Place(match.start(), match.end(), "PAM307", INFO, name, message)
