"""Parts of attention put together, in one process and in two."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable
from pathlib import Path

import pytest
import torch

from paged import distance, expected, paged
from paged_attention_kernels import merge_attention_states
from sharded import shard_heads, shard_keys


def parts_of(lengths: list[int]) -> tuple[list[torch.Tensor], list[torch.Tensor], torch.Tensor, torch.Tensor]:
    """Attention over three stretches of the keys of one batch, and over all of them."""
    batch = paged(lengths)
    whole, whole_lse = expected(batch)
    outputs, logarithms = [], []
    for begin, end in ((0, 10), (10, 11), (11, 1000)):
        part = batch._replace(
            keys=[key[begin:end] for key in batch.keys], values=[value[begin:end] for value in batch.values]
        )
        out, lse = expected(part)
        outputs.append(out.float())
        logarithms.append(lse.float())
    return outputs, logarithms, whole, whole_lse


def test_parts_make_the_whole() -> None:
    outputs, logarithms, whole, whole_lse = parts_of([40, 3, 11, 0])
    out = torch.full((4, 4, 32), float("nan"))
    lse = torch.full((4, 4), float("nan"))
    merged, logarithm = merge_attention_states(outputs, logarithms, out=out, lse=lse)
    assert merged is out
    assert logarithm is lse
    assert distance(out, whole) <= 1e-6
    assert distance(lse, whole_lse) <= 1e-6


def test_one_stacked_tensor_and_half_precision() -> None:
    outputs, logarithms, whole, _ = parts_of([40, 3])
    merged, _ = merge_attention_states(torch.stack(outputs).half(), torch.stack(logarithms))
    assert merged.dtype == torch.float16
    assert distance(merged, whole) <= 1e-3


def test_a_part_that_saw_nothing_may_hold_anything() -> None:
    seen, nothing = torch.ones(1, 1, 8), torch.full((1, 1, 8), float("nan"))
    out, lse = merge_attention_states([seen, nothing], [torch.zeros(1, 1), torch.full((1, 1), float("-inf"))])
    assert (out == 1.0).all()
    assert lse.item() == 0.0
    out, lse = merge_attention_states([nothing, nothing], [torch.full((1, 1), float("-inf"))] * 2)
    assert (out == 0.0).all()
    assert lse.item() == float("-inf")


@pytest.mark.parametrize("logarithm", [1000.0, -900.0])
def test_large_logarithms(logarithm: float) -> None:
    outputs = [torch.full((1, 1, 8), 1.0), torch.full((1, 1, 8), 3.0)]
    out, lse = merge_attention_states(outputs, [torch.full((1, 1), logarithm)] * 2)
    assert (out == 2.0).all()
    assert lse.item() == pytest.approx(logarithm + 0.6931)
    out, lse = merge_attention_states(outputs, [torch.full((1, 1), -logarithm), torch.full((1, 1), logarithm)])
    assert (out == (3.0 if logarithm > 0 else 1.0)).all()
    assert lse.item() == abs(logarithm)


@pytest.mark.parametrize(
    ("outputs", "logarithms", "message"),
    [
        ([], [], "outputs is empty"),
        ([torch.zeros(1, 1, 8), None], [torch.zeros(1, 1)] * 2, "outputs is NoneType; a tensor is accepted"),
        (torch.zeros(0, 1, 1, 8), torch.zeros(0, 1, 1), "outputs is empty"),
        ([torch.zeros(1, 1, 8), torch.zeros(2, 1, 8)], [torch.zeros(1, 1)] * 2, r"outputs have the shapes \(1, 1, 8\)"),
        ([torch.zeros(1, 8)], [torch.zeros(1, 1)], "outputs have 2 dimensions a part; 3 are accepted"),
        (
            [torch.zeros(1, 1, 8)],
            [torch.zeros(1, 2)],
            r"outputs have shape \[1, 1, 1, 8\] and log_sum_exps",
        ),
        ([torch.zeros(1, 1, 8)], [torch.zeros(1, 1).double()], "log_sum_exps are torch.float64; float32 is accepted"),
        ([torch.zeros(1, 1, 8).int()], [torch.zeros(1, 1)], "outputs are torch.int32"),
    ],
)
def test_wrong_arguments(outputs: list[torch.Tensor], logarithms: list[torch.Tensor], message: str) -> None:
    with pytest.raises((ValueError, TypeError), match=message):
        merge_attention_states(outputs, logarithms)


def test_a_wrong_output() -> None:
    outputs, logarithms, _, _ = parts_of([5])
    with pytest.raises(ValueError, match=r"out has shape \[1\]"):
        merge_attention_states(outputs, logarithms, out=torch.zeros(1))


@pytest.mark.slow
@pytest.mark.parametrize("work", [shard_keys, shard_heads])
def test_two_processes(work: Callable[[int, str], None], tmp_path: Path) -> None:
    context = multiprocessing.get_context("spawn")
    processes = [context.Process(target=work, args=(rank, str(tmp_path / "store"))) for rank in range(2)]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    assert [process.exitcode for process in processes] == [0, 0]
