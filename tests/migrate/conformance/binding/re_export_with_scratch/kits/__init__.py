from .attention import decode_long
