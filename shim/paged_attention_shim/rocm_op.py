"""vLLM's own paged attention operator for ROCm, where it is loaded and fits."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    import torch

_HEAD_SIZES = (64, 128)
_BLOCK_SIZES = (16, 32)
_LARGEST_GROUP = 16
_CACHES = ("auto", "fp8", "fp8_e4m3")
# vLLM 0.8.0 and later; the sum and the greatest logit of each partition go through buffers of the caller.
_PARTITION = 256


class Call(NamedTuple):
    """The arguments that the operator has, too."""

    out: torch.Tensor | None
    query: torch.Tensor
    key_cache: torch.Tensor
    value_cache: torch.Tensor
    num_kv_heads: int
    scale: float
    block_tables: torch.Tensor
    seq_lens: torch.Tensor
    block_size: int
    max_seq_len: int
    alibi_slopes: torch.Tensor | None
    kv_cache_dtype: str
    k_scale: float | torch.Tensor | None
    v_scale: float | torch.Tensor | None
    query_start_loc: torch.Tensor | None
    output_scale: float | torch.Tensor | None


def beyond_it(  # what the operator has no argument for
    cache_layout: str,
    sliding_window: int | None,
    softcap: float,
    sinks: torch.Tensor | None,
    lse: torch.Tensor | None,
    blocksparse_vert_stride: int,
) -> str | None:
    """Which wish of a call the operator has no argument for, if any."""
    if cache_layout != "legacy":
        return f"cache_layout is {cache_layout!r}, and it reads 'legacy' alone"
    wishes = {
        "sliding_window": sliding_window is not None,
        "softcap": softcap != 0.0,
        "sinks": sinks is not None,
        "lse": lse is not None,
        "blocksparse_vert_stride": blocksparse_vert_stride > 1,
    }
    wish = next((name for name, wished in wishes.items() if wished), None)
    return f"it knows no {wish}" if wish else None


def refusal(call: Call) -> str | None:
    """Why the operator cannot run a call; None where it can."""
    import torch

    if torch.version.hip is None or operator() is None:
        return "torch.ops._rocm_C.paged_attention is not loaded"
    head_size = call.query.shape[-1]
    if head_size not in _HEAD_SIZES:
        return f"head_size is {head_size}, and it takes {_HEAD_SIZES}"
    if call.block_size not in _BLOCK_SIZES:
        return f"block_size is {call.block_size}, and it takes {_BLOCK_SIZES}"
    if call.query.dtype not in (torch.float16, torch.bfloat16):
        return f"query is {call.query.dtype}, and it takes float16 and bfloat16"
    if call.kv_cache_dtype not in _CACHES:
        return f"kv_cache_dtype is {call.kv_cache_dtype!r}, and it takes {_CACHES}"
    if call.query.shape[-2] > _LARGEST_GROUP * call.num_kv_heads:
        return f"there are more than {_LARGEST_GROUP} query heads for a KV head"
    if call.query_start_loc is not None or call.output_scale is not None:
        return "it is only used for one query token a sequence, without output_scale"
    if not call.query.is_contiguous() or call.key_cache.stride() != call.key_cache.contiguous().stride():
        return "query or the caches are not contiguous"
    return None


def operator() -> Any | None:
    """The operator, if a library registered it."""
    import torch

    return getattr(torch.ops._rocm_C, "paged_attention", None)  # noqa: SLF001  # its public name


def attend(call: Call) -> torch.Tensor:
    """Run the operator, whose parameters came one by one: 17 in vLLM 0.6.2, 21 in 0.33.0."""
    import torch

    found = operator()
    assert found is not None
    out = torch.empty_like(call.query) if call.out is None else call.out
    partitions = -(-max(call.max_seq_len, 1) // _PARTITION)
    num_seqs, num_heads, head_size = call.query.shape
    sums = torch.empty((num_seqs, num_heads, partitions), dtype=torch.float32, device=call.query.device)
    one = torch.ones((), dtype=torch.float32, device=call.query.device)
    given: dict[str, Any] = {
        "out": out,
        "exp_sum": sums,
        "exp_sums": sums,
        "max_logits": torch.empty_like(sums),
        "tmp_out": torch.empty((*sums.shape, head_size), dtype=out.dtype, device=out.device),
        "context_lens": call.seq_lens,
        "max_context_len": call.max_seq_len,
        "k_scale": one if call.k_scale is None else call.k_scale,
        "v_scale": one if call.v_scale is None else call.v_scale,
        "fp8_out_scale": None,
        "mfma_type": "f16",
        "use_interleaved_v_cache": False,
    }
    given |= {name: value for name, value in call._asdict().items() if name not in given}
    schema = found.default._schema  # noqa: SLF001  # how torch gives it
    found(*(_as_declared(given[argument.name], argument) for argument in schema.arguments))
    return out


def _as_declared(value: Any, argument: Any) -> Any:
    """A scale as a number or a tensor, as this release wants it."""
    import torch

    if str(argument.type) == "Tensor" and isinstance(value, (int, float)):
        return torch.tensor(float(value))
    if str(argument.type) == "float" and isinstance(value, torch.Tensor):
        return float(value)
    return value
