"""Shell scripts and YAML: runs of vLLM's benchmark and test whose options are gone, and the names as words."""

from __future__ import annotations

import re
from collections.abc import Iterator

from paged_attention_migrate.findings import INFO
from paged_attention_migrate.native.deleted_files import FILE, build_source, file_mention, in_file_name, in_tree
from paged_attention_migrate.native.gone import NAME, mention, since
from paged_attention_migrate.native.layers import COMMENT, Layers
from paged_attention_migrate.native.places import LEFT_ALONE, Facts, Place, TextFile

_TOKEN = re.compile(
    r"""
    (?P<string> "(?:[^"\\\r\n]|\\.)*" | (?<![\w])'[^'\r\n]*' | \\. | \$\{[^}\r\n]*\} )
    | (?P<comment> (?:^|(?<=[ \t;])) \#[^\r\n]* )
    """,
    re.VERBOSE | re.MULTILINE,
)
_SCRIPT = re.compile(
    r"(?<![A-Za-z0-9_\-])(?P<path>(?:[\w.\-/${}]*/)?(?P<file>benchmark_paged_attention|test_attention)\.py)\b"
)
_MODULE = re.compile(r"(?<![\w.])(?:[\w.]+\.)?benchmark_paged_attention(?![\w./\-])")
_OPTION = re.compile(r"(?<![\w\-])--(?:version|custom-paged-attn)(?![\w\-])")
_SELECTION = re.compile(r"(?<![\w\-])-k[ =]*(?P<what>\"[^\"\r\n]*\"|'[^'\r\n]*'|\S+)")
_NODE = re.compile(r"::[\w:]*\[[^\]\s]*\bv[12]\b[^\]\s]*\]")
_VERSION = re.compile(r"\bv[12]\b|paged_attention_v[12]\b")
_END = re.compile(r"&&|\|\||[;|&]")
_OPTION_LINE = re.compile(r"[ \t]*(?:-[ \t]+)?[\"']?--?[A-Za-z]")
_MOST_LINES = 60
_SHELL = (".sh", ".bash")
_FOLDER = re.compile(r"(?:^|/)kernels/")

_PULL = "since vLLM 0.25.0 (#47361)"
_BENCHMARK = f"benchmark_paged_attention.py runs on ROCm only {_PULL}"


def places(file: TextFile, facts: Facts) -> Iterator[Place]:
    """Everything of interest in one file."""
    text = file.text
    # A script inside YAML is a scalar to the grammar of YAML, and its comments are text.
    source = Layers(text, _TOKEN, "shell" if file.path.endswith(_SHELL) else None)
    for match in FILE.finditer(text):
        place = _file(source, match, facts)
        if place is not None:
            yield place
    for match in NAME.finditer(text):
        if in_file_name(text, match):
            continue
        if source.kind(match.start()) == COMMENT:
            yield mention(match, "a comment names")
        else:
            message = f"names {match[0]}, {since(match[0])}: whatever runs this no longer finds it"
            yield Place(match.start(), match.end(), "PAM304", INFO, match[0], message)
    for match in (*_SCRIPT.finditer(text), *_MODULE.finditer(text)):
        if source.kind(match.start()) != COMMENT:
            yield from _run(text, match, facts)


def _file(source: Layers, match: re.Match[str], facts: Facts) -> Place | None:
    if source.kind(match.start()) == COMMENT:
        return file_mention(source.text, match, "a comment names", facts)
    return build_source(source.text, match, facts)


def _run(text: str, match: re.Match[str], facts: Facts) -> Iterator[Place]:
    script = match.groupdict().get("path") or ""
    name = "test_attention.py" if match.groupdict().get("file") == "test_attention" else "benchmark_paged_attention.py"
    known = re.sub(r"^.*\}/?", "", script).lstrip("./")
    if in_tree(known or name, facts) or (not known and facts.exists_in_tree(name)):
        reason = f"{known or name} is in this repository"
        yield Place(match.start(), match.end(), "PAM304", LEFT_ALONE, name, reason)
        return
    last = _command_end(text, match.end())
    if name == "test_attention.py":
        yield from _test(text, match, last)
        return
    options = list(_OPTION.finditer(text, match.end(), last))
    for option in options:
        message = f"{option[0]} is gone from benchmark_paged_attention.py {_PULL}: drop it; {_BENCHMARK}"
        yield Place(option.start(), option.end(), "PAM304", INFO, option[0], message)
    if not options and not _only_named(text, match):
        yield Place(match.start(), match.end(), "PAM304", INFO, name, _BENCHMARK)


def _only_named(text: str, match: re.Match[str]) -> bool:
    """Whether a module name stands outside a `python -m`."""
    return "path" not in match.groupdict() and not re.search(
        r"-m[ \t]+$", text[max(0, match.start() - 20) : match.start()]
    )


def _test(text: str, match: re.Match[str], last: int) -> Iterator[Place]:
    """A selection by `v1` or `v2`, which were the values of a parameter that is gone."""
    selections = [each for each in _SELECTION.finditer(text, match.end(), last) if _VERSION.search(each["what"])]
    node = _NODE.match(text, match.end(), last)
    ours = _FOLDER.search(match["path"]) or any("paged_attention" in each["what"] for each in selections)
    if not ours:
        return
    for start, end in [*(each.span() for each in selections), *([node.span()] if node else [])]:
        message = f"test_attention.py has no version to select by {_PULL}, and runs on ROCm only: this collects nothing"
        yield Place(start, end, "PAM304", INFO, "test_attention.py", message)


def _command_end(text: str, at: int) -> int:
    """Where the command ends that goes on at an offset: its line, and the lines that continue it."""
    for _ in range(_MOST_LINES):
        newline = text.find("\n", at)
        newline = len(text) if newline < 0 else newline
        stop = _END.search(text, at, newline)
        if stop:
            return stop.start()
        continued = text[max(at - 1, newline - 2) : newline].rstrip("\r").endswith("\\")
        # Folded YAML and lists of arguments go on with an option on a line of its own.
        if newline == len(text) or not (continued or _OPTION_LINE.match(text, newline + 1)):
            return newline
        at = newline + 1
    return at
