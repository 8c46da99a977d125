# coding: latin-1
# café ééé
from typing import Any, Optional
from paged_attention_shim import paged_attention


def f(o, q: Any, *r):
    paged_attention(o, q, *r)
