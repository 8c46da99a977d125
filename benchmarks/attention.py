"""How long the attention kernel takes on a GPU, against what the card can read and against other kernels there.

    python benchmarks/attention.py [--cells NAME ...] [--jobs N] [--without-peers] [--json FILE] [--picture FILE]

A time is the median of CUDA graph replays. A graph holds as many calls as it takes to read 400 MB or more, each over
pages of its own that are shuffled, so that no cache of the card serves a call what the one before has read.
Outputs are filled with NaN first and compared with float32.
GB/s count every key and value of the batch once; % is of what reading one long array reaches in the same process.
Beside it: a kernel that only reads the same pages, and torch's scaled_dot_product_attention on contiguous keys and
values where all lengths are equal, so that it is handed what a paged kernel must gather.
The kernels of other projects that are importable are timed alike, see peers.py; a ratio above 1 says how many times as
long the fastest of them takes.
"""

from __future__ import annotations

import argparse
import json
import math
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import torch

from attention_check import Inputs, call, inputs, reference
from device_limits import gatherer, reader
from peers import Batch, Calls, batch_of, importable

_READ = 4_300_000_000
_LEAST_READ = 400_000_000
_REPLAYS = 15
_WORST_ERROR = 5e-3
# Some peers round the query to float8 with the cache; more than that is another computation.
_WORST_OF_PEERS = 5e-2


class Cell(NamedTuple):
    """One row of the table."""

    name: str
    lengths: list[int]
    shape: dict[str, Any]
    more: dict[str, Any]


def _uniform(num_seqs: int, length: int) -> list[int]:
    return [length] * num_seqs


def _uneven(num_seqs: int, longest: int) -> list[int]:
    """Lengths spread evenly over 1 to `longest`, in an order that says nothing."""
    order = torch.randperm(num_seqs, generator=torch.Generator().manual_seed(0)).tolist()
    return [max(longest * (each + 1) // num_seqs, 1) for each in order]


def cells() -> list[Cell]:
    """Every cell of the table."""
    half, whole = torch.float16, torch.float32
    g8 = {"num_heads": 64}
    mha = {"num_kv_heads": 32}
    mqa = {"num_kv_heads": 1}
    fp8 = {"float8": torch.float8_e4m3fn}
    found = [Cell(f"b{b}_{n}k", _uniform(b, n * 1024), {}, {}) for b, n in (
        (1, 1), (1, 4), (1, 16), (1, 64), (1, 128), (8, 4), (32, 2), (64, 8), (128, 4), (256, 1),
    )]  # fmt: skip
    found += [
        Cell("b256_uneven", _uneven(256, 8192), {}, {}),
        Cell("g8_b8_4k", _uniform(8, 4096), g8, {}),
        Cell("g8_b64_8k", _uniform(64, 8192), g8, {}),
        Cell("mha_b1_4k", _uniform(1, 4096), mha, {}),
        Cell("mha_b8_4k", _uniform(8, 4096), mha, {}),
        Cell("mha_b64_2k", _uniform(64, 2048), mha, {}),
        Cell("mqa_b8_4k", _uniform(8, 4096), mqa, {}),
        Cell("mqa_b64_8k", _uniform(64, 8192), mqa, {}),
        Cell("d64_b8_4k", _uniform(8, 4096), {"head_size": 64}, {}),
        Cell("d64_b64_8k", _uniform(64, 8192), {"head_size": 64}, {}),
        Cell("d256_b8_4k", _uniform(8, 4096), {"head_size": 256}, {}),
        Cell("d256_b64_4k", _uniform(64, 4096), {"head_size": 256}, {}),
        Cell("bs32_b8_4k", _uniform(8, 4096), {"block_size": 32}, {}),
        Cell("bs32_b64_8k", _uniform(64, 8192), {"block_size": 32}, {}),
        Cell("fp8_b8_4k", _uniform(8, 4096), fp8, {}),
        Cell("fp8_b64_8k", _uniform(64, 8192), fp8, {}),
        Cell("uneven_b32", _uneven(32, 8192), {}, {}),
        Cell("skew_b64", [131072, *_uniform(63, 1024)], {}, {}),
        Cell("gmax_b8_4k", _uniform(8, 4096), {}, {"max_seq_len": 131072}),
        Cell("gmax_b64_8k", _uniform(64, 8192), {}, {"max_seq_len": 131072}),
        Cell("fp16_b64_8k", _uniform(64, 8192), {"dtype": half}, {}),
        Cell("fp16_b8_4k", _uniform(8, 4096), {"dtype": half}, {}),
        Cell("uneven_g8_b64", _uneven(64, 16384), g8, {}),
    ]
    found += [
        Cell(f"d{size}_b64", _uniform(64, 4096 if size > 128 else 8192), {"head_size": size}, {})
        for size in (32, 80, 96, 112, 120, 192)
    ]
    found += [
        Cell("bs8_b64_8k", _uniform(64, 8192), {"block_size": 8}, {}),
        Cell("g7_b64_8k", _uniform(64, 8192), {"num_heads": 28, "num_kv_heads": 4}, {}),
        Cell("fp32_b64_4k", _uniform(64, 4096), {"dtype": whole}, {}),
        Cell("e5m2_b64_8k", _uniform(64, 8192), {"float8": torch.float8_e5m2}, {}),
        Cell("alibi_b64_8k", _uniform(64, 8192), {}, {"alibi_slopes": None}),
        Cell("window_b64_8k", _uniform(64, 8192), {}, {"sliding_window": 4096}),
        Cell("tokens4_b32_8k", _uniform(32, 8192), {"num_tokens": 128}, {"query_start_loc": None}),
        Cell("nhd_b64_8k", _uniform(64, 8192), {"layout": "NHD"}, {}),
    ]
    return found + [Cell(f"b{b}_8k", _uniform(b, 8192), {}, {}) for b in (8, 16, 32, 128, 256)]


def made(cell: Cell) -> tuple[Inputs, dict[str, Any], list[torch.Tensor]]:
    """The inputs of a cell, its other arguments, and the block tables of as many calls as a graph holds."""
    device = "cuda"
    pages = [-(-each // cell.shape.get("block_size", 16)) for each in cell.lengths]
    calls = max(min(-(-_LEAST_READ // bytes_of(cell)), 100), 1)
    order = torch.randperm(calls * sum(pages)).int()
    tables = torch.zeros(calls, len(pages), max(pages), dtype=torch.int32)
    taken = 0
    for of_call in tables:
        for row, count in zip(of_call, pages, strict=True):
            row[:count] = order[taken : taken + count]
            taken += count
    shape = {"num_tokens": len(pages), **cell.shape}
    given = inputs([1], **shape, num_blocks=calls * sum(pages))
    lengths = torch.tensor(cell.lengths, dtype=torch.int32, device=device)
    on_device = [each.to(device) for each in tables]
    given = given._replace(seq_lens=lengths, block_tables=on_device[0])
    more = dict(cell.more)
    if "alibi_slopes" in more:
        more["alibi_slopes"] = torch.linspace(-0.01, -0.001, given.query.shape[1], device=device)
    if "query_start_loc" in more:
        each = given.query.shape[0] // len(cell.lengths)
        more["query_start_loc"] = torch.arange(0, given.query.shape[0] + 1, each, device=device, dtype=torch.int32)
    return given, more, on_device


def bytes_of(cell: Cell) -> int:
    """Bytes of the keys and values that a call must read."""
    shape = cell.shape
    width = 1 if "float8" in shape else torch.empty(0, dtype=shape.get("dtype", torch.bfloat16)).element_size()
    window = cell.more.get("sliding_window")
    tokens = sum(min(each, window) if window else each for each in cell.lengths)
    return int(2 * tokens * shape.get("num_kv_heads", 8) * shape.get("head_size", 128) * width)


def microseconds(calls: list[Callable[[], object]], replays: int = _REPLAYS) -> float:
    """Time of one call, from replays of a graph that holds all of them."""
    calls[0]()
    torch.cuda.synchronize()
    stream = torch.cuda.Stream()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph, stream=stream):
        for each in calls:
            each()
    graph.replay()
    times = []
    for _ in range(replays):
        begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        begin.record()
        graph.replay()
        end.record()
        torch.cuda.synchronize()
        times.append(begin.elapsed_time(end) * 1000 / len(calls))
    return statistics.median(times)


def host_microseconds(work: Callable[[], object]) -> float:
    """Host time of one call: the least of some runs of 50 that nothing waits in."""
    found = []
    for _ in range(9):
        work()
        torch.cuda.synchronize()
        begin = time.perf_counter()
        for _ in range(50):
            work()
        found.append((time.perf_counter() - begin) / 50 * 1e6)
    torch.cuda.synchronize()
    return min(found)


def error_of(given: Inputs, more: dict[str, Any]) -> float:
    """Relative error of the kernel against float32, on some of the sequences where the batch is large."""
    if "query_start_loc" not in more and len(given.seq_lens) > 8:
        some = slice(0, 8)
        given = given._replace(
            query=given.query[some], block_tables=given.block_tables[some], seq_lens=given.seq_lens[some]
        )
    got, expected = call(given, **more).float(), reference(given, **more).float()
    return float((got - expected).norm() / expected.norm())


def torch_microseconds(given: Inputs, cell: Cell) -> float | None:
    """Attention of torch on contiguous keys and values; None where it cannot run the cell."""
    plain = not cell.more and len(set(cell.lengths)) == 1 and "float8" not in cell.shape
    if not plain or bytes_of(cell) > _READ:
        return None
    num_heads, head_size = given.query.shape[1:]
    kv_heads = cell.shape.get("num_kv_heads", 8)
    shape = (len(cell.lengths), kv_heads, cell.lengths[0], head_size)
    copies = max(min(-(-_LEAST_READ // bytes_of(cell)), 20), 1)
    query = given.query.view(len(cell.lengths), num_heads, 1, head_size)
    pairs = [tuple(torch.randn(shape, device="cuda").to(query.dtype) for _ in range(2)) for _ in range(copies)]

    def attend(pair: tuple[Any, ...]) -> Callable[[], object]:
        return lambda: torch.nn.functional.scaled_dot_product_attention(query, *pair, enable_gqa=num_heads != kv_heads)

    try:
        return microseconds([attend(pair) for pair in pairs], replays=7)
    except RuntimeError:
        return None


def of_peers(batch: Batch, peers: dict[str, Callable[[Batch], Calls]], ours: torch.Tensor) -> dict[str, float]:
    """The time of every peer that computes the cell."""
    found = {}
    for name, made in peers.items():
        try:
            calls = made(batch)
            if not calls:
                continue
            calls[0]()
            error = float((batch.out.float() - ours.float()).norm() / ours.float().norm())
            if not error < _WORST_OF_PEERS:
                print(f"{name} differs by {error:.1e}", flush=True)
                continue
            found[name] = microseconds(calls, replays=9)
        except Exception as error:  # noqa: BLE001  # whatever other projects raise
            print(f"{name} failed: {type(error).__name__}: {str(error)[:200]}", flush=True)
    return found


def measure(cell: Cell, roofline: float, peers: dict[str, Callable[[Batch], Calls]]) -> dict[str, Any]:
    """One row."""
    given, more, tables = made(cell)
    out = torch.full_like(given.query, float("nan"))
    error = error_of(given, more)
    sets = [given._replace(block_tables=each) for each in tables]
    time_of_call = microseconds([lambda each=each: call(each, out=out, **more) for each in sets])  # type: ignore[misc]
    row = {
        "cell": cell.name,
        "bytes": bytes_of(cell),
        "calls": len(sets),
        "microseconds": time_of_call,
        "gigabytes_per_second": bytes_of(cell) / time_of_call / 1e3,
        "of_roofline": bytes_of(cell) / time_of_call / 1e3 / roofline,
        "host_microseconds": host_microseconds(lambda: call(given, out=out, **more)),
        "error": error,
    }
    even = len(set(cell.lengths)) == 1 and not cell.more and cell.shape.get("layout", "legacy") == "legacy"
    readers = [gatherer(given.key_cache, given.value_cache, each.block_tables) for each in sets] if even else []
    if readers and all(readers):
        row["gather_microseconds"] = microseconds([each for each in readers if each], replays=7)
    del sets
    row["peers"] = {}
    if peers:
        ours = call(given, **more)
        row["peers"] = of_peers(batch_of(given, more, tables, cell.lengths), peers, ours)
        if row["peers"]:
            row["ratio"] = min(row["peers"].values()) / row["microseconds"]
    row["torch_microseconds"] = torch_microseconds(given, cell)
    return row


def line(row: dict[str, Any]) -> str:
    """A row as text."""
    gather, plain = row.get("gather_microseconds"), row["torch_microseconds"]
    cells_of_row = [
        f"{row['cell']:16}",
        f"{row['bytes'] / 1e6:7.0f} MB",
        f"{row['microseconds']:8.1f} us",
        f"{row['of_roofline']:6.1%}",
        f"gather {gather:8.1f}" if gather else " " * 15,
        f"torch {plain:8.1f}" if plain else " " * 14,
        *(f"{name} {time:.1f}" for name, time in row["peers"].items()),
        *([f"{row['ratio']:.2f}x"] if "ratio" in row else []),
        f"host {row['host_microseconds']:5.1f}",
        f"error {row['error']:.1e}",
    ]
    return " | ".join(cells_of_row)


def draw(result: dict[str, Any], path: Path) -> None:
    """Every cell's share of the roofline, with that of a pure gather, and how many times as long each peer takes."""
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot as plt

    rows = result["rows"]
    names = [f"{row['cell']} ({row['bytes'] / 1e6:,.0f} MB)" for row in rows]
    peers = sorted({name for row in rows for name in row["peers"]})
    figure, panels = plt.subplots(
        1, 2 if peers else 1, figsize=(9 + len(peers), 0.24 * len(rows) + 1.6), layout="constrained", squeeze=False,
        width_ratios=[9, 1.2 * len(peers) + 0.5] if peers else None,
    )  # fmt: skip
    bars = panels[0][0]
    bars.barh(names, [100 * row["of_roofline"] for row in rows], color="#4c72b0", label="this kernel")
    label: str | None = "gather alone"
    for place, row in enumerate(rows):
        if row.get("gather_microseconds"):
            share = 100 * row["bytes"] / row["gather_microseconds"] / 1e3 / result["roofline"]
            bars.plot([share, share], [place - 0.4, place + 0.4], color="black", label=label)
            label = None
    bars.set_ylim(len(rows) - 0.4, -0.6)
    bars.set_xlim(0, 105)
    bars.set_xlabel(f"% of the read roofline, {result['roofline']:,.0f} GB/s on one {result['device']}")
    bars.legend(loc="lower right")
    if peers:
        heat = panels[0][1]
        ratios = [[row["peers"].get(name, math.nan) / row["microseconds"] for name in peers] for row in rows]
        heat.imshow(
            [[min(each, 4.0) for each in line] for line in ratios], aspect="auto", cmap="RdYlGn", vmin=0, vmax=2
        )
        for place, line_of_ratios in enumerate(ratios):
            for column, ratio in enumerate(line_of_ratios):
                if not math.isnan(ratio):
                    heat.text(column, place, f"{ratio:.2f}", ha="center", va="center", fontsize=7)
        heat.set_xticks(range(len(peers)), peers, rotation=30, ha="right")
        heat.set_yticks([])
        heat.set_title("times as long", fontsize=9)
    figure.savefig(path, dpi=110)


def compile_first(names: list[str], jobs: int) -> None:
    """Let processes make one call of every cell each, so that what is timed afterwards is compiled."""
    shares = [names[job::jobs] for job in range(jobs)]
    command = [sys.executable, __file__, "--call-once", "--cells"]
    running = [subprocess.Popen([*command, *share], stdout=subprocess.DEVNULL) for share in shares if share]
    for process in running:
        process.wait()


def main() -> None:
    """Measure the cells, print them, and keep them as JSON."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cells", nargs="+", metavar="NAME", help="these cells; all by default")
    parser.add_argument(
        "--jobs", type=int, default=0, metavar="N", help="processes that compile before; none by default"
    )
    parser.add_argument("--call-once", action="store_true", help="measure nothing")
    parser.add_argument("--without-peers", action="store_true")
    parser.add_argument("--json", type=Path, metavar="FILE")
    parser.add_argument("--picture", type=Path, metavar="FILE")
    parser.add_argument("--from-json", type=Path, metavar="FILE", help="draw what was measured before")
    asked = parser.parse_args()
    if asked.from_json:
        draw(json.loads(asked.from_json.read_text()), asked.picture)
        return
    torch.manual_seed(0)
    wanted = [cell for cell in cells() if not asked.cells or cell.name in asked.cells]
    if asked.call_once:
        for cell in wanted:
            given, more, _ = made(cell)
            call(given, **more)
        return
    if asked.jobs:
        compile_first([cell.name for cell in wanted], asked.jobs)
    read = reader(_READ)
    roofline = _READ / microseconds([read]) / 1e3
    properties = torch.cuda.get_device_properties(0)
    result: dict[str, Any] = {"device": properties.name, "torch": torch.__version__, "roofline": roofline, "rows": []}
    print(f"{properties.name}, read roofline {roofline:.0f} GB/s", flush=True)
    peers = {} if asked.without_peers else importable()
    for cell in wanted:
        row = measure(cell, roofline, peers)
        result["rows"].append(row)
        print(line(row), flush=True)
        torch.cuda.empty_cache()
        if asked.json:
            asked.json.write_text(json.dumps(result, indent=1) + "\n")
    if asked.picture:
        draw(result, asked.picture)
    ratios = [math.log(row["ratio"]) for row in result["rows"] if "ratio" in row]
    if ratios:
        print(f"geometric mean of {len(ratios)} ratios: {math.exp(statistics.mean(ratios)):.3f}")
    wrong = [row for row in result["rows"] if row["error"] > _WORST_ERROR]
    if wrong:
        raise SystemExit(f"wrong: {', '.join(row['cell'] for row in wrong)}")


if __name__ == "__main__":
    main()
