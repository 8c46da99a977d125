from unittest import mock

import mylib


def test_decode(monkeypatch):
    monkeypatch.setattr(mylib, "paged_attention_v1", print)
    monkeypatch.setattr("mylib.ops.paged_attention_v2", print)
    with mock.patch("mylib.ops.paged_attention_v1"), mock.patch.object(mylib, "paged_attention_v2"):
        mylib.paged_attention_v1()
