from .attention import decode_short

__all__ = ["decode_short"]
