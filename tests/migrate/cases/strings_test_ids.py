import pytest


@pytest.mark.parametrize("name", ["paged_attention_v1", "rms_norm"], ids=["paged_attention_v1", "norm"])
def test_op(name):
    assert name
# findings
# 4:35 PAM104
# 4:75 PAM104
