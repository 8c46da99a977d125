"""Pages about codes and removed names."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from paged_attention_migrate import explain
from paged_attention_migrate.explain import Unknown, index, page, rules, slugs
from paged_attention_migrate.report.colour import Paint
from paged_attention_shim.removed import REMOVED

PLAIN = Paint(False)
DOCSTRING = """PAM998 sample: a code of a test
What it is about.

    before()

PAM999 sample-two: another code
Says less.
"""


@pytest.fixture
def _sample_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        explain, "_docstrings", lambda: iter(["What the module is.\n\n" + DOCSTRING, "no code here", ""])
    )


@pytest.mark.usefixtures("_sample_rules")
def test_a_code_by_any_of_its_names() -> None:
    expected = "PAM998 sample: a code of a test\n\nWhat it is about.\n\n    before()\n"
    for subject in ("PAM998", "pam998", "sample", "Sample", " PAM998 "):
        assert page(subject, PLAIN) == expected
    assert slugs() == {"PAM998": "sample", "PAM999": "sample-two"}


@pytest.mark.usefixtures("_sample_rules")
def test_a_code_that_is_unknown_names_the_nearest() -> None:
    with pytest.raises(Unknown, match=r"^nothing is known about 'PAM997': the nearest are PAM99"):
        page("PAM997", PLAIN)


@pytest.mark.usefixtures("_sample_rules")
def test_a_word_that_is_near_to_nothing() -> None:
    with pytest.raises(Unknown, match=r"^nothing is known about 'zzzzzz': `explain` alone lists all codes and names$"):
        page("zzzzzz", PLAIN)


@pytest.mark.parametrize(
    ("subject", "near"),
    [
        ("paged_attention_v3", "paged_attention_v2"),
        ("pagedattention_v1", "paged_attention_v1"),
        ("PAGED_ATTENTION_V1", "paged_attention_v1"),
        ("forward_decoed", "forward_decode"),
    ],
)
def test_a_misspelt_name_names_the_nearest(subject: str, near: str) -> None:
    with pytest.raises(Unknown, match=near):
        page(subject, PLAIN)


def test_the_page_of_a_removed_function() -> None:
    text = page("paged_attention_v2", PLAIN)
    for part in (
        "Removed in vLLM 0.25.0, https://github.com/vllm-project/vllm/pull/47361\n",
        "  vllm._custom_ops.paged_attention_v2    0.4.1 to 0.24.0\n",
        "  paged_attention_v2(out, exp_sum, max_logits, tmp_out, query,",
        "  paged_attention(out, query, key_cache, value_cache, num_kv_heads,",
        "  0.2.4 to 0.2.7 (#1997): without head_mapping; with num_kv_heads\n",
        "  0.7.0 to 0.24.0 (#11906): another kind of k_scale, v_scale\n",
        "What to call instead\n  paged_attention_shim.paged_attention\n",
    ):
        assert part in text


def test_a_bare_name_shows_every_home_and_a_path_shows_one() -> None:
    both = page("paged_attention_v1", PLAIN)
    assert "vllm._ipex_ops.ipex_ops.paged_attention_v1" in both
    assert "vllm._ipex_ops" not in page("_custom_ops.paged_attention_v1", PLAIN)
    assert "torch.ops._C" not in page("ipex_ops.paged_attention_v1", PLAIN)


@pytest.mark.parametrize("subject", ["attention_v1", "_v1", "ops.paged", ""])
def test_a_part_of_a_word_is_no_name(subject: str) -> None:
    with pytest.raises(Unknown):
        page(subject, PLAIN)


@pytest.mark.parametrize("name", REMOVED, ids=lambda name: name.paths[-1])
def test_every_removed_name_has_a_page_that_fits(name: object) -> None:
    for path in name.paths:  # type: ignore[attr-defined]
        text = page(path, PLAIN, width=80)
        assert path in text
        assert "\xa0" not in text
        prose = [line for line in text.splitlines() if " " in line.strip() and not line.startswith("  ")]
        assert max(map(len, prose)) <= 90


@pytest.mark.usefixtures("_sample_rules")
def test_the_index_lists_everything() -> None:
    text = index(PLAIN)
    assert "  PAM998 sample      a code of a test\n" in text
    for name in REMOVED:
        assert name.name in text


def test_docstrings_are_read_as_python_reads_them() -> None:
    sources = Path(explain.__file__).parent.joinpath("rules").glob("*.py")
    assert sorted(explain._docstrings()) == sorted(
        ast.get_docstring(ast.parse(source.read_bytes()), clean=False) or "" for source in sources
    )


def test_every_rule_has_a_page() -> None:
    for rule in rules().values():
        assert page(rule.code, PLAIN).startswith(f"{rule.code} {rule.slug}: ")
        assert f"{rule.code} {rule.slug}: " in page(rule.slug, PLAIN)
        assert rule.text


def test_every_code_that_is_reported_is_explained(checkout: Path) -> None:
    sources = (checkout / "migrate").rglob("*.py")
    codes = {code for source in sources for code in re.findall(r"PAM\d{3}", source.read_text(encoding="utf-8"))}
    assert codes == set(rules())


def test_the_page_of_codes_is_what_the_rules_say(checkout: Path) -> None:
    from paged_attention_migrate.rules.__main__ import page as codes

    text = (checkout / "docs" / "codes.md").read_text(encoding="utf-8")
    assert text == codes(), "run: python -m paged_attention_migrate.rules > docs/codes.md"
    for rule in rules().values():
        assert f"\n## {rule.code} {rule.slug}\n" in text
        assert rule.text in text
        assert f"(#{rule.code.lower()}-{rule.slug})" in text
