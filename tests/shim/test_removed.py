"""The table of removed names against what vLLM's releases contained, and against itself."""

from __future__ import annotations

import ast
import copy
import pickle
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest

from paged_attention_shim.removed import (
    RELEASES,
    REMOVED,
    REQUIRED,
    SURVIVING,
    Generation,
    Home,
    Parameter,
    RemovedName,
    entry_point,
    following,
    generations_at,
    position,
)
from paged_attention_shim.removed.__main__ import page

HERE = Path(__file__).parent
ROOT = HERE.parent.parent

Signature = tuple[str, str, list[Parameter]]

LABELS = {
    "vllm.attention_ops": ["G3a"],
    "vllm._C.ops": ["G3a", "G3b", "G4", "G5", "G6", "G7"],
    "vllm._custom_ops": ["G5", "G6", "G7", "G8", "G9"],
    "torch.ops._C": ["G7", "G8", "G9"],
}

SURVIVING_DEFAULTS = {
    "alibi_slopes": None,
    "kv_cache_dtype": "auto",
    "k_scale": None,
    "v_scale": None,
    "tp_rank": 0,
    "blocksparse_local_blocks": 0,
    "blocksparse_vert_stride": 0,
    "blocksparse_block_size": 64,
    "blocksparse_head_sliding_step": 0,
}

KEYWORD_ONLY = {
    "cache_layout": "legacy",
    "sliding_window": None,
    "softcap": 0.0,
    "sinks": None,
    "lse": None,
    "query_start_loc": None,
    "output_scale": None,
}


def read_homes() -> dict[str, tuple[str, str, str, str, int | None]]:
    found = {}
    for line in (HERE / "removed_homes.txt").read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            path, first, last, style, since, pull_request = line.split()
            found[path] = first, last, style, since, None if pull_request == "-" else int(pull_request)
    return found


def read_signatures() -> dict[str, list[Signature]]:
    found: dict[str, list[Signature]] = {}
    path = ""
    for line in (HERE / "removed_signatures.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith(" "):
            releases, _, text = line.strip().partition(":")
            first, last = releases.split(" to ")
            found[path].append((first, last, read_parameters(text)))
        elif line and not line.startswith("#"):
            path = line
            found[path] = []
    return found


def read_parameters(text: str) -> list[Parameter]:
    function = ast.parse(f"def f({text}): ...").body[0]
    assert isinstance(function, ast.FunctionDef)
    arguments = function.args
    defaults = [REQUIRED] * (len(arguments.args) - len(arguments.defaults))
    values = [*defaults, *map(ast.literal_eval, arguments.defaults)]
    return [Parameter(each.arg, read_kind(each), value) for each, value in zip(arguments.args, values, strict=True)]


def read_kind(argument: ast.arg) -> str:
    text = "T" if argument.annotation is None else ast.unparse(argument.annotation)
    kind = text.removesuffix(" | None")
    kind = "tensor" if kind == "T" else kind
    return f"optional {kind}" if text.endswith(" | None") else kind


def entry(path: str) -> tuple[RemovedName, Home]:
    found = entry_point(path)
    assert found is not None, path
    return found


HOMES = read_homes()
SIGNATURES = read_signatures()
FINAL_V1 = [each.name for each in SIGNATURES["vllm._custom_ops.paged_attention_v1"][-1][2]]
ENTRIES = [(name, home) for name in REMOVED for home in name.homes]
PATHS = [f"{home.path}.{name.name}" for name, home in ENTRIES]


@pytest.mark.parametrize("path", SIGNATURES)
def test_parameters_are_those_of_the_releases(path: str) -> None:
    """Names in order, kinds, defaults and ranges, compared in full."""
    name, home = entry(path)
    assert [(each.first, each.last, list(each.parameters)) for each in generations_at(name, home)] == SIGNATURES[path]


@pytest.mark.parametrize("path", HOMES)
def test_ranges_call_styles_and_removals(path: str) -> None:
    name, home = entry(path)
    since = name.removed_in, name.pull_request
    assert (home.first, home.last, home.call_style, *since) == HOMES[path]


def test_nothing_is_in_the_table_that_is_not_expected() -> None:
    assert sorted(PATHS) == sorted(HOMES)
    callable_paths = {path for path, row in HOMES.items() if row[2] != "value"}
    untraced = {"vllm.model_executor.layers.attention.PagedAttention.single_query_cached_kv_attention"}
    assert set(SIGNATURES) == callable_paths - untraced


def test_every_path_is_unique() -> None:
    assert len(set(PATHS)) == len(PATHS)


@pytest.mark.parametrize("path", PATHS)
def test_an_entry_point_is_found_by_its_path(path: str) -> None:
    name, home = entry(path)
    assert f"{home.path}.{name.name}" == path
    assert path in name.paths


@pytest.mark.parametrize("version", ["v1", "v2"])
def test_the_default_overload_is_the_op(version: str) -> None:
    path = f"torch.ops._C.paged_attention_{version}"
    assert entry_point(f"{path}.default") == entry_point(path)


@pytest.mark.parametrize(
    "path",
    [
        "",
        "vllm",
        "vllm._C",
        "vllm._custom_ops",
        "torch.ops._C",
        "paged_attention_v1",
        "vllm._custom_ops.paged_attention_v3",
        "vllm._custom_ops.paged_attention_rocm",
        "vllm._custom_ops.reshape_and_cache",
        "vllm._custom_ops.paged_attention_v1.default",
        "vllm._custom_ops.single_query_cached_kv_attention",
        "torch.ops.aiter.paged_attention_v1",
        "torch.ops._rocm_C.paged_attention",
        "aphrodite._custom_ops.paged_attention_v1",
        "vllm.kernels.triton.paged_attention.paged_attention_v1",
        "vllm.v1.attention.ops.paged_attn.PagedAttention.split_kv_cache",
        "vllm.model_executor.layers.attention",
    ],
)
def test_what_still_exists_or_never_did_is_no_entry_point(path: str) -> None:
    assert entry_point(path) is None


@pytest.mark.parametrize(("name", "home"), [pair for pair in ENTRIES if pair[0].generations], ids=str)
def test_generations_cover_their_home_without_gap_or_overlap(name: RemovedName, home: Home) -> None:
    found = generations_at(name, home)
    assert (found[0].first, found[-1].last) == (home.first, home.last)
    for earlier, later in pairwise(found):
        assert following(earlier.last) == later.first
    for release in RELEASES:
        here = position(home.first) <= position(release) <= position(home.last)
        assert len(generations_at(name, home, release)) == here


@pytest.mark.parametrize("name", [name for name in REMOVED if name.generations], ids=lambda name: name.paths[0])
def test_generations_follow_one_another(name: RemovedName) -> None:
    assert len({each.label for each in name.generations}) == len(name.generations)
    for earlier, later in pairwise(name.generations):
        assert following(earlier.last) == later.first
        assert earlier.parameters != later.parameters


@pytest.mark.parametrize("function", ["paged_attention_v1", "paged_attention_v2"])
@pytest.mark.parametrize("home", LABELS)
def test_which_generations_a_home_had(home: str, function: str) -> None:
    assert [each.label for each in generations_at(*entry(f"{home}.{function}"))] == LABELS[home]


@pytest.mark.parametrize("home", [*LABELS, "vllm._ipex_ops.ipex_ops"])
def test_v2_without_scratch_is_v1(home: str) -> None:
    first, second = entry(f"{home}.paged_attention_v1"), entry(f"{home}.paged_attention_v2")
    expected = "exp_sums" if home == "torch.ops._C" else "exp_sum"
    for v1, v2 in zip(generations_at(*first), generations_at(*second), strict=True):
        assert [each.name for each in v2.parameters[1:4]] == [expected, "max_logits", "tmp_out"]
        assert v2._replace(parameters=v2.parameters[:1] + v2.parameters[4:]) == v1
    assert not first[0].scratch
    assert set(second[0].scratch) == {"exp_sum", "exp_sums", "max_logits", "tmp_out"}


def test_the_last_two_generations_differ_in_the_kind_of_the_scales_only() -> None:
    eighth, ninth = entry("vllm._custom_ops.paged_attention_v1")[0].generations[-2:]
    changed = [(old, new) for old, new in zip(eighth.parameters, ninth.parameters, strict=True) if old != new]
    assert changed == [
        (Parameter("k_scale", "float"), Parameter("k_scale", "tensor")),
        (Parameter("v_scale", "float"), Parameter("v_scale", "tensor")),
    ]


@pytest.mark.parametrize(
    ("path", "counts"),
    [
        ("vllm.attention_ops.single_query_cached_kv_attention", [9, 10, 11]),
        ("vllm._custom_ops.paged_attention_v1", [13, 13, 18, 19, 19]),
        ("vllm._custom_ops.paged_attention_v2", [16, 16, 21, 22, 22]),
        ("vllm._C.ops.paged_attention_v1", [11, 11, 12, 13, 13, 18]),
        ("vllm._C.ops.paged_attention_v2", [14, 14, 15, 16, 16, 21]),
        ("torch.ops._C.paged_attention_v1", [18, 19, 19]),
        ("torch.ops._C.paged_attention_v2", [21, 22, 22]),
    ],
)
def test_argument_counts(path: str, counts: list[int]) -> None:
    assert [len(each.parameters) for each in generations_at(*entry(path))] == counts


@pytest.mark.parametrize(("path", "required"), [("paged_attention_v1", 14), ("paged_attention_v2", 17)])
def test_only_the_wrapper_has_defaults(path: str, required: int) -> None:
    wrapper = generations_at(*entry(f"vllm._custom_ops.{path}"))[-1]
    assert sum(each.default is REQUIRED for each in wrapper.parameters) == required
    for home in ("torch.ops._C", "vllm._C.ops", "vllm.attention_ops"):
        for generation in generations_at(*entry(f"{home}.{path}")):
            assert all(each.default is REQUIRED for each in generation.parameters)


def test_the_surviving_call_is_the_last_v1_with_defaults_and_a_keyword_only_tail() -> None:
    positional = [each for each in SURVIVING if not each.keyword_only]
    assert [each.name for each in positional] == FINAL_V1
    defaults = {each.name: each.default for each in positional if each.default is not REQUIRED}
    assert defaults == SURVIVING_DEFAULTS
    assert list(SURVIVING[: len(positional)]) == positional
    assert {each.name: each.default for each in SURVIVING if each.keyword_only} == KEYWORD_ONLY
    assert [each.name for each in SURVIVING[len(positional) :]] == list(KEYWORD_ONLY)
    last = entry("vllm._custom_ops.paged_attention_v1")[0].generations[-1].parameters
    assert [each.name for each in last] == FINAL_V1
    for old, new in zip(last, SURVIVING, strict=False):
        assert new.kind in {old.kind, f"optional {old.kind}", "scale"}
        assert old.default is REQUIRED or old.default == new.default


@pytest.mark.parametrize("name", REMOVED, ids=lambda name: name.paths[0])
def test_every_row_says_what_to_do(name: RemovedName) -> None:
    first = name.advice.split()[0]
    assert first in {"Call", "Copy", "Define", "Import", "Write"}
    assert name.advice.endswith(".")
    assert name.advice.count(". ") == 0
    assert name.family in {"attention", "helper", "ipex", "module"}
    assert name.removed_in == following(name.last)
    assert name.pull_request_url == (
        f"https://github.com/vllm-project/vllm/pull/{name.pull_request}" if name.pull_request else ""
    )
    for note in name.notes:
        assert note[0].islower()
        assert note.endswith(".")


def test_what_moved_names_its_new_place_and_nothing_else_does() -> None:
    for name in REMOVED:
        keeps_its_name = name.replacement.rpartition(".")[2] == name.name
        assert name.moved == keeps_its_name, name


def test_the_attention_functions_lead_to_the_surviving_call() -> None:
    for name in REMOVED:
        if name.family == "attention":
            assert name.replacement == "paged_attention_shim.paged_attention"


def test_required_is_one_object_in_every_process() -> None:
    assert pickle.loads(pickle.dumps(REQUIRED)) is REQUIRED
    assert copy.deepcopy(SURVIVING)[0].default is REQUIRED
    assert repr(REQUIRED) == "REQUIRED"


def test_records_survive_pickling() -> None:
    assert pickle.loads(pickle.dumps(REMOVED)) == REMOVED


def test_kinds_are_the_documented_ones() -> None:
    kinds = {each.kind for name in REMOVED for generation in name.generations for each in generation.parameters}
    plain = {"tensor", "int", "float", "str", "dict", "list", "object", "optional tensor", "optional int"}
    assert kinds <= plain
    assert {each.kind for each in SURVIVING} <= {*plain, "scale"}


@pytest.mark.parametrize("module", ["paged_attention_shim", "paged_attention_shim.removed"])
def test_importing_loads_the_standard_library_only(module: str) -> None:
    code = (
        "import sys\n"
        f"sys.path.insert(0, {str(ROOT / 'shim')!r})\n"
        "before = set(sys.modules)\n"
        f"import {module}\n"
        "new = {name.partition('.')[0] for name in set(sys.modules) - before}\n"
        "foreign = new - sys.stdlib_module_names - {'paged_attention_shim'}\n"
        "heavy = set(sys.modules) & {'dataclasses', 'inspect', 'json', 'multiprocessing', 'subprocess'}\n"
        "sys.exit(', '.join(sorted(foreign | heavy)) or None)\n"
    )
    result = subprocess.run([sys.executable, "-S", "-c", code], capture_output=True, text=True, check=False)
    assert (result.returncode, result.stderr.strip()) == (0, "")


def test_the_page_in_the_docs_is_what_the_table_prints() -> None:
    text = (ROOT / "docs" / "removed-names.md").read_text(encoding="utf-8")
    assert text == page(), "run: python -m paged_attention_shim.removed > docs/removed-names.md"


def test_the_page_shows_every_path_and_every_generation() -> None:
    text = page()
    for path in PATHS:
        assert f"`{path}` (" in text
    generations: list[Generation] = [each for name in REMOVED for each in name.generations]
    assert text.count("\n- ") == len(generations) + len(
        {(name.family, note) for name in REMOVED for note in name.notes}
    )
