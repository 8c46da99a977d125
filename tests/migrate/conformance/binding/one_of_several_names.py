from vllm import LLM, _custom_ops as ops, SamplingParams


def attend(batch):
    ops.paged_attention_v1(*batch)  # expect: PAM102
    return LLM, SamplingParams
