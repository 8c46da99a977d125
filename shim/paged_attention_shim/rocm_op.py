"""vLLM's own paged attention operator for ROCm, where it is loaded and fits."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    import torch

_HEAD_SIZES = (64, 128)
_BLOCK_SIZES = (16, 32)
_LARGEST_GROUP = 16
_LONGEST = 131_072
_CACHES = ("auto", "fp8", "fp8_e4m3")
_RDNA_HEAD_SIZE = 128
_RDNA_BLOCK_SIZE = 16
_RDNA_LEAST_GROUP = 3
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
    if not all(isinstance(each, torch.Tensor) for each in (call.query, call.key_cache, call.value_cache)):
        return "query and the caches are no tensors"
    if call.query.dim() != 3:
        return f"query has {call.query.dim()} dimensions"
    head_size = call.query.shape[2]
    if head_size not in _HEAD_SIZES:
        return f"head_size is {head_size}, and it takes {_HEAD_SIZES}"
    if call.block_size not in _BLOCK_SIZES:
        return f"block_size is {call.block_size}, and it takes {_BLOCK_SIZES}"
    if call.query.dtype not in (torch.float16, torch.bfloat16):
        return f"query is {call.query.dtype}, and it takes float16 and bfloat16"
    if call.kv_cache_dtype not in _CACHES:
        return f"kv_cache_dtype is {call.kv_cache_dtype!r}, and it takes {_CACHES}"
    if call.query.shape[1] > _LARGEST_GROUP * call.num_kv_heads:
        return f"there are more than {_LARGEST_GROUP} query heads for a KV head"
    if call.max_seq_len > _LONGEST:
        return f"max_seq_len is {call.max_seq_len}, and it takes up to {_LONGEST}"
    if call.query_start_loc is not None or call.output_scale is not None:
        return "it is only used for one query token a sequence, without output_scale"
    tensors = (call.query, call.key_cache, call.value_cache, *(() if call.out is None else (call.out,)))
    if not all(each.is_contiguous() for each in tensors):
        return "query, out or the caches are not contiguous, and it reads no strides"
    return _refusal_on_rdna(call) if is_rdna(call.query.device) else None


def _refusal_on_rdna(call: Call) -> str | None:
    """It checks none of this there, and computes something else (vllm-project/vllm#57614)."""
    group = call.query.shape[1] // call.num_kv_heads
    fits = call.query.shape[2] == _RDNA_HEAD_SIZE and call.block_size == _RDNA_BLOCK_SIZE and group >= _RDNA_LEAST_GROUP
    if not fits:
        return "on RDNA it takes head_size 128, block_size 16 and at least 3 query heads for a KV head"
    if call.alibi_slopes is not None or call.kv_cache_dtype != "auto":
        return "on RDNA it knows neither ALiBi nor fp8"
    return None


def is_rdna(device: torch.device) -> bool:
    """Whether an AMD GPU is of the gfx10 to gfx12 families."""
    import torch

    return device.type == "cuda" and "gfx1" in torch.cuda.get_device_properties(device).gcnArchName


def operator() -> Any | None:
    """The operator, if a library registered it."""
    import torch

    return getattr(torch.ops._rocm_C, "paged_attention", None)  # noqa: SLF001  # its public name


def attend(call: Call) -> torch.Tensor:
    """Run the operator, whose parameters came one by one: 17 in vLLM 0.6.2, 21 in 0.33.0.

    Raises ValueError or TypeError that names a wrong argument: the operator checks next to nothing.
    """
    import torch

    from paged_attention_kernels.arguments import Sparsity, checked

    found = operator()
    assert found is not None
    request = checked(
        *call[:14], Sparsity(0, 0, 0, 64, 0), "legacy", None, 0.0, None, None, call.query_start_loc, call.output_scale
    )
    query, out = request.query, request.out
    if query.shape[0] == 0:
        return out
    partitions = -(-max(call.max_seq_len, 1) // _PARTITION)
    num_seqs, num_heads, head_size = query.shape
    sums = torch.empty((num_seqs, num_heads, partitions), dtype=torch.float32, device=query.device)
    given: dict[str, Any] = call._asdict() | {
        "out": out,
        "exp_sum": sums,
        "exp_sums": sums,
        "max_logits": torch.empty_like(sums),
        "tmp_out": torch.empty((*sums.shape, head_size), dtype=out.dtype, device=query.device),
        "block_tables": request.block_tables,
        "seq_lens": request.seq_lens,
        "context_lens": request.seq_lens,
        "max_context_len": call.max_seq_len,
        "alibi_slopes": request.alibi_slopes,
        "k_scale": request.key_scale,
        "v_scale": request.value_scale,
        "fp8_out_scale": None,
        "mfma_type": "f16",
        "use_interleaved_v_cache": False,
    }
    schema = found.default._schema  # noqa: SLF001  # how torch gives it
    found(*(_as_declared(given[argument.name], argument, query.device) for argument in schema.arguments))
    return out


def _as_declared(value: Any, argument: Any, device: torch.device) -> Any:
    """A scale as this release wants it: before vLLM 0.7.0 a number, at the cost of a sync, then a tensor."""
    import torch

    if str(argument.type) == "Tensor" and isinstance(value, float):
        return torch.tensor(value, device=device)
    if str(argument.type) == "float" and isinstance(value, torch.Tensor):
        return float(value)
    return value
