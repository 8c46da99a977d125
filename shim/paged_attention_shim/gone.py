"""What is said when a removed name is used: what is gone, since when, what to call, and the command."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

    from typing_extensions import deprecated as deprecated  # noqa: PLC0414  # handed on to the stubs

    from paged_attention_shim.removed import RemovedName
else:
    _Marked = TypeVar("_Marked")

    def deprecated(message: str) -> Callable[[_Marked], _Marked]:
        """PEP 702's mark without its warning, for using one of these is an error anyway."""

        def mark(marked: _Marked) -> _Marked:
            marked.__deprecated__ = message
            return marked

        return mark


class RemovedAPIError(RuntimeError):
    """Something was used that vLLM no longer has; the message says what to use instead."""


class RemovedAttributeError(AttributeError, RemovedAPIError):
    """The same where an attribute is looked up: to `hasattr` and to `getattr` with a default it is not there."""


class RemovedImportError(ImportError, RemovedAPIError):
    """The same where a name is imported: to `except ImportError` it is not there."""


def removed_name(path: str) -> RemovedName:
    """The row of the table that has a full dotted name such as `vllm._custom_ops.paged_attention_v1`."""
    from paged_attention_shim.removed import entry_point

    found = entry_point(path)
    if found is None:
        raise KeyError(f"{path} is no removed name")
    return found[0]


def error(path: str) -> RemovedAPIError:
    """What calling a removed function raises."""
    return RemovedAPIError(sentences(removed_name(path)))


def sentences(name: RemovedName) -> str:
    """What is gone, since when, what to call, and the command that rewrites it or says more."""
    source = f" ({name.pull_request_url})" if name.pull_request else ""
    return f"{name.name} is gone since vLLM {name.removed_in}{source}. {name.advice} {command(name)}"


def command(name: RemovedName) -> str:
    """The command that helps with a removed name."""
    if name.family == "attention" or name.name == "forward_decode":
        return "`paged-attention-migrate rewrite PATH` makes the edit."
    return f"`paged-attention-migrate explain {name.paths[-1]}` says more."
