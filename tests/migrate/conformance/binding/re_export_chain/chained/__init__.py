from .middle import attend_long

__all__ = ["attend_long"]
