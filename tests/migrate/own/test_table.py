"""`[[tool.paged-attention-migrate.removed]]`: what it may say, and one sentence for each fault."""

from __future__ import annotations

from pathlib import Path

import pytest

from paged_attention_migrate.own import OwnName
from paged_attention_migrate.settings import SettingsError, load

ENTRY = """\
[[tool.paged-attention-migrate.removed]]
name = "fused_add_norm"
homes = ["oldlib.ops", "oldlib"]
signature = "(out, x, weight, scratch, eps=1e-6)"
replacement = "newlib.ops.add_norm"
replacement-signature = "(out, input, weight, eps=1e-6)"
renamed = { x = "input" }
dropped = ["scratch"]
safe = true
since = "oldlib 2.0"
reason = "merged into add_norm"
"""
PLAIN = '[[tool.paged-attention-migrate.removed]]\nname = "f"\nhomes = ["old"]\n'


def loaded(folder: Path, text: str) -> tuple[OwnName, ...]:
    (folder / "pyproject.toml").write_text(text, encoding="utf-8")
    return load(str(folder)).removed


def test_all_that_an_entry_can_say(tmp_path: Path) -> None:
    wanted = OwnName(
        name="fused_add_norm",
        homes=("oldlib.ops", "oldlib"),
        signature="(out, x, weight, scratch, eps=1e-6)",
        replacement="newlib.ops.add_norm",
        replacement_signature="(out, input, weight, eps=1e-6)",
        renamed=(("x", "input"),),
        dropped=("scratch",),
        safe=True,
        since="oldlib 2.0",
        reason="merged into add_norm",
    )
    assert loaded(tmp_path, ENTRY) == (wanted,)


def test_an_entry_that_only_reports_and_one_that_only_moves(tmp_path: Path) -> None:
    text = f'{PLAIN}signature = "(a)"\n{PLAIN.replace("f", "g")}replacement = "new.g"\n'
    first, second = loaded(tmp_path, text)
    assert (first.replacement, first.signature, first.safe) == (None, "(a)", True)
    assert (second.replacement, second.signature) == ("new.g", None)


def test_words_for_messages_are_one_line(tmp_path: Path) -> None:
    assert loaded(tmp_path, f'{PLAIN}reason = """two\n  lines"""\n')[0].reason == "two lines"


@pytest.mark.parametrize("text", ["removed = []", "exclude = []", ""])
def test_no_names(text: str, tmp_path: Path) -> None:
    assert loaded(tmp_path, f"[tool.paged-attention-migrate]\n{text}\n") == ()


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('name = "fused_add_norm"', "", "entry 1: name is missing; the name of the function is accepted"),
        ("fused_add_norm", "oldlib.fused", "entry 1: name is 'oldlib.fused'; an identifier such as 'old_norm'"),
        ("fused_add_norm", "class", "entry 1: name is 'class'; an identifier"),
        ("fused_add_norm", "", "entry 1: name is ''; an identifier"),
        ('"fused_add_norm"', "3", r"entry 1: name is a number \(3\); a string is accepted"),
        ("fused_add_norm", "paged_attention_v1", "paged_attention_v1 is known already; the key homes above"),
        ("name =", "nam =", "entry 1: there is no key 'nam'; it takes name, homes, signature, replacement"),
        ('homes = ["oldlib.ops", "oldlib"]', "", r"entry 1 \(fused_add_norm\): homes is missing"),
        ('["oldlib.ops", "oldlib"]', "[]", "homes is empty; at least one module"),
        ('["oldlib.ops", "oldlib"]', '"oldlib"', r"homes is a string \('oldlib'\); an array of strings is accepted"),
        ('"oldlib.ops", ', '"oldlib-ops", ', "homes has 'oldlib-ops'; a dotted name of a module"),
        ('"oldlib.ops", ', '"oldlib.", ', "homes has 'oldlib.'; a dotted name"),
        ('"oldlib.ops", ', '"oldlib", ', "homes has 'oldlib' twice"),
        ("(out, x, weight, scratch", "(out, x, weight, *scratch", r"signature '.*' has \*scratch; parameters that"),
        ("(out, x, weight, scratch", "(out, x, weight, **scratch", "does not parse as a parameter list in brackets"),
        ("scratch, eps=1e-6)", "scratch, eps=1e-6", "signature '.*' does not parse as a parameter list in brackets"),
        ("(out, x, weight, scratch", "add(out, x, weight, scratch", "signature 'add.*' does not parse"),
        ("scratch, eps=1e-6)", "scratch, eps=)", "does not parse as a parameter list in brackets"),
        ("scratch, eps=1e-6)", "scratch, eps=1): return 1\\ndef f()", "is more than a parameter list in brackets"),
        ("(out, x, weight, scratch,", "(out, x, x, scratch,", "signature '.*' is none .*duplicate parameter name"),
        ("input, weight, eps=1e-6)", "input, weight, **eps)", r"replacement-signature '.*' has \*\*eps"),
        ("newlib.ops.add_norm", "torch.ops.new.norm", "`torch.ops.new.norm` is an operator, which no import brings"),
        ("newlib.ops.add_norm", "add_norm", "replacement is 'add_norm'; a full dotted name"),
        ("newlib.ops.add_norm", "newlib.ops.add-norm", "replacement is 'newlib.ops.add-norm'; a full dotted name"),
        ("newlib.ops.add_norm", "oldlib.fused_add_norm", "is itself removed, by entry 1; name what is there in"),
        ("newlib.ops.add_norm", "vllm._custom_ops.paged_attention_v2", "is gone itself; name what is there"),
        ('replacement = "newlib.ops.add_norm"', "", "replacement-signature is there without replacement; add the"),
        ('signature = "(out, x, weight, scratch, eps=1e-6)"\nrep', "rep", "signature is missing; both signatures"),
        (
            'replacement-signature = "(out, input, weight, eps=1e-6)"',
            "",
            "replacement-signature is missing; both signatures are accepted, or neither",
        ),
        ('{ x = "input" }', '{ y = "input" }', "renamed has 'y', which is no parameter of signature"),
        ('{ x = "input" }', '{ x = "inputs" }', "renamed has 'x' as 'inputs', which is no parameter of replacement-"),
        ('{ x = "input" }', '{ x = "out" }', "parameters 'out' and 'x' would both become 'out'"),
        ('{ x = "input" }', "{ x = 1 }", "renamed is a table .*; a table such as { old = 'new' } is accepted"),
        ('{ x = "input" }', '["x"]', "renamed is an array"),
        ('{ x = "input" }', "{}", "parameter 'x' is no parameter of replacement-signature .*; give its new"),
        ('["scratch"]', '["buffer"]', "dropped has 'buffer', which is no parameter of signature"),
        ('["scratch"]', '["scratch", "scratch"]', "dropped has 'scratch' twice"),
        ('["scratch"]', '["scratch", "x"]', "'x' is in renamed and in dropped; one of them is accepted"),
        ('["scratch"]', '["scratch", "weight"]', "parameter 'weight' of replacement-signature has no default, and no"),
        ('["scratch"]', "[]", "parameter 'scratch' is no parameter of replacement-signature"),
        ('["scratch"]', '"scratch"', "dropped is a string"),
        ("weight, eps=1e-6)\"\nren", "weight, bias, eps=1e-6)\"\nren", "parameter 'bias' of replacement-signature has"),
        ("safe = true", 'safe = "yes"', "safe is a string .*; true or false is accepted"),
        ('"oldlib 2.0"', "2.0", "since is a number"),
        ('"merged into add_norm"', "[]", "reason is an array"),
    ],
)  # fmt: skip
def test_a_fault_is_one_sentence(old: str, new: str, message: str, tmp_path: Path) -> None:
    assert old in ENTRY
    with pytest.raises(SettingsError, match=message) as caught:
        loaded(tmp_path, ENTRY.replace(old, new, 1))
    told = str(caught.value)
    assert told.startswith(f"{tmp_path / 'pyproject.toml'}: [tool.paged-attention-migrate] removed, entry 1")
    assert "\n" not in told


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ('replacement = "new.f"\ndropped = ["a"]', "dropped is there without signatures; add both"),
        ('replacement = "new.f"\nrenamed = {a = "b"}', "renamed is there without signatures; add both"),
        ("safe = false", "safe is there without replacement"),
        ('dropped = ["a"]', "dropped is there without replacement"),
        (PLAIN, "entry 2: `old.f` is entry 1 already; one entry for each name of each module"),
        (
            '[[tool.paged-attention-migrate.removed]]\nname = "swap_blocks"\nhomes = ["vllm._ipex_ops.ipex_ops"]',
            "`vllm._ipex_ops.ipex_ops.swap_blocks` is known already; `explain vllm._ipex_ops.ipex_ops.swap_blocks`",
        ),
    ],
)
def test_faults_of_entries_together(more: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=message):
        loaded(tmp_path, f"{PLAIN}{more}\n")


@pytest.mark.parametrize("value", ["3", '"f"', "['f']", "{ name = 'f' }"])
def test_something_else_than_tables(value: str, tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"removed is .*; an array of tables is accepted"):
        loaded(tmp_path, f"[tool.paged-attention-migrate]\nremoved = {value}\n")


def test_a_name_that_several_modules_had(tmp_path: Path) -> None:
    names = loaded(tmp_path, f"{PLAIN}{PLAIN.replace('old', 'other')}")
    assert [each.paths for each in names] == [("old.f",), ("other.f",)]
