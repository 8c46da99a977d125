def test_decode(monkeypatch, backend):
    monkeypatch.setattr(backend.ops, "paged_attention_v1", lambda **arguments: None)  # expect: PAM106
