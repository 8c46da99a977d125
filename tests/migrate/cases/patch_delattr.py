import vllm._custom_ops


def test_without(monkeypatch):
    monkeypatch.delattr(vllm._custom_ops, "paged_attention_v1")
    monkeypatch.delattr("vllm._custom_ops.paged_attention_v2")
# findings
# 5:43 PAM106
# 6:25 PAM106
