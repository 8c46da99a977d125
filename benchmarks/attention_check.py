"""Paged attention on a GPU at real sizes, against float32.

    python benchmarks/attention_check.py [--jobs N] [SECTION ...]

Sections: grid (head sizes, types, blocks, layouts), lengths (1 to 131,072 tokens, 1 to 256 sequences), features,
large (a cache of more than 2**31 elements), graph (CUDA graph replays with other lengths and tables), streams (two at
once), compile (torch.compile, fullgraph), cache (writes), partitions (the scratch of v2), small (one small case, for
compute-sanitizer).
All but the last by default.
Compiling takes most of the time, so N processes share the sections of many cases, and the first takes the others.
Outputs are filled with NaN before every call; an error is the norm of the difference over the norm of the reference.
Exits with 1 if any error is over its bound.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any, NamedTuple

import torch

from paged_attention_kernels import fill_partitions, paged_attention, reshape_and_cache, reshape_and_cache_flash

# float32 sums in another order; the others round their output, and the weights before they meet the values.
BOUNDS = {torch.float32: 3e-6, torch.float16: 1e-3, torch.bfloat16: 5e-3}
HEAD_SIZES = (32, 64, 80, 96, 112, 120, 128, 192, 256)
BLOCK_SIZES = (8, 16, 32, 64, 128, 256)


class Inputs(NamedTuple):
    """Arguments of one call, and those that say how the cache is to be read."""

    query: torch.Tensor
    key_cache: torch.Tensor
    value_cache: torch.Tensor
    block_tables: torch.Tensor
    seq_lens: torch.Tensor
    keywords: dict[str, Any]


def inputs(  # noqa: PLR0913  # keywords only
    lengths: list[int],
    *,
    num_heads: int = 32,
    num_kv_heads: int = 8,
    head_size: int = 128,
    block_size: int = 16,
    dtype: torch.dtype = torch.bfloat16,
    float8: torch.dtype | None = None,
    layout: str = "legacy",
    num_tokens: int | None = None,
    num_blocks: int = 0,
) -> Inputs:
    """Random normal queries, keys and values on shuffled pages; the pages of the last blocks of a larger cache."""
    device = "cuda"
    pages = -(-max(*lengths, 1) // block_size)
    used = len(lengths) * pages
    num_blocks = max(num_blocks, used + 1)
    stored = float8 or dtype
    pack = 16 // torch.empty(0, dtype=stored).element_size()
    value_shape = {
        "legacy": (num_blocks, num_kv_heads, head_size, block_size),
        "NHD": (num_blocks, block_size, num_kv_heads, head_size),
        "HND": (num_blocks, num_kv_heads, block_size, head_size),
    }[layout]
    key_shape = value_shape
    if layout == "legacy":
        key_shape = (num_blocks, num_kv_heads, head_size // pack, block_size, pack)
    key_cache, value_cache = (_normal(shape, stored, device) for shape in (key_shape, value_shape))
    order = torch.randperm(used, device=device) + (num_blocks - used)
    query = torch.randn(num_tokens or len(lengths), num_heads, head_size, device=device).to(dtype)
    keywords: dict[str, Any] = {"cache_layout": layout}
    if float8 is not None:
        name = "fp8_e5m2" if float8 in (torch.float8_e5m2, torch.float8_e5m2fnuz) else "fp8"
        keywords |= {"kv_cache_dtype": name, "k_scale": torch.tensor(0.5, device=device), "v_scale": 1.5}
    return Inputs(
        query,
        key_cache,
        value_cache,
        order.view(len(lengths), pages).int(),
        torch.tensor(lengths, dtype=torch.int32, device=device),
        keywords,
    )


def _normal(shape: tuple[int, ...], dtype: torch.dtype, device: str) -> torch.Tensor:
    tensor = torch.empty(shape, dtype=dtype, device=device)
    for part in tensor.split(max((1 << 26) // max(tensor[0].numel(), 1), 1)):
        part.copy_(torch.randn(part.shape, device=device))
    return tensor


def call(given: Inputs, **more: Any) -> torch.Tensor:
    """One call of the kernel, its output filled with NaN before."""
    out = more.pop("out", None)
    if out is None:
        out = torch.full_like(given.query, float("nan"))
    block_size = given.value_cache.shape[{"legacy": 3, "NHD": 1, "HND": 2}[given.keywords["cache_layout"]]]
    num_kv_heads = given.value_cache.shape[2 if given.keywords["cache_layout"] == "NHD" else 1]
    return paged_attention(
        out,
        given.query,
        given.key_cache,
        given.value_cache,
        num_kv_heads,
        given.query.shape[2] ** -0.5,
        given.block_tables,
        given.seq_lens,
        block_size,
        more.pop("max_seq_len", given.block_tables.shape[1] * block_size),
        **(given.keywords | more),
    )


def reference(given: Inputs, **more: Any) -> torch.Tensor:
    """The same in float32, without the kernel."""
    exact = given._replace(query=given.query.float())
    if "kv_cache_dtype" not in given.keywords:
        exact = exact._replace(key_cache=_float32(given, given.key_cache), value_cache=given.value_cache.float())
    return call(exact, backend="torch", **more)


def _float32(given: Inputs, key_cache: torch.Tensor) -> torch.Tensor:
    if given.keywords["cache_layout"] != "legacy":
        return key_cache.float()
    blocks, heads, packs, block_size, pack = key_cache.shape
    wide = key_cache.float().view(blocks, heads, packs, block_size, pack // 4, 4)
    return wide.permute(0, 1, 2, 4, 3, 5).reshape(blocks, heads, packs * pack // 4, block_size, 4)


class Checks:
    """Counts what was compared, and keeps what was wrong."""

    def __init__(self, job: int, jobs: int) -> None:
        self.job, self.jobs = job, jobs
        self.attempted = 0
        self.done = 0
        self.worst: dict[str, float] = {}
        self.wrong: list[str] = []

    def compare(self, what: str, got: torch.Tensor, expected: torch.Tensor, bound: float | None = None) -> None:
        """Compare by relative norm."""
        kind = str(got.dtype).removeprefix("torch.")
        error = ((got.float() - expected.float()).norm() / expected.float().norm().clamp(min=1e-30)).item()
        self.done += 1
        self.worst[kind] = max(self.worst.get(kind, 0.0), error)
        if not error <= (BOUNDS[got.dtype] if bound is None else bound):
            self.wrong.append(f"{what}: {error:.2e}")

    def attempt(self, what: str, given: Callable[[], Inputs], **more: Any) -> None:
        """Run the kernel and compare, if it is this job's turn; a failure to run is wrong, too."""
        self.attempted += 1
        if self.attempted % self.jobs != self.job:
            return
        try:
            made = given()
            self.compare(what, call(made, **more), reference(made, **more))
        except Exception as error:  # noqa: BLE001  # a compiler's error must not hide the rest
            self.done += 1
            self.wrong.append(f"{what}: {type(error).__name__}: {str(error).strip().splitlines()[-1][:300]}")


def grid(checks: Checks) -> None:
    """Every head size, type, block size and layout; each with a few others."""
    lengths = [1, 500, 33, 1000]
    float8s = (torch.float8_e4m3fn, torch.float8_e5m2)
    for float8 in (torch.float8_e4m3fnuz, torch.float8_e5m2fnuz):
        checks.attempt(f"{float8}", lambda: inputs(lengths, float8=float8))  # noqa: B023
    for head_size in HEAD_SIZES:
        for dtype in (torch.float16, torch.bfloat16, torch.float32):
            for layout in ("legacy", "NHD", "HND"):
                what = f"head {head_size} {dtype} {layout}"
                checks.attempt(what, lambda: inputs(lengths, head_size=head_size, dtype=dtype, layout=layout))  # noqa: B023
            for float8 in float8s if head_size % 16 == 0 else ():
                what = f"head {head_size} {dtype} {float8}"
                checks.attempt(what, lambda: inputs(lengths, head_size=head_size, dtype=dtype, float8=float8))  # noqa: B023
    for block_size in BLOCK_SIZES:
        for head_size in (64, 120, 128, 256):
            for layout in ("legacy", "NHD", "HND"):
                what = f"block {block_size} head {head_size} {layout}"
                checks.attempt(what, lambda: inputs(lengths, block_size=block_size, head_size=head_size, layout=layout))  # noqa: B023
        for float8 in float8s:
            what = f"block {block_size} {float8}"
            checks.attempt(what, lambda: inputs(lengths, block_size=block_size, float8=float8))  # noqa: B023
    for num_heads, num_kv_heads in ((8, 8), (32, 1), (28, 4), (6, 2), (40, 8), (64, 1), (96, 1)):
        what = f"heads {num_heads}/{num_kv_heads}"
        checks.attempt(what, lambda: inputs(lengths, num_heads=num_heads, num_kv_heads=num_kv_heads))  # noqa: B023


def lengths_of_all_kinds(checks: Checks) -> None:
    """Batches of 1 to 256 sequences of 1 to 131,072 tokens."""
    generator = torch.Generator().manual_seed(0)
    for number in (1, 2, 7, 64, 256):
        for longest in (1, 16, 511, 4096):
            ragged = torch.randint(0, longest + 1, (number,), generator=generator).tolist()
            checks.attempt(f"{number} x 0..{longest}", lambda: inputs(ragged))  # noqa: B023
            checks.attempt(f"{number} x {longest}", lambda: inputs([longest] * number))  # noqa: B023
    for dtype in BOUNDS:
        checks.attempt(f"1 x 131072 {dtype}", lambda: inputs([131072], dtype=dtype))  # noqa: B023
    checks.attempt("1 x 131072 MHA", lambda: inputs([131072], num_kv_heads=32))
    checks.attempt("1 x 131072 MQA", lambda: inputs([131072], num_kv_heads=1))
    checks.attempt("131072 and 15 x 1000", lambda: inputs([131072, *[1000] * 15]))
    checks.attempt(
        "1500 sequences", lambda: inputs([index % 300 for index in range(1500)], num_heads=8, num_kv_heads=2)
    )


def features(checks: Checks) -> None:
    """ALiBi, softcap, windows, sinks, block-sparse, several query tokens, log-sum-exp, output scale."""
    lengths = [1, 700, 33, 5000]
    heads = 32
    slopes = torch.rand(heads, device="cuda")
    sinks = torch.randn(heads, device="cuda")
    sparse = {"blocksparse_vert_stride": 8, "blocksparse_local_blocks": 16, "blocksparse_block_size": 64}
    start = torch.tensor([0, 1, 4, 4, 13], dtype=torch.int32, device="cuda")
    for name, more in {
        "alibi": {"alibi_slopes": slopes},
        "softcap": {"softcap": 5.0},
        "sinks": {"sinks": sinks},
        "window 100": {"sliding_window": 100},
        "window 1": {"sliding_window": 1},
        "all": {"alibi_slopes": slopes, "softcap": 20.0, "sinks": sinks, "sliding_window": 1000},
        "sparse, step 2": {**sparse, "blocksparse_head_sliding_step": 2, "tp_rank": 1},
        "sparse, step -1": {**sparse, "blocksparse_head_sliding_step": -1, "tp_rank": 3},
    }.items():
        checks.attempt(name, lambda: inputs(lengths), **more)
        checks.attempt(f"{name}, float32", lambda: inputs(lengths, dtype=torch.float32), **more)
        checks.attempt(f"{name}, several tokens", lambda: inputs(lengths, num_tokens=13), query_start_loc=start, **more)
    for wanted in (7, 64, 300):
        several = torch.tensor([0, wanted], dtype=torch.int32, device="cuda")
        checks.attempt(f"{wanted} tokens", lambda: inputs([900], num_tokens=wanted), query_start_loc=several)  # noqa: B023
    given = inputs(lengths)
    got, expected = (torch.full((4, heads), float("nan"), device="cuda") for _ in range(2))
    call(given, lse=got)
    reference(given, lse=expected)
    checks.compare("log-sum-exp", got, expected, 1e-6)
    scale = torch.tensor(0.01, device="cuda")
    out = torch.empty(given.query.shape, dtype=torch.float8_e4m3fn, device="cuda")
    call(given, out=out, output_scale=scale)
    checks.compare("float8 output", (out.float() * scale).half(), reference(given), 5e-2)
    wide = torch.randn(4, heads, 3 * 128, device="cuda").bfloat16()
    checks.attempt("strided query", lambda: given._replace(query=wide[:, :, 128:256]))
    odd = given._replace(block_tables=given.block_tables.long(), seq_lens=given.seq_lens.long())
    checks.attempt("int64 tables", lambda: odd)


def large(checks: Checks) -> None:
    """A cache whose last elements a 32-bit index cannot reach."""
    per_block = 8 * 128 * 16
    num_blocks = (1 << 31) // per_block + 2000
    given = inputs([3000, 17], num_blocks=num_blocks)
    assert given.key_cache.numel() > 1 << 31
    small = given._replace(
        key_cache=given.key_cache[-1000:], value_cache=given.value_cache[-1000:],
        block_tables=given.block_tables - (num_blocks - 1000),
    )  # fmt: skip
    checks.compare("2**31 elements", call(given), reference(small))


def graph(checks: Checks) -> None:
    """A captured call, replayed with other lengths, tables and queries."""
    for features_ in ({}, {"sliding_window": 200}):
        given = inputs([2000, 1, 900, 4096])
        out = torch.full_like(given.query, float("nan"))
        call(given, out=out, max_seq_len=4096, **features_)
        torch.cuda.synchronize()
        captured = torch.cuda.CUDAGraph()
        with torch.cuda.graph(captured):
            call(given, out=out, max_seq_len=4096, **features_)
        for lengths in ([4096, 4096, 4096, 4096], [0, 1, 2, 3], [17, 4000, 0, 512]):
            given.seq_lens.copy_(torch.tensor(lengths))
            given.block_tables.copy_(
                given.block_tables.view(-1)[torch.randperm(given.block_tables.numel())].view_as(given.block_tables)
            )
            given.query.normal_()
            out.fill_(float("nan"))
            captured.replay()
            checks.compare(f"replay {lengths} {features_}", out, reference(given, **features_))


def streams(checks: Checks) -> None:
    """Two streams at once, many times; each has its own workspace."""
    work = [(torch.cuda.Stream(), inputs([4096, 100, 3000])), (torch.cuda.Stream(), inputs([50, 8000]))]
    expected = [reference(given) for _, given in work]
    torch.cuda.synchronize()
    for _ in range(50):
        outs = []
        for stream, given in work:
            with torch.cuda.stream(stream):
                outs.append(call(given))
        torch.cuda.synchronize()
        for out, wanted in zip(outs, expected, strict=True):
            checks.compare("two streams", out, wanted)


def compile_(checks: Checks) -> None:
    """A function that calls it, compiled whole."""
    given = inputs([4096, 100, 3000])

    def attend(query: torch.Tensor) -> torch.Tensor:
        return call(given._replace(query=query * 2.0)) + 1.0

    compiled = torch.compile(attend, fullgraph=True)
    checks.compare("torch.compile", compiled(given.query), reference(given._replace(query=given.query * 2.0)) + 1.0)


def cache(checks: Checks) -> None:
    """Writes into every layout and format, beside those of torch, byte by byte."""
    slots = torch.randperm(5000, device="cuda")[:3000]
    slots[::7] = -1
    for dtype in BOUNDS:
        for float8 in (None, torch.float8_e4m3fn, torch.float8_e5m2, torch.float8_e4m3fnuz, torch.float8_e5m2fnuz):
            for layout in ("legacy", "NHD", "HND"):
                given = inputs([5008], num_kv_heads=40, dtype=dtype, float8=float8, layout=layout)
                key, value = (torch.randn(3000, 40, 128, device="cuda").to(dtype) for _ in range(2))
                write = reshape_and_cache if layout == "legacy" else reshape_and_cache_flash
                more = {name: thing for name, thing in given.keywords.items() if name != "cache_layout"}
                more |= {} if layout == "legacy" else {"cache_layout": layout}
                both = []
                for backend in ("triton", "torch"):
                    caches = [each.clone() for each in (given.key_cache, given.value_cache)]
                    write(key, value, *caches, slots, **more, backend=backend)
                    both.append([each.view(torch.uint8).float() for each in caches])
                for got, wanted in zip(*both, strict=True):
                    checks.compare(f"{dtype} {float8} {layout}", got, wanted, 0.0)


def partitions(checks: Checks) -> None:
    """What v2 left in its scratch buffers, from a replayed graph: merged, the partitions are the output."""
    for dtype, float8 in ((torch.bfloat16, None), (torch.float16, torch.float8_e4m3fn), (torch.float32, None)):
        given = inputs([1300, 512, 513, 2047], dtype=dtype, float8=float8)
        more = {"alibi_slopes": torch.linspace(-0.01, 0.02, 32, device="cuda")}
        sums, greatest, parts = scratch = _scratch(given)
        _fill(scratch, given, more)
        torch.cuda.synchronize()
        captured = torch.cuda.CUDAGraph()
        with torch.cuda.graph(captured):
            _fill(scratch, given, more)
        for lengths in ([1300, 512, 513, 2047], [2047, 1, 1024, 37]):
            given.seq_lens.copy_(torch.tensor(lengths))
            for buffer in scratch:
                buffer.fill_(float("nan"))
            captured.replay()
            weights = torch.exp(greatest - greatest.nan_to_num(-1e30).amax(-1, keepdim=True)) * sums
            merged = (parts.float() * weights[..., None]).nansum(2) / weights.nansum(-1, keepdim=True)
            checks.compare(f"partitions of {lengths} {dtype}", merged.to(dtype), reference(given, **more))


def _scratch(given: Inputs) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    num_seqs, num_heads, head_size = given.query.shape
    count = -(-given.block_tables.shape[1] * given.value_cache.shape[3] // 512)
    sums = torch.empty(num_seqs, num_heads, count, device="cuda")
    return sums, torch.empty_like(sums), given.query.new_empty(num_seqs, num_heads, count, head_size)


def _fill(scratch: tuple[torch.Tensor, torch.Tensor, torch.Tensor], given: Inputs, more: dict[str, Any]) -> None:
    _, num_kv_heads, head_size, block_size = given.value_cache.shape
    keywords = {name: value for name, value in given.keywords.items() if name != "cache_layout"} | more
    fill_partitions(
        *scratch,
        given.query,
        given.key_cache,
        given.value_cache,
        num_kv_heads,
        head_size**-0.5,
        given.block_tables,
        given.seq_lens,
        block_size,
        max_seq_len=given.block_tables.shape[1] * block_size,
        **keywords,
    )


def small(checks: Checks) -> None:
    """Every way in which work is cut, small enough for compute-sanitizer."""
    checks.attempt("small", lambda: inputs([70, 1, 500, 0], num_heads=8, num_kv_heads=2, head_size=64))
    checks.attempt("small, parts", lambda: inputs([2500], num_heads=4, num_kv_heads=1, head_size=80))


SECTIONS: dict[str, Callable[[Checks], None]] = {
    "grid": grid,
    "lengths": lengths_of_all_kinds,
    "features": features,
    "large": large,
    "graph": graph,
    "streams": streams,
    "compile": compile_,
    "cache": cache,
    "partitions": partitions,
    "small": small,
}


def main() -> None:
    """Run the sections that are named, or all."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sections", nargs="*", metavar="SECTION")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--job", type=int, default=0, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if unknown := set(given.sections) - set(SECTIONS):
        parser.error(f"{', '.join(sorted(unknown))}: the sections are {', '.join(SECTIONS)}")
    wanted = given.sections or [name for name in SECTIONS if name != "small"]
    others = [
        subprocess.Popen([sys.executable, __file__, "--jobs", str(given.jobs), "--job", str(job), *wanted])
        for job in range(1, given.jobs if given.job == 0 else 0)
    ]
    torch.manual_seed(given.job)
    torch.backends.cuda.matmul.allow_tf32 = False
    if given.job == 0:
        print(f"{torch.cuda.get_device_name()}, torch {torch.__version__}", flush=True)
    failed = False
    for name in wanted:
        if given.job and name not in _OF_MANY_CASES:
            continue
        checks = Checks(given.job, given.jobs if name in _OF_MANY_CASES else 1)
        begun = time.perf_counter()
        SECTIONS[name](checks)
        torch.cuda.synchronize()
        failed = failed or bool(checks.wrong)
        worst = ", ".join(f"{kind} {error:.1e}" for kind, error in checks.worst.items())
        right = f"{checks.done - len(checks.wrong)} of {checks.done} right"
        lines = [f"{name} ({time.perf_counter() - begun:.0f} s): {right}; worst error {worst}"]
        print("\n  ".join(lines + checks.wrong), flush=True)
    failed = any(other.wait() for other in others) or failed
    sys.exit(failed)


_OF_MANY_CASES = frozenset({"grid", "lengths", "features"})


if __name__ == "__main__":
    main()
