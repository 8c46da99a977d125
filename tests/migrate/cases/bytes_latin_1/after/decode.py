# -*- coding: latin-1 -*-
# Schlüssel
from paged_attention_shim import paged_attention


def f(b):
    paged_attention(*b)  # für später
    return b
