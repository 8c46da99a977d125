"""What becomes of a call's scratch buffers."""

from paged_attention_migrate.buffers.reads import Buffers, Lent, buffers_of, function_of

__all__ = ["Buffers", "Lent", "buffers_of", "function_of"]
