import vllm._C  # noqa: F401

x = 1
