from vllm import LLM, SamplingParams, _custom_ops
from vllm._C import *  # noqa: F403
from vllm.model_executor.layers.attention import Attention

llm = LLM("model")
_custom_ops.silu_and_mul(Attention, SamplingParams)
