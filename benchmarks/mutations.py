"""Break the kernels in many ways, one at a time, and see that the tests notice each.

    python benchmarks/mutations.py [NUMBER ...]

Run by hand: it copies the package, changes one line, and runs the tests of the kernels on the copy until one fails.
Exits with 1 if a change went unnoticed.
"""
# ruff: noqa: E501  # one change a line

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "kernels" / "paged_attention_kernels"


class Mutation(NamedTuple):
    """One change of one line, and the tests that should fail."""

    what: str
    file: str
    before: str
    after: str
    tests: str = "test_decode.py"


MUTATIONS = (
    Mutation("mask one token further", "device/decode.py", "token[None, :] < row_end[:, None]", "token[None, :] <= row_end[:, None]"),
    Mutation("mask one token short", "device/decode.py", "row_end = length - query_len + query_index + 1", "row_end = length - query_len + query_index"),
    Mutation("window one token wider", "device/decode.py", "row_begin = tl.maximum(row_end - WINDOW, 0)", "row_begin = tl.maximum(row_end - WINDOW - 1, 0)"),
    Mutation("k_scale dropped", "device/decode.py", "multiplier = softmax_scale * key_factor", "multiplier = softmax_scale"),
    Mutation("v_scale dropped", "device/merge.py", "weighted * (value_factor / divisor)", "weighted * (1.0 / divisor)"),
    Mutation("wrong KV head", "device/decode.py", "kv_head = item % KV_HEADS", "kv_head = (item + 1) % KV_HEADS"),
    Mutation("wrong query head", "device/decode.py", "head = kv_head * GROUP + head_of_group", "head = head_of_group * KV_HEADS + kv_head"),
    Mutation("wrong packing", "device/tiles.py", "tl.permute(key, (1, 3, 0, 2))", "tl.permute(key, (3, 1, 0, 2))"),
    Mutation("tail of the values not zeroed", "device/decode.py", "value = tl.where(((token >= sees_from) & (token < sees_to))[:, None], value, 0.0)", "value = value"),
    Mutation("merge without the greatest score", "device/merge.py", "part_decay = tl.exp2(part_greatest - shift)\n        row_sum = row_sum * decay + part_sum * part_decay", "part_decay = tl.exp2(part_greatest * 0.0)\n        row_sum = row_sum * decay + part_sum * part_decay"),
    Mutation("second launch without the greatest score", "device/merge.py", "decay = tl.exp2(greatest - shift)\n        part_decay = tl.exp2(part_greatest - shift)\n        row_sum = row_sum * decay + tl.sum", "decay = tl.exp2(greatest * 0.0)\n        part_decay = tl.exp2(part_greatest - shift)\n        row_sum = row_sum * decay + tl.sum"),
    Mutation("running sum not rescaled", "device/decode.py", "weight_sum = weight_sum * decay[:, None] + weight", "weight_sum = weight_sum + weight"),
    Mutation("ALiBi's sign", "device/decode.py", "(token[None, :] - (row_end - 1)[:, None])", "((row_end - 1)[:, None] - token[None, :])"),
    Mutation("ALiBi off by one", "device/decode.py", "(token[None, :] - (row_end - 1)[:, None])", "(token[None, :] - row_end[:, None])"),
    Mutation("block-sparse offset off by one", "device/decode.py", "* sparse_step + 1\n", "* sparse_step\n"),
    Mutation("block-sparse local block off by one", "device/decode.py", "(query_block - sparse_local)[:, None]", "(query_block - sparse_local + 1)[:, None]"),
    Mutation("sinks counted as keys of value zero twice", "device/merge.py", "row_sum = row_sum * decay + tl.exp2(sink - shift)", "row_sum = row_sum * decay + 2.0 * tl.exp2(sink - shift)"),
    Mutation("softcap without its scale", "device/decode.py", "return softcap - 2.0 * softcap / (power + 1.0)", "return 1.0 - 2.0 / (power + 1.0)"),
    Mutation("log-sum-exp to base 2", "device/merge.py", "(greatest + tl.log2(divisor)) * LN_2", "(greatest + tl.log2(divisor))"),
    Mutation("blocks outside the cache read", "device/tiles.py", "tl.minimum(tl.maximum(block, 0), num_blocks - 1)", "block"),
    Mutation("part stored in a neighbour's slot", "device/decode.py", "slot = 2 * program + (at > begin).to(tl.int32)", "slot = 2 * program"),
    Mutation("counter not reset", "device/decode.py", "tl.store(arrived + first_slot, 0)", "tl.store(arrived + first_slot, 1)"),
    Mutation("float8 exponent", "formats.py", "torch.float8_e4m3fn: 2.0**-8", "torch.float8_e4m3fn: 2.0**-7"),
    Mutation("slot -1 written", "device/cache.py", "(slot < 0) | (slot >= capacity)", "(slot < -1) | (slot >= capacity)", "test_cache.py"),
    Mutation("slot past the cache written", "device/cache.py", "(slot < 0) | (slot >= capacity)", "slot < 0", "test_cache.py"),
    Mutation("stored without its scale", "device/cache.py", "tl.div_rn(value.to(tl.float32), scale)", "value.to(tl.float32)", "test_cache.py"),
    Mutation("rounded down", "device/cache.py", "((1 << (dropped - 1)) - 1)", "0", "test_cache.py"),
    Mutation("parts weighted alike", "merge.py", "torch.exp(logarithms - greatest", "torch.exp(0.0 * logarithms - 0.0 * greatest", "test_merge.py"),
    Mutation("items cut alike not lengthened", "device/decode.py", "        tiles = tl.maximum(tiles, least)", "        tiles = tl.maximum(tiles, 0)"),
    Mutation("items cut alike not lengthened for merging", "device/merge.py", "    tiles = tl.maximum(tiles, least)", "    tiles = tl.maximum(tiles, 0)"),
)  # fmt: skip


def noticed(mutation: Mutation) -> bool:
    """Whether the tests fail on the changed package."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / PACKAGE.name
        shutil.copytree(PACKAGE, copy, ignore=shutil.ignore_patterns("__pycache__"))
        file = copy / mutation.file
        text = file.read_text(encoding="utf-8")
        if mutation.before not in text:
            sys.exit(f"{mutation.what}: {mutation.file} no longer holds {mutation.before!r}")
        file.write_text(text.replace(mutation.before, mutation.after), encoding="utf-8")
        tests = str(ROOT / "tests" / "kernels" / mutation.tests)
        paths = f"pythonpath={folder} {ROOT / 'tests' / 'kernels'}"
        command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "-o", paths, tests]
        return subprocess.run(command, cwd=ROOT, capture_output=True, check=False).returncode != 0


def main() -> None:
    """Try those that are named by number, or all."""
    wanted = [int(number) for number in sys.argv[1:]] or range(len(MUTATIONS))
    missed = []
    for number in wanted:
        mutation = MUTATIONS[number]
        found = noticed(mutation)
        print(f"{number:2} {'noticed' if found else 'MISSED '} {mutation.what}", flush=True)
        if not found:
            missed.append(number)
    print(f"{len(wanted) - len(missed)} of {len(wanted)} noticed")
    sys.exit(bool(missed))


if __name__ == "__main__":
    main()
