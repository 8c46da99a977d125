"""Runs a script of vLLM's sources without its compiled library: `python -m unbuilt_vllm SCRIPT [ARGUMENT ...]`."""

from __future__ import annotations

import runpy
import sys

from paged_attention_shim import switch
from unbuilt_vllm import operators

if __name__ == "__main__":
    operators.register()
    switch.on()
    del sys.argv[0]
    runpy.run_path(sys.argv[0], run_name="__main__")
