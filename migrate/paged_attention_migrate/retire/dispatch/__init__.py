"""stub"""
from __future__ import annotations
from typing import NamedTuple

class Specialised(NamedTuple):
    data: bytes
    notes: tuple[str, ...]

def specialise(tree, file, settings):
    return None
