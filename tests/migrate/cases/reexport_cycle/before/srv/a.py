from srv.b import ops
from vllm import _custom_ops as ops2
