import pathlib

from setuptools import setup
from torch.utils.cpp_extension import CUDAExtension

VLLM = pathlib.Path("third_party/vllm")

setup(
    ext_modules=[
        CUDAExtension(
            "mine._C",
            [
                str(VLLM / "csrc/attention/paged_attention_v1.cu"),  # expect: PAM303
                "csrc/own.cu",
            ],
        )
    ]
)
