def test_it(monkeypatch, mod):
    monkeypatch.setattr(mod.ops, "paged_attention_v1", print)
# findings
# 2:34 PAM106
