"""The parameter lists, generation by generation, written once and combined."""

from __future__ import annotations

from paged_attention_shim.removed.records import REQUIRED, Generation, Parameter

_SEEN: dict[str, Parameter] = {}


def parameters(text: str) -> tuple[Parameter, ...]:
    """Read `name`, `name:kind`, `name:kind?` (optional) and `name:kind=default`, separated by spaces."""
    return tuple([_SEEN.get(word) or _parameter(word) for word in text.split()])


def _parameter(word: str) -> Parameter:
    name, _, kind = word.partition(":")
    kind, _, text = kind.partition("=")
    kind = kind or "tensor"
    default: object = REQUIRED
    if text == "None":
        default = None
    elif text:
        default = {"int": int, "float": float}.get(kind, str)(text)
    if kind.endswith("?"):
        kind = f"optional {kind[:-1]}"
    _SEEN[word] = Parameter(name, kind, default)
    return _SEEN[word]


def generation(label: str, first: str, last: str, text: str, pull_request: int | None = None) -> Generation:
    """A generation from its parameters as text."""
    return Generation(label, first, last, parameters(text), pull_request)


_CACHES = "out query key_cache value_cache"
_OLD = "scale:float block_tables context_lens block_size:int max_context_len:int"
_NEW = "scale:float block_tables seq_lens block_size:int max_seq_len:int"
_ALIBI = "alibi_slopes:tensor?"
_DTYPE = "kv_cache_dtype:str"
_SPARSE = (
    "tp_rank:int=0 blocksparse_local_blocks:int=0 blocksparse_vert_stride:int=0 "
    "blocksparse_block_size:int=64 blocksparse_head_sliding_step:int=0"
)
_ONE_SCALE = "kv_scale:float"
_FLOAT_SCALES = "k_scale:float v_scale:float"
_TENSOR_SCALES = "k_scale v_scale"
_MAPPED = f"{_CACHES} head_mapping {_OLD} {_ALIBI}"
_COUNTED = f"{_CACHES} num_kv_heads:int {_OLD} {_ALIBI}"
_RENAMED = f"{_CACHES} num_kv_heads:int {_NEW} {_ALIBI} {_DTYPE}"

SINGLE_QUERY = (
    generation("G0", "0.0.1", "0.1.1", f"{_CACHES} {_OLD}"),
    generation("G1", "0.1.2", "0.1.2", f"{_CACHES} {_OLD} {_ALIBI}"),
    generation("G2", "0.1.3", "0.2.0", _MAPPED),
)

V1 = (
    generation("G3a", "0.2.1", "0.2.3", _MAPPED, 1348),
    generation("G3b", "0.2.4", "0.2.7", _COUNTED, 1997),
    generation("G4", "0.3.0", "0.4.0.post1", f"{_COUNTED} {_DTYPE}", 2279),
    generation("G5", "0.4.1", "0.4.1", f"{_COUNTED} {_DTYPE} {_ONE_SCALE}", 3290),
    generation("G6", "0.4.2", "0.4.2", f"{_RENAMED} {_ONE_SCALE}", 4518),
    generation("G7", "0.4.3", "0.5.2", f"{_RENAMED} {_ONE_SCALE} {_SPARSE}", 4799),
    generation("G8", "0.5.3", "0.6.6.post1", f"{_RENAMED} {_FLOAT_SCALES} {_SPARSE}", 6081),
    generation("G9", "0.7.0", "0.24.0", f"{_RENAMED} {_TENSOR_SCALES} {_SPARSE}", 11906),
)

# The lengths kept their old names here to the end.
IPEX_V1 = (
    generation("G7", "0.5.1", "0.5.2", f"{_COUNTED} {_DTYPE} {_ONE_SCALE} {_SPARSE}"),
    generation("G8", "0.5.3", "0.15.1", f"{_COUNTED} {_DTYPE} {_FLOAT_SCALES} {_SPARSE}", 6081),
)

SCRATCH = ("exp_sum", "exp_sums", "max_logits", "tmp_out")
# The same argument under the name that the surviving call has for it.
NEW_NAMES = {"context_lens": "seq_lens", "max_context_len": "max_seq_len"}
_SCRATCH = parameters("exp_sum max_logits tmp_out")


def with_scratch(generations: tuple[Generation, ...]) -> tuple[Generation, ...]:
    """The second function's lists: the first's, with the scratch buffers after `out`."""
    return tuple(
        [each._replace(parameters=each.parameters[:1] + _SCRATCH + each.parameters[1:]) for each in generations]
    )


_DECODE = "query key_cache value_cache block_tables"
_DECODE_OLD = f"{_DECODE} context_lens max_context_len:int {_DTYPE} num_kv_heads:int scale:float {_ALIBI}"
_DECODE_NEW = f"{_DECODE} seq_lens max_seq_len:int {_DTYPE} num_kv_heads:int scale:float {_ALIBI}"

FORWARD_DECODE = (
    generation("G4", "0.4.0", "0.4.0.post1", _DECODE_OLD),
    generation("G5", "0.4.1", "0.4.1", f"{_DECODE_OLD} {_ONE_SCALE}", 3290),
    generation("G6", "0.4.2", "0.4.2", f"{_DECODE_NEW} {_ONE_SCALE}", 4518),
    generation("G7", "0.4.3", "0.5.2", f"{_DECODE_NEW} {_ONE_SCALE} {_SPARSE}", 4799),
    generation("G8", "0.5.3", "0.6.6.post1", f"{_DECODE_NEW} {_FLOAT_SCALES} {_SPARSE}", 6081),
    generation("G9", "0.7.0", "0.11.2", f"{_DECODE_NEW} {_TENSOR_SCALES} {_SPARSE}", 11906),
)

_WRITE = f"key value key_cache value_cache slot_mapping {_DTYPE}"

WRITE_TO_CACHE = (
    generation("G4", "0.4.0", "0.4.0.post1", _WRITE),
    generation("G5", "0.4.1", "0.5.2", f"{_WRITE} {_ONE_SCALE}", 3290),
    generation("G8", "0.5.3", "0.6.6.post1", f"{_WRITE} {_FLOAT_SCALES}", 6081),
    generation("G9", "0.7.0", "0.13.0", f"{_WRITE} {_TENSOR_SCALES}", 11906),
)

IPEX_WRITE = (
    generation("G7", "0.5.1", "0.5.2", f"{_WRITE} {_ONE_SCALE}"),
    generation("G8", "0.5.3", "0.15.1", f"{_WRITE} {_FLOAT_SCALES}", 6081),
)

IPEX_WRITE_FLASH = (
    generation(
        "1",
        "0.9.2",
        "0.15.1",
        f"{_WRITE} k_scale:tensor?=None v_scale:tensor?=None k_scale_float:float=1.0 v_scale_float:float=1.0",
    ),
)

_NEW_TOKENS = "query key value"
_PAGES = "key_cache value_cache block_tables"
_WINDOW = f"{_ALIBI} sliding_window:int?"
_LENGTHS = "query_start_loc seq_lens_tensor context_lens max_query_len:int"

FORWARD_PREFIX = (
    generation(
        "1",
        "0.4.0",
        "0.4.1",
        f"{_NEW_TOKENS} {_PAGES} subquery_start_loc prompt_lens_tensor context_lens max_subquery_len:int {_ALIBI}",
    ),
    generation(
        "2",
        "0.4.2",
        "0.4.2",
        f"{_NEW_TOKENS} {_PAGES} subquery_start_loc seq_lens_tensor context_lens max_query_len:int {_WINDOW}",
    ),
    generation("3", "0.4.3", "0.5.4", f"{_NEW_TOKENS} {_PAGES} {_LENGTHS} {_WINDOW}"),
    generation("4", "0.5.5", "0.6.6.post1", f"{_NEW_TOKENS} {_DTYPE} {_PAGES} {_LENGTHS} {_WINDOW} {_FLOAT_SCALES}"),
    generation("5", "0.7.0", "0.7.3", f"{_NEW_TOKENS} {_DTYPE} {_PAGES} {_LENGTHS} {_WINDOW} {_TENSOR_SCALES}", 11906),
    generation(
        "6",
        "0.8.0",
        "0.11.2",
        f"{_NEW_TOKENS} {_DTYPE} {_PAGES} query_start_loc seq_lens_tensor max_query_len:int {_WINDOW} {_TENSOR_SCALES}",
    ),
)

_SHAPE = "num_blocks:int block_size:int num_kv_heads:int head_size:int"

CACHE_SHAPE = (
    generation("1", "0.4.0", "0.10.2", _SHAPE),
    generation("2", "0.11.0", "0.11.2", f"{_SHAPE} cache_dtype_str:str=auto"),
)

HEAD_SIZES = (generation("1", "0.4.0", "0.11.2", ""),)
SPLIT_CACHE = (generation("1", "0.4.0", "0.13.0", "kv_cache num_kv_heads:int head_size:int"),)

SWAP_BLOCKS = (
    generation("1", "0.4.0", "0.4.2", "src_kv_cache dst_kv_cache src_to_dst:dict"),
    generation("2", "0.4.3", "0.11.2", "src_kv_cache dst_kv_cache src_to_dst"),
)

COPY_BLOCKS = (
    generation("1", "0.4.0", "0.4.2", "kv_caches:list src_to_dists:dict"),
    generation("2", "0.4.3", "0.11.2", "kv_caches:list src_to_dists"),
)

IPEX_SWAP_BLOCKS = (generation("1", "0.5.1", "0.15.1", "src dst block_mapping"),)
IPEX_COPY_BLOCKS = (generation("1", "0.5.1", "0.13.0", "key_caches:list value_caches:list block_mapping"),)

_LAYER = "query key_cache value_cache input_metadata:object"

LAYER_DECODE = (
    generation("G3a", "0.2.3", "0.2.3", f"{_LAYER} head_mapping scale:float {_ALIBI}"),
    generation("G3b", "0.2.4", "0.3.3", f"{_LAYER} num_kv_heads:int scale:float {_ALIBI}", 1997),
)

_CHANGED = {
    each.name: each
    for each in parameters(
        "out:tensor? alibi_slopes:tensor?=None kv_cache_dtype:str=auto k_scale:scale=None v_scale:scale=None"
    )
}
_ADDED = parameters(
    "cache_layout:str=legacy sliding_window:int?=None softcap:float=0.0 sinks:tensor?=None "
    "lse:tensor?=None query_start_loc:tensor?=None output_scale:tensor?=None"
)

SURVIVING: tuple[Parameter, ...] = (
    *[_CHANGED.get(each.name, each) for each in V1[-1].parameters],
    *[each._replace(keyword_only=True) for each in _ADDED],
)
