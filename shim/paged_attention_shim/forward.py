"""Calls in the old signatures, of any generation, through the call that survives."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any, NamedTuple

from paged_attention_shim import usage
from paged_attention_shim.argument_lists import ArgumentLists, Call
from paged_attention_shim.attention import attend
from paged_attention_shim.removed import REQUIRED, Generation, generations_at
from paged_attention_shim.removed.records import PYBIND

if TYPE_CHECKING:
    from collections.abc import Callable

    from paged_attention_shim.removed import Home, RemovedName


class Options(NamedTuple):
    """What the user asked for beside forwarding.

    `fill_scratch` fills the scratch buffers of v2 as the CUDA kernel did; `from_version` is the release of vLLM that
    the code was written for, where an argument list fits several; `rocm` stands in for the ROCm operator elsewhere.
    """

    fill_scratch: bool = False
    from_version: str | None = None
    rocm: bool = False


def forwarder(name: RemovedName, home: Home, options: Options) -> Callable[..., Any]:
    """The removed function as it was at one home; it warns once for every line that calls it, and counts."""
    lists = ArgumentLists(name, home, options.from_version)
    gives_output = name.name == "forward_decode"

    def forward(*arguments: Any, **keywords: Any) -> Any:
        import torch

        is_compiling = torch.compiler.is_compiling()
        if not is_compiling and not options.fill_scratch:
            values = lists.plain_values(arguments, keywords)
            if values is not None:
                usage.count(name, home)
                out = attend(values)
                return out if gives_output else None
        understood = lists.understood(arguments, keywords)
        if is_compiling and not gives_output:
            from paged_attention_shim.operators import in_graph

            return in_graph(name, understood)
        usage.count(name, home)
        out = run(understood, fill_scratch=options.fill_scratch)
        return out if gives_output else None

    newest = generations_at(name, home)[-1]
    forward.__name__ = forward.__qualname__ = name.name
    forward.__module__ = home.path
    forward.__doc__ = f"Gone since vLLM {name.removed_in}, and forwarded. {name.advice}"
    forward.__signature__ = _signature(newest, home)  # type: ignore[attr-defined]  # what `inspect.signature` gives
    return forward


def run(understood: Call, *, fill_scratch: bool) -> Any:
    """Make the surviving call, and leave in the scratch buffers what the CUDA kernel of v2 did if that is wanted."""
    if fill_scratch and understood.scratch:
        from paged_attention_kernels import fill_partitions

        fill_partitions(*understood.scratch, *understood.values[1:])  # first, for it refuses wrong buffers
    return attend(understood.values)


def _signature(generation: Generation, home: Home) -> inspect.Signature:
    kind = inspect.Parameter.POSITIONAL_ONLY if home.call_style == PYBIND else inspect.Parameter.POSITIONAL_OR_KEYWORD
    return inspect.Signature(
        [
            inspect.Parameter(
                each.name, kind, default=inspect.Parameter.empty if each.default is REQUIRED else each.default
            )
            for each in generation.parameters
        ]
    )
