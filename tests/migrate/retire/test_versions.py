"""Dispatches that are left as they are: the values or readers of a parameter are out of sight, or an arm does more."""

from __future__ import annotations

import pytest

from paged_attention_migrate.settings import Settings

pytest.importorskip("tree_sitter_cuda", reason="the extra `native` is not installed")

from paged_attention_migrate.retire.dispatch import specialise

HEAD = "import pytest\nfrom vllm import _custom_ops as ops\n\n\n"
CALL = "ops.paged_attention_v1(out)"

LEFT = {
    "values that nothing lists": f"""
def main(version, out):
    if version == "v1":
        {CALL}
    else:
        ops.paged_attention_rocm(out)
""",
    "a flag that takes anything": f"""
def main(version, out):
    if version == "v1":
        {CALL}
    else:
        ops.paged_attention_rocm(out)

parser.add_argument("--version", default="v1")
args = parser.parse_args()
main(version=args.version, out=1)
""",
    "a list that is made at run time": f"""
@pytest.mark.parametrize("version", versions())
def test(version, out):
    if version == "v1":
        {CALL}
    else:
        ops.paged_attention_rocm(out)
""",
    "a parameter that is bound again": f"""
@pytest.mark.parametrize("version", ["v1", "rocm"])
def test(version, out):
    version = version.lower()
    if version == "v1":
        {CALL}
    else:
        ops.paged_attention_rocm(out)
""",
    "a function without any removed call": """
@pytest.mark.parametrize("version", ["v1", "rocm"])
def test(version, out):
    if version == "v1":
        ops.rms_norm(out)
    else:
        ops.paged_attention_rocm(out)
""",
    "an arm that does something else as well": f"""
@pytest.mark.parametrize("version", ["v1", "v2"])
def test(version, out):
    if version == "v1":
        {CALL}
    else:
        measure(out)
        ops.paged_attention_v2(out)
""",
    "a call outside of the arms": f"""
@pytest.mark.parametrize("version", ["v1", "rocm"])
def test(version, out):
    {CALL}
    if version == "rocm":
        ops.paged_attention_rocm(out)
    if version == "v1":
        {CALL}
""",
}

# The arms could go, but what depends on the parameter cannot: a sentence says why.
REFUSED = {
    "a use of the value": (
        f"""
@pytest.mark.parametrize("version", ["v1", "rocm"])
def test(version, out):
    if version == "v1":
        {CALL}
    else:
        ops.paged_attention_rocm(out)
    print(version)
""",
        "still reads `version`",
    ),
    "a flag that is read elsewhere": (
        f"""
def main(version, out):
    if version == "v1":
        {CALL}
    else:
        ops.paged_attention_rocm(out)

parser.add_argument("--version", choices=["v1", "rocm"])
args = parser.parse_args()
print(args.version)
main(version=args.version, out=1)
""",
        "--version is still read",
    ),
    "arguments that are handed on whole": (
        f"""
def main(version, out):
    if version == "v1":
        {CALL}
    else:
        ops.paged_attention_rocm(out)

parser.add_argument("--version", choices=["v1", "rocm"])
args = parser.parse_args()
log(args)
main(version=args.version, out=1)
""",
        "--version is still read",
    ),
    "a default that is gone": (
        f"""
def main(version, out):
    if version == "v1":
        {CALL}
    elif version == "flash":
        flash(out)
    else:
        ops.paged_attention_rocm(out)

parser.add_argument("--version", choices=["v1", "flash", "rocm"], default="v1")
args = parser.parse_args()
main(version=args.version, out=1)
""",
        "the default of --version",
    ),
    "a call that asks for what is gone": (
        f"""
def main(version, out):
    if version == "v1":
        {CALL}
    elif version == "flash":
        flash(out)
    else:
        ops.paged_attention_rocm(out)

main("v1", 1)
main("flash", 1)
main("rocm", 1)
""",
        "asks for 'v1'",
    ),
}


@pytest.mark.parametrize("case", LEFT)
def test_a_dispatch_is_left(case: str) -> None:
    text = HEAD + LEFT[case]
    assert specialise("test.py", text.encode(), Settings(), lambda _: False) is None


@pytest.mark.parametrize("case", REFUSED)
def test_a_refusal_is_said_and_the_file_stays(case: str) -> None:
    text, why = REFUSED[case]
    result = specialise("test.py", (HEAD + text).encode(), Settings(), lambda _: False)
    assert result is not None
    assert result.data == (HEAD + text).encode()
    assert len(result.refusals) == 1
    assert why in result.refusals[0]


def test_a_function_that_another_file_takes_keeps_its_parameter() -> None:
    text = HEAD + REFUSED["a use of the value"][0].replace("    print(version)\n", "")
    assert specialise("test.py", text.encode(), Settings(), lambda _: True).refusals  # type: ignore[union-attr]
    assert not specialise("test.py", text.encode(), Settings(), lambda _: False).refusals  # type: ignore[union-attr]


def test_newlines_and_encoding_stay() -> None:
    text = "# coding: latin-1\n" + HEAD + REFUSED["a use of the value"][0].replace("print(version)", "print('\xe9')")
    data = text.replace("\n", "\r\n").encode("latin-1")
    result = specialise("test.py", data, Settings(), lambda _: False)
    assert result is not None
    assert result.data.count(b"\n") == result.data.count(b"\r\n")
    assert b"print('\xe9')" in result.data
    assert b"version" not in result.data


@pytest.mark.parametrize(
    ("arm", "expected"),
    [
        pytest.param(
            '    if version == "v1":\n        {v1}\n        return\n    {rocm}\n', "    {rocm}\n", id="return"
        ),
        pytest.param(
            '    if version != "v1":\n        {rocm}\n        return\n    {v1}\n', "    {rocm}\n    return\n", id="not"
        ),
        pytest.param('    if not version == "v1": {rocm}\n    else: {v1}\n', "    {rocm}\n", id="one line"),
        pytest.param('    x = {v1} if version == "v1" else {rocm}\n', None, id="expression"),
        pytest.param('    if version in ["v1"]:\n        {v1}\n    else:\n        {rocm}\n', "    {rocm}\n", id="list"),
        pytest.param(
            '    with a:\n        if version == "v1":\n            {v1}\n    if version == "rocm":\n        {rocm}\n',
            "    with a:\n        pass\n    {rocm}\n",
            id="empty block",
        ),
        pytest.param(
            '    if a and version == "v1":\n        {v1}\n    elif a or version == "v1":\n        {rocm}\n',
            "    if a:\n        {rocm}\n",
            id="half a condition",
        ),
    ],
)
def test_ways_to_write_the_arms(arm: str, expected: str | None) -> None:
    calls = {"v1": CALL, "rocm": "ops.paged_attention_rocm(out)"}
    head = HEAD + '@pytest.mark.parametrize("version", ["v1", "rocm"])\ndef test(version, out):\n'
    result = specialise("test.py", (head + arm.format(**calls)).encode(), Settings(), lambda _: False)
    if expected is None:
        assert result is None
        return
    assert result is not None
    assert result.data.decode() == HEAD + "def test(out):\n" + expected.format(**calls)
