"""What `--target rocm` writes, and what it leaves with a reason."""

from __future__ import annotations

import pytest

from paged_attention_migrate.module import Facts
from paged_attention_migrate.settings import Settings
from paged_attention_migrate.study import Studied, Wanted, study

V1 = "out, q, kc, vc, 8, scale, tables, lens, 16, longest, None, 'auto', ks, vs"
V2 = f"out, sums, peaks, partial, {V1.removeprefix('out, ')}"
OPS = "from vllm import _custom_ops as ops\n"
HEAD = f"import torch\n{OPS}\n\ndef step(out, q, kc, vc, scale, tables, lens, longest, ks, vs, sums, peaks, partial):\n"
ALLOCATED = (
    "    exp_sum = torch.empty((*q.shape[:2], (longest + 255) // 256), dtype=torch.float32, device=q.device)\n"
    "    max_logits = torch.empty_like(exp_sum)\n"
    "    tmp_out = torch.empty((*exp_sum.shape, q.shape[2]), dtype=q.dtype, device=q.device)\n"
)
NEW = "out, exp_sum, max_logits, tmp_out, q, kc, vc, 8, scale, tables, lens, None, 16, longest, None, 'auto', ks, vs"


def studied(source: str, version: str | None = "0.9.2", unsafe: bool = False, simplify: bool = True) -> Studied:
    wanted = Wanted(rewrite=True, unsafe=unsafe, simplify=simplify)
    return study("case.py", source.encode(), Settings(target="rocm", from_version=version), Facts(), wanted)


def rewritten(source: str, version: str | None = "0.9.2", unsafe: bool = False, simplify: bool = True) -> str:
    """The new text, on which a second run finds nothing to do."""
    after = studied(source, version, unsafe, simplify).after
    assert after is not None
    assert studied(after.decode(), version, unsafe, simplify).after is None
    return after.decode()


def left(source: str, version: str | None = "0.9.2") -> list[str]:
    """Codes and messages of a file that stays as it is."""
    found = studied(source, version)
    assert found.after is None
    return [f"{each.code} {each.message}" for each in found.findings if each.severity == "error"]


def test_a_call_of_v1_gets_scratch_in_front_of_it_and_no_query_start() -> None:
    assert rewritten(f"{HEAD}    ops.paged_attention_v1({V1})\n") == (
        f"{HEAD}{ALLOCATED}    ops.paged_attention_rocm({NEW})\n"
    )


def test_buffers_for_partitions_of_512_are_never_handed_on() -> None:
    assert rewritten(f"{HEAD}    ops.paged_attention_v2({V2})\n") == (
        f"{HEAD}{ALLOCATED}    ops.paged_attention_rocm({NEW})\n"
    )


def test_scratch_that_only_the_old_call_had_goes() -> None:
    old = "    peaks = torch.empty_like(q)\n"
    source = HEAD.replace(", peaks", "") + old + f"    ops.paged_attention_v2({V2})\n"
    assert "peaks" not in rewritten(source)
    assert old in rewritten(source, simplify=False)


def test_a_name_that_the_file_has_is_not_bound_again() -> None:
    source = HEAD.replace("sums,", "exp_sum,") + f"    ops.paged_attention_v1({V1})\n    return exp_sum\n"
    after = rewritten(source)
    assert "rocm_exp_sum = torch.empty(" in after
    assert "ops.paged_attention_rocm(out, rocm_exp_sum, rocm_max_logits, rocm_tmp_out, q," in after
    assert after.endswith("    return exp_sum\n")


def test_arms_that_have_become_the_same_are_one() -> None:
    source = (
        f"{HEAD}    if longest <= 8192:\n        ops.paged_attention_v1({V1})\n"
        f"    else:\n        assert 512 % 16 == 0\n        ops.paged_attention_v2({V2})\n"
    )
    assert rewritten(source) == f"{HEAD}{ALLOCATED}    ops.paged_attention_rocm({NEW})\n"
    assert rewritten(source, simplify=False).count("ops.paged_attention_rocm(") == 2


def test_keywords_comments_and_lines_stay() -> None:
    call = (
        "    # decode\n    ops.paged_attention_v1(\n        out=out,  # written\n        query=q, key_cache=kc,\n"
        "        value_cache=vc, num_kv_heads=8, scale=scale, block_tables=tables, seq_lens=lens, block_size=16,\n"
        "        max_seq_len=4096, alibi_slopes=None,  # none\n        kv_cache_dtype='auto', k_scale=ks, v_scale=vs,\n"
        "        tp_rank=0,\n    )\n"
    )
    assert rewritten(HEAD + call) == (
        f"{HEAD}    # decode\n{ALLOCATED.replace('(longest + 255) // 256', '16')}    ops.paged_attention_rocm(\n"
        "        out=out,  # written\n        exp_sum=exp_sum,\n        max_logits=max_logits,\n"
        "        tmp_out=tmp_out,\n"
        "        query=q, key_cache=kc,\n"
        "        value_cache=vc, num_kv_heads=8, scale=scale, block_tables=tables, seq_lens=lens, "
        "query_start_loc=None, block_size=16,\n"
        "        max_seq_len=4096, alibi_slopes=None,  # none\n        kv_cache_dtype='auto', k_scale=ks, v_scale=vs,\n"
        "    )\n"
    )


def test_a_comment_stays_on_the_line_of_what_it_is_about() -> None:
    call = (
        "    ops.paged_attention_v1(\n        out, q, kc, vc, 8, scale, tables,\n        lens,  # lengths\n"
        "        16,\n        longest,\n        None,\n        'auto',\n        1.0  # scale\n    )\n"
    )
    one = "torch.full((), 1.0, dtype=torch.float32, device=q.device)"
    assert rewritten(HEAD + call, "0.5.0") == (
        f"{HEAD}{ALLOCATED}    ops.paged_attention_rocm(\n"
        "        out, exp_sum, max_logits, tmp_out, q, kc, vc, 8, scale, tables,\n        lens,  # lengths\n"
        "        None,\n        16,\n        longest,\n        None,\n        'auto',\n"
        f"        {one},  # scale\n        {one}\n    )\n"
    )


@pytest.mark.parametrize("name", ["q", "longest"])
def test_a_variable_that_an_inner_function_binds_may_change_with_an_argument(name: str) -> None:
    inner = f"    def renew():\n        nonlocal {name}\n        {name} = kc\n\n"
    (said,) = left(f"{HEAD}{inner}    ops.paged_attention_v1({V1.replace('tables', 'renew()')})\n")
    assert said.startswith("PAM412")
    assert "`renew()` may change what its scratch is sized by" in said
    read = inner.replace("nonlocal", "global")
    assert "exp_sum" in rewritten(f"{HEAD}{read}    ops.paged_attention_v1({V1.replace('tables', 'renew()')})\n")


_NO_TORCH = HEAD.removeprefix("import torch\n")
_IMPORT, _CALL = "        import torch\n", f"        ops.paged_attention_v1({V1})\n"


@pytest.mark.parametrize(
    "body",
    [
        f"    if q:\n{_IMPORT}    else:\n{_CALL}",
        f"    try:\n{_IMPORT}    except ImportError:\n{_CALL}",
        f"    try:\n{_IMPORT}    finally:\n{_CALL}",
        f"    for _ in kc:\n{_IMPORT}    else:\n{_CALL}",
        f"    if q:\n{_IMPORT}{_CALL.removeprefix('    ')}",
        f"{_CALL.removeprefix('    ')}\n\nstep()\nimport torch\n",
    ],
)
def test_an_import_of_torch_that_need_not_have_run_is_not_used(body: str) -> None:
    (said,) = left(_NO_TORCH + body)
    assert said.startswith("PAM412")
    assert "import torch at the top" in said


@pytest.mark.parametrize(
    "head",
    [
        "with suppress(ImportError):\n    import torch\n",
        "match 1:\n    case 2:\n        import torch\n",
        "import torch\nimport torch.nn as torch\n",
        "import torch\nimport numpy as torch, os\n",
    ],
)
def test_a_torch_that_may_be_missing_or_another_is_not_used(head: str) -> None:
    (said,) = left(f"{head}{_NO_TORCH}{_CALL.removeprefix('    ')}")
    assert said.startswith("PAM412")
    assert "import torch at the top" in said


@pytest.mark.parametrize(
    "source",
    [
        _NO_TORCH + f"    if q:\n{_IMPORT}{_CALL}",
        _NO_TORCH + f"    try:\n{_IMPORT}{_CALL}    except ImportError:\n        pass\n",
        f"import os, torch.nn\n{_NO_TORCH}    if q:\n{_CALL}",
    ],
)
def test_an_import_of_torch_in_front_of_the_call_is_used(source: str) -> None:
    assert rewritten(source).count("torch\n") == source.count("torch\n")


def test_a_name_that_is_declared_global_is_not_taken_for_scratch() -> None:
    assert "rocm_exp_sum = torch" in rewritten(f"{HEAD}    global exp_sum\n    ops.paged_attention_v1({V1})\n")


@pytest.mark.parametrize(
    ("version", "scale", "tensor"),
    [
        ("0.9.2", "ks", "ks"),
        ("0.6.0", "ks", "torch.full((), ks, dtype=torch.float32, device=q.device)"),
        (None, "ks", "torch.as_tensor(ks, dtype=torch.float32, device=q.device)"),
        (None, "0.5", "torch.full((), 0.5, dtype=torch.float32, device=q.device)"),
    ],
)
def test_scales_are_tensors(version: str | None, scale: str, tensor: str) -> None:
    call = f"    ops.paged_attention_v1({V1.replace('ks', scale)})\n"
    assert f"'auto', {tensor}, " in rewritten(HEAD + call, version)


def test_torch_is_imported_where_the_file_does_not() -> None:
    source = HEAD.removeprefix("import torch\n") + f"    ops.paged_attention_v1({V1})\n"
    assert rewritten(source).startswith(f"import torch\n{OPS}")
    source = HEAD.replace("import torch", "import torch as th") + f"    ops.paged_attention_v1({V1})\n"
    assert rewritten(source) == (
        HEAD.replace("import torch", "import torch as th")
        + ALLOCATED.replace("torch.", "th.")
        + f"    ops.paged_attention_rocm({NEW})\n"
    )


def test_an_imported_name_and_an_operator_take_the_import() -> None:
    source = HEAD.replace(OPS, "from vllm._custom_ops import paged_attention_v1, reshape_and_cache\n")
    after = rewritten(f"{source}    reshape_and_cache()\n    return paged_attention_v1({V1})\n")
    assert "from vllm._custom_ops import paged_attention_rocm\n" in after
    assert "from vllm._custom_ops import reshape_and_cache\n" in after
    assert after.endswith(f"{ALLOCATED}    return paged_attention_rocm({NEW})\n")
    source = HEAD.replace(OPS, "") + f"    torch.ops._C.paged_attention_v1({V1}, 0, 0, 0, 64, 0)\n"
    after = rewritten(source)
    assert "\nfrom vllm._custom_ops import paged_attention_rocm\n" in after
    assert after.endswith(f"{ALLOCATED}    paged_attention_rocm({NEW})\n")


@pytest.mark.parametrize(
    ("statement", "code", "said"),
    [
        (f"f = lambda: ops.paged_attention_v1({V1})", "PAM412", "lambda"),
        (f"[ops.paged_attention_v1({V1}) for _ in range(3)]", "PAM412", "a part of a statement"),
        (f"ops.paged_attention_v1({V1}) if q else None", "PAM412", "a part of a statement"),
        (f"if q: ops.paged_attention_v1({V1})", "PAM412", "its own line"),
        (f"q = 1; ops.paged_attention_v1({V1})", "PAM412", "its own line"),
        (f"ops.paged_attention_v1({V1.replace('longest', 'int(lens.max())')})", "PAM412", "cannot be written twice"),
        (f"ops.paged_attention_v1({V1.replace(' q,', ' q.contiguous(),')})", "PAM412", "cannot be written twice"),
        (f"ops.paged_attention_v1({V1.replace('tables', 'renew(q)').replace(' q,', ' kc.q,')})", "PAM412", "renew"),
        (f"ops.paged_attention_v1({V1.replace('tables', '(q := kc)')})", "PAM412", "may change"),
        (f"ops.paged_attention_v1({V1}, 0, 16, 8, 64, 0)", "PAM411", "block-sparse"),
        (f"ops.paged_attention_v1({V1}, 0, 0, stride, 64, 0)", "PAM411", "block-sparse"),
        (f"ops.paged_attention_v1({V1}, rank(), 0, 0, 64, 0)", "PAM410", "rank()"),
        (f"ops.paged_attention_v1({V1.replace('16', '8')})", "PAM411", "16 and 32"),
        (f"ops.paged_attention_v1({V1.replace('auto', 'fp8_e5m2')})", "PAM411", "fp8_e4m3"),
        (f"ops.paged_attention_v2({V2.replace('peaks', 'make()')})", "PAM410", "make()"),
        ("ops.paged_attention_v1(*lens)", "PAM405", "write them out"),
        ("f = partial(ops.paged_attention_v1, out)", "PAM412", "a function of the partial"),
        (f"f = ops.paged_attention_v1\n    f({V1})", "PAM103", "call it by its name"),
        ("return ops.paged_attention_v1", "PAM103", "call it by its name"),
    ],
)
def test_what_stays_is_said(statement: str, code: str, said: str) -> None:
    found = left(f"from functools import partial\n{HEAD}    {statement}\n")
    assert [each[:6] for each in found] == [code]
    assert said in found[0]


def test_scratch_that_is_read_afterwards_stays_with_its_call() -> None:
    found = left(f"{HEAD}    ops.paged_attention_v2({V2})\n    return sums\n")
    assert [each[:6] for each in found] == ["PAM401"]
    assert "256 tokens" in found[0]


@pytest.mark.parametrize(
    "head",
    [
        HEAD.replace("import torch\n", "if TYPE_CHECKING:\n    import torch\n"),
        HEAD.replace("import torch\n", "try:\n    import torch\nexcept ImportError:\n    torch = None\n"),
        HEAD.replace("step(", "step(torch, "),
    ],
    ids=["for type checkers", "in a try", "a parameter"],
)
def test_torch_must_be_torch(head: str) -> None:
    found = left(f"from typing import TYPE_CHECKING\n{head}    ops.paged_attention_v1({V1})\n")
    assert [each[:6] for each in found] == ["PAM412"]
    assert "import torch at the top" in found[0]


def test_a_class_body_gets_no_new_attributes() -> None:
    found = left(f"import torch\n{OPS}\n\nclass Step:\n    ops.paged_attention_v1({V1})\n")
    assert [each[:6] for each in found] == ["PAM412"]


def test_a_name_that_others_import_from_the_file_stays() -> None:
    source = 'from vllm._custom_ops import paged_attention_v1\n\n__all__ = ["paged_attention_v1"]\n'
    assert studied(source).after is None


def test_a_helper_that_made_its_own_output_is_for_a_person() -> None:
    source = (
        "from vllm.attention.ops.paged_attn import PagedAttention\n\n\ndef step(q, kc, vc, t, s, n, h, a, x, y):\n"
        "    return PagedAttention.forward_decode(q, kc, vc, t, s, n, 'auto', h, 0.1, a, x, y)\n"
    )
    assert any("allocate `out`" in each for each in left(source))


def test_fp8_of_two_releases_needs_a_reader() -> None:
    call = "ops.paged_attention_v1(out, q, kc, vc, 8, scale, tables, lens, 16, longest, None, 'fp8', ks)"
    found = studied(f"{HEAD}    {call}\n", "0.4.2")
    assert found.after is None
    assert [(each.code, each.fix) for each in found.findings] == [("PAM408", "unsafe")]
    assert "'fp8', torch.full((), ks" in rewritten(f"{HEAD}    {call}\n", "0.4.2", unsafe=True)


def test_an_existing_call_of_the_operator_stays() -> None:
    source = f"{HEAD}    ops.paged_attention_rocm(out, sums, peaks, partial, q)\n"
    assert studied(source).after is None
    assert studied(source).findings == ()


def test_newlines_and_indentation_are_those_of_the_file() -> None:
    source = HEAD + f"    ops.paged_attention_v1({V1})\n"
    after = rewritten(source.replace("    ", "\t").replace("\n", "\r\n"))
    assert after == rewritten(source).replace("    ", "\t").replace("\n", "\r\n")
