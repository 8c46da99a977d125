def test_decode(monkeypatch):
    monkeypatch.setattr("vllm._custom_ops.paged_attention_v1", print)  # expect: PAM106
