"""Remarks in the text: codes that a line silences, places that are to be kept, remarks that say nothing any more."""

from __future__ import annotations

from pathlib import Path

import pytest

from paged_attention_migrate.findings import INFO, Finding
from paged_attention_migrate.project import Options, Result, check, rewrite
from paged_attention_migrate.settings import Settings

ARGUMENTS = "q, kc, vc, 8, scale, tables, lens, 16, longest, None, 'auto', ks, vs"
V1 = f"ops.paged_attention_v1(out, {ARGUMENTS})"
V2 = f"ops.paged_attention_v2(out, sums, logits, tmp, {ARGUMENTS})"
NEW = f"paged_attention(out, {ARGUMENTS})"
HEAD = "from vllm import _custom_ops as ops\n"
IMPORT = "from vllm._custom_ops import paged_attention_v1\n"
KEEP = "# paged-attention: keep"
DEF = "\n\ndef step(out, q, kc, vc, scale, tables, lens, longest, ks, vs, sums, logits, tmp):\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


DEFAULTS = Settings()


def found(text: str, settings: Settings = DEFAULTS, paths: tuple[str, ...] = (".",)) -> list[tuple[int, str, str]]:
    Path("step.py").write_text(text, encoding="utf-8")
    result = check(Options(paths, settings))
    return [(each.line, each.code, each.severity) for each in result.findings]


def rewritten(text: str, unsafe: bool = False) -> str:
    Path("step.py").write_text(text, encoding="utf-8")
    result = rewrite(Options(unsafe=unsafe))
    return next((each.after.decode() for each in result.changes if each.path == "step.py"), text)


def of(result: Result, code: str) -> list[Finding]:
    return [each for each in result.findings if each.code == code]


# Codes that a line silences


@pytest.mark.parametrize(
    "comment",
    [
        "# noqa: PAM102",
        "# noqa:PAM102",
        "# noqa: E501, PAM102",
        "# noqa: E501 PAM102",
        "# noqa: PAM1",
        "# x # noqa: PAM102",
    ],
)
def test_a_line_silences_a_code(comment: str) -> None:
    assert found(f"{HEAD}{DEF}    {V1}  {comment}\n") == []
    assert rewritten(f"{HEAD}{DEF}    {V1}  {comment}\n") == f"{HEAD}{DEF}    {V1}  {comment}\n"


@pytest.mark.parametrize("comment", ["# noqa", "# noqa: E501", "# noqa: PAM103", "# PAM102", "# noqa PAM102"])
def test_a_line_that_silences_something_else(comment: str) -> None:
    assert (5, "PAM102", "error") in found(f"{HEAD}{DEF}    {V1}  {comment}\n")


# Codes that silence nothing


def test_a_code_that_silences_nothing_is_told() -> None:
    assert found(f"import os  # noqa: PAM102\n{HEAD}{DEF}    {V1}\n") == [
        (1, "PAM903", "warning"),
        (6, "PAM102", "error"),
    ]
    [finding] = of(check(Options()), "PAM903")
    assert (finding.column, finding.end_column, finding.name) == (20, 26, "PAM102")
    assert finding.message == "`noqa: PAM102` silences nothing on this line: take it out"


def test_a_file_without_any_name_is_looked_at() -> None:
    assert found("import os  # noqa: PAM102, E501\n") == [(1, "PAM903", "warning")]
    assert found("import os  # noqa: E501, PAM1, PAM405\n") == [(1, "PAM903", "warning"), (1, "PAM903", "warning")]


@pytest.mark.parametrize(
    "text",
    [
        "import os  # noqa: E501\n",
        "import os  # noqa\n",
        "x = '# noqa: PAM102'\n",
        '"""\n# noqa: PAM102\n"""\n',
        "import os  # noqa: PAM102, PAM903\n",
        "import os  # noqa: PAM9\n",
        "import os  # noqa: SPAM102\n",
        "def broken(:  # noqa: PAM102\n",
        "import os  # noqa: PAM102\n\0",
    ],
)
def test_what_is_no_unused_code(text: str) -> None:
    assert found(text) == []


def test_a_code_that_the_settings_ignore_anyway_is_not_told() -> None:
    text = f"{HEAD}{DEF}    {V1}  # noqa: PAM102\n"
    for ignored in ("PAM102", "PAM1", "PAM903"):
        settings = Settings(per_file_ignores=(("step.py", (ignored,)),))
        assert found(text, settings) == []
        assert found("import os  # noqa: PAM102\n", settings) == []


def test_a_run_over_single_files_does_not_tell() -> None:
    assert found("import os  # noqa: PAM102\n", paths=("step.py",)) == []
    assert found(f"import os  # noqa: PAM102\n{HEAD}{DEF}    {V1}\n", paths=("step.py",)) == [(6, "PAM102", "error")]


def test_a_code_that_is_needed_for_what_another_file_hands_on() -> None:
    Path("mine.py").write_text(f"{HEAD}attend = ops.paged_attention_v2  # noqa: PAM103\n", encoding="utf-8")
    call = V2.replace("ops.paged_attention_v2", "attend")
    assert found(f"from mine import attend\n{DEF}    {call}  # noqa: PAM102\n") == []
    assert found(f"from mine import attend\n{DEF}    print()  # noqa: PAM102\n") == [(5, "PAM903", "warning")]


def test_a_tree_that_defines_the_functions_is_left_alone() -> None:
    Path("vllm").mkdir()
    Path("vllm/_custom_ops.py").write_text("def paged_attention_v1(out, query): ...\n", encoding="utf-8")
    Path("vllm/other.py").write_text("import os  # noqa: PAM102\n", encoding="utf-8")
    assert found("import os\n") == []


def test_what_a_rewrite_leaves_without_use_is_told_at_once() -> None:
    Path("step.py").write_text(f"{HEAD}{DEF}    {V1}  # noqa: PAM405\n", encoding="utf-8")
    result = rewrite(Options()).once_written()
    assert [(each.line, each.code, each.fixed) for each in result.findings] == [
        (5, "PAM102", True),
        (5, "PAM903", False),
    ]


# Places that are to be kept


@pytest.mark.parametrize(
    "body",
    [
        f"    {V1}  {KEEP}\n",
        f"    {V1}  #paged-attention:keep, since the CPU build has it\n",
        f"    {KEEP}: a reason\n    {V1}\n",
        f"    {KEEP}\n    # another remark\n    {V1}\n",
        f"    # another remark\n    {KEEP}\n    {V1}\n",
        f"    {V1.replace('(out,', f'(  {KEEP}' + chr(10) + '        out,')}\n",
        f"    {V1.replace(' vs)', chr(10) + f'        vs,  {KEEP}' + chr(10) + '    )')}\n",
        f"    {V1.replace(' vs)', chr(10) + f'        vs){chr(32)} {KEEP}')}\n",
        f"    return (  {KEEP}\n        {V1}\n    )\n",
        f"    {KEEP}\n    return (\n        {V1}\n    )\n",
        f"    if longest:  {KEEP}\n        pass\n    {V2}  {KEEP}\n",
    ],
)
def test_a_place_to_keep_is_a_mention_without_an_edit(body: str) -> None:
    text = f"{HEAD}{DEF}{body}"
    assert {severity for _, _, severity in found(text) if _ != "PAM904"} == {INFO} or "if longest" in body
    assert not any(severity == "error" for _, _, severity in found(text))
    for unsafe in (False, True):
        assert rewritten(text, unsafe) == text


@pytest.mark.parametrize(
    "body",
    [
        f"    x = '{KEEP}'; {V1}\n",
        f"    print()  {KEEP}\n    {V1}\n",
        f"    {V1}\n    {KEEP}\n    print()\n",
        f"    {KEEP}\n\n    {V1}\n",
        f"    if longest:  {KEEP}\n        {V1}\n",
        f"    {V1}  # paged-attention: keeps\n",
        f"    {V1}  # paged-attention keep\n",
    ],
)
def test_a_remark_somewhere_else_keeps_nothing(body: str) -> None:
    text = f"{HEAD}{DEF}{body}"
    assert any(code == "PAM102" and severity == "error" for _, code, severity in found(text))
    assert NEW in rewritten(text)


def test_others_in_the_file_are_rewritten() -> None:
    text = f"{HEAD}{DEF}    {V1}  {KEEP}\n    {V1}\n"
    after = rewritten(text)
    assert after == f"from paged_attention_shim import paged_attention\n{HEAD}{DEF}    {V1}  {KEEP}\n    {NEW}\n"
    assert rewritten(after) == after


def test_two_calls_in_one_statement_are_told_apart() -> None:
    text = f"{HEAD}{DEF}    return [\n        {V1},  {KEEP}\n        {V1},\n    ]\n"
    after = rewritten(text)
    assert after.count("ops.paged_attention_v1") == 1
    assert f"        {V1},  {KEEP}\n        {NEW},\n" in after


def test_the_reason_is_told() -> None:
    Path("step.py").write_text(f"{HEAD}{DEF}    {KEEP}\n    {V1}\n", encoding="utf-8")
    [finding] = check(Options()).findings
    assert (finding.severity, finding.fix) == (INFO, None)
    assert finding.reasons == ("line 5 says that this is to be kept",)


def test_an_import_all_of_whose_uses_are_kept_is_kept() -> None:
    call = V1.replace("ops.", "")
    text = f"{IMPORT}{DEF}    {call}  {KEEP}\n"
    assert found(text) == [(1, "PAM101", INFO), (5, "PAM102", INFO)]
    assert rewritten(text) == text
    half = f"{IMPORT}{DEF}    {call}  {KEEP}\n    {call}\n"
    assert found(half)[0] == (1, "PAM101", "error")


def test_an_import_that_is_to_be_kept_stays() -> None:
    call = V1.replace("ops.", "")
    kept = IMPORT.replace("\n", f"  {KEEP}\n")
    after = rewritten(f"{kept}{DEF}    {call}\n")
    assert kept in after
    assert NEW in after
    assert rewritten(after) == after
    module = HEAD.replace("\n", f"  {KEEP}\n")
    after = rewritten(f"{module}{DEF}    {V1}\n")
    assert module in after
    assert NEW in after


def test_what_goes_together_stays_together() -> None:
    call = f"attend(out, sums, logits, tmp, {ARGUMENTS})"
    text = f"{HEAD}\n\ndef step(out, q, kc, vc, scale, tables, lens, longest, ks, vs, sums, logits, tmp):\n"
    text += f"    attend = ops.paged_attention_v2\n    {call}\n"
    assert NEW.replace("paged_attention(", "attend(") in rewritten(text)
    for remark in (KEEP, "# noqa: PAM"):
        for place in ("attend = ops.paged_attention_v2", call):
            kept = text.replace(place, f"{place}  {remark}")
            assert rewritten(kept, unsafe=True) == kept, kept
            assert {each.fix for each in check(Options()).findings} <= {None}
    both = text.replace("_v2\n", f"_v2  {KEEP}\n").replace("vs)\n", f"vs)  {KEEP}\n")
    assert all(severity == INFO for _, _, severity in found(both))


def test_scratch_that_is_to_be_kept_is_not_simplified_away() -> None:
    head = DEF.replace(", sums, logits, tmp", "")
    body = "    tmp = torch.empty(8)\n    sums = torch.empty(8)  # why\n    logits = torch.empty(8)\n"
    text = f"import torch\n{HEAD}{head}{body}    {V2}\n"
    assert "torch.empty" not in rewritten(text)
    kept = text.replace("# why", f"# why  {KEEP}")
    after = rewritten(kept)
    assert NEW in after
    assert after.count("torch.empty(8)") == 3
    assert rewritten(after) == after
    other = text + head.replace("step", "other") + body + f"    {V2}\n"
    after = rewritten(other.replace("# why", f"# why  {KEEP}", 1))
    assert after.count("torch.empty(8)") == 3
    assert after.count(NEW) == 2


def test_a_guard_that_is_to_be_kept() -> None:
    text = f"import torch\n\nHAVE = hasattr(torch.ops._C, 'paged_attention_v1')  {KEEP}\n"
    assert found(text) == [(3, "PAM105", INFO)]


def test_other_languages_say_it_on_the_line() -> None:
    Path("ops.cpp").write_text('ops.impl("paged_attention_v1", f);  // paged-attention: keep\n', encoding="utf-8")
    Path("more.cpp").write_text('ops.impl("paged_attention_v1", f);\n', encoding="utf-8")
    told = {each.path: each.severity for each in check(Options()).findings}
    assert told["ops.cpp"] == INFO
    assert told["more.cpp"] != INFO


# Places that are to be kept for nothing


@pytest.mark.parametrize(
    "text",
    [
        f"import os  {KEEP}\n",
        f"{KEEP}\nimport os\n",
        f"{HEAD}{DEF}    {V1}\n{DEF.replace('step', 'g')}    pass  {KEEP}\n",
    ],
)
def test_a_place_with_nothing_to_keep_is_told(text: str) -> None:
    told = [each for each in found(text) if each[1] == "PAM904"]
    assert [severity for _, _, severity in told] == ["warning"]


@pytest.mark.parametrize(
    "text",
    [
        f"{HEAD}{DEF}    {V1}  {KEEP}\n",
        f"from vllm import _custom_ops as ops  {KEEP}\n{DEF}    {V1}\n",
        f"{HEAD}{DEF}    tmp = [0]  {KEEP}\n    {V2}\n",
        f"x = '{KEEP}'\n",
        f"import os  {KEEP}  # noqa: PAM904\n",
    ],
)
def test_a_place_that_may_need_it_is_not_told(text: str) -> None:
    assert not any(code == "PAM904" for _, code, _ in found(text))
    assert found("import os  # paged-attention: keep\n", paths=("step.py",)) == []


def test_todo_comments_are_not_about_remarks() -> None:
    text = f"import os  # noqa: PAM102\n{HEAD}{DEF}    print(ops, os)  {KEEP}\n"
    Path("step.py").write_text(text, encoding="utf-8")
    assert rewrite(Options(add_todo=True)).changes == ()
