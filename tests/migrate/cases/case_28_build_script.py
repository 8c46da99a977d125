from setuptools import setup
from torch.utils.cpp_extension import CUDAExtension
import pathlib
VLLM = pathlib.Path("third_party/vllm")
setup(ext_modules=[CUDAExtension("mine._C", [str(VLLM / "csrc/attention/paged_attention_v1.cu"), "src/own.cu"])])
# findings
# 5:57 PAM303
