"""The removed functions, as names that say what became of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

if TYPE_CHECKING:
    from typing_extensions import deprecated

    from paged_attention_shim.removed import RemovedName
else:
    _Function = TypeVar("_Function", bound=Callable[..., Any])

    def deprecated(message: str) -> Callable[[_Function], _Function]:
        """PEP 702's mark without its warning, for calling one of these is an error anyway."""

        def mark(function: _Function) -> _Function:
            function.__deprecated__ = message
            return function

        return mark


class RemovedAPIError(RuntimeError):
    """A function was called that vLLM no longer has; the message says what to call instead."""


def removed(name: str) -> RemovedAPIError:
    """The error for a removed attention function, from the table."""
    from paged_attention_shim.removed import entry_point

    found = entry_point(f"vllm._custom_ops.{name}")
    assert found is not None
    return RemovedAPIError(sentences(found[0]))


def sentences(name: RemovedName) -> str:
    """What is gone, since when, what to call, and the command that rewrites it."""
    source = f" ({name.pull_request_url})" if name.pull_request else ""
    rewrite = "`paged-attention-migrate rewrite` makes the edit."
    return f"{name.name} is gone since vLLM {name.removed_in}{source}. {name.advice} {rewrite}"


@deprecated("gone since vLLM 0.25.0: call paged_attention_shim.paged_attention with the same arguments")
def paged_attention_v1(*_: Any, **__: Any) -> NoReturn:
    """Gone since vLLM 0.25.0: call `paged_attention` with the same arguments."""
    raise removed("paged_attention_v1")


@deprecated("gone since vLLM 0.25.0: call paged_attention_shim.paged_attention without exp_sum, max_logits and tmp_out")
def paged_attention_v2(*_: Any, **__: Any) -> NoReturn:
    """Gone since vLLM 0.25.0: call `paged_attention` without `exp_sum`, `max_logits` and `tmp_out`."""
    raise removed("paged_attention_v2")
