"""The functions and methods that are known to leave no trace when they are called."""

from __future__ import annotations

LIBRARIES = ("torch", "numpy", "cupy")
CANONICAL = {"np": "numpy", "cp": "cupy"}

ALLOCATORS = frozenset(
    {
        "FloatTensor",
        "HalfTensor",
        "Tensor",
        "array",
        "empty",
        "empty_like",
        "empty_strided",
        "full",
        "full_like",
        "ndarray",
        "ones",
        "ones_like",
        "scalar_tensor",
        "tensor",
        "zeros",
        "zeros_like",
    }
)
ALLOCATING_METHODS = frozenset(
    {
        "new_empty",
        "new_empty_strided",
        "new_full",
        "new_ones",
        "new_tensor",
        "new_zeros",
    }
)
# What may be called on a fresh buffer: it is changed or copied, and nobody else sees either.
FRESH_METHODS = frozenset(
    {
        "bfloat16",
        "clone",
        "contiguous",
        "cpu",
        "cuda",
        "detach",
        "double",
        "fill_",
        "float",
        "half",
        "int",
        "long",
        "pin_memory",
        "requires_grad_",
        "to",
        "type",
        "type_as",
        "zero_",
    }
)
VIEWS = frozenset(
    {
        "as_strided",
        "expand",
        "expand_as",
        "flatten",
        "narrow",
        "permute",
        "reshape",
        "select",
        "squeeze",
        "t",
        "transpose",
        "unsqueeze",
        "view",
        "view_as",
    }
)
BUILTINS = frozenset(
    {
        "abs",
        "bool",
        "callable",
        "divmod",
        "float",
        "getattr",
        "hasattr",
        "int",
        "isinstance",
        "issubclass",
        "len",
        "list",
        "max",
        "min",
        "pow",
        "range",
        "round",
        "sum",
        "tuple",
        "type",
    }
)
# These walk through their argument, which a bare name does not show to be more than a one-shot iterator.
MAY_EXHAUST = frozenset(
    {
        "list",
        "sum",
        "tuple",
    }
)
ROUNDING = frozenset(
    {
        "cdiv",
        "ceil_div",
        "ceildiv",
        "div_ceil",
        "div_up",
        "divup",
        "next_power_of_2",
        "prev_power_of_2",
        "round_up",
    }
)
LIBRARY_READERS = frozenset(
    {
        "Size",
        "ceil",
        "device",
        "dtype",
        "finfo",
        "float32",
        "floor",
        "get_default_dtype",
        "iinfo",
        "int32",
        "int64",
        "is_tensor",
        "log2",
        "max",
        "min",
        "numel",
        "prod",
        "sqrt",
        "sum",
    }
)
ENVIRONMENT_READERS = frozenset(
    {
        "os.environ.get",
        "os.getenv",
        "torch.cuda.current_device",
        "torch.cuda.device_count",
        "torch.cuda.get_device_capability",
        "torch.cuda.get_device_properties",
        "torch.cuda.is_available",
    }
)
READING_METHODS = frozenset(
    {
        "amax",
        "bit_length",
        "data_ptr",
        "dim",
        "element_size",
        "endswith",
        "float",
        "int",
        "item",
        "long",
        "lower",
        "max",
        "min",
        "ndimension",
        "nelement",
        "numel",
        "size",
        "startswith",
        "stride",
        "strip",
        "sum",
        "tolist",
        "upper",
    }
)
