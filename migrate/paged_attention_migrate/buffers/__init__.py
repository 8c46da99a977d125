"""What becomes of a call's scratch buffers."""

from paged_attention_migrate.buffers.reads import Buffers, function_of

__all__ = ["Buffers", "function_of"]
