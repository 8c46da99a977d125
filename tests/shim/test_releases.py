"""Where versions stand among vLLM's releases, and which parameter list they had."""

from __future__ import annotations

import pytest

from paged_attention_shim.removed import RELEASES, Home, RemovedName, entry_point, generations_at, position


def entry(path: str) -> tuple[RemovedName, Home]:
    found = entry_point(path)
    assert found is not None, path
    return found


def test_the_releases_are_in_order() -> None:
    assert len(RELEASES) == len(set(RELEASES)) == 101
    assert (RELEASES[0], RELEASES[-1]) == ("0.0.1", "0.33.0")
    assert [position(release) for release in RELEASES] == list(range(101))
    assert [position(f"v{release}+cu128") for release in RELEASES] == list(range(101))
    assert [position(f"{release}rc1") for release in RELEASES if "post" not in release] == [
        index for index, release in enumerate(RELEASES) if "post" not in release
    ]


@pytest.mark.parametrize(
    ("version", "release"),
    [
        ("0.8.6", "0.8.5.post1"),
        ("0.9", "0.9.0"),
        ("0.9.0.0", "0.9.0"),
        ("0.9.0.1", "0.9.0.1"),
        ("0.9.0rc1", "0.9.0"),
        ("0.9.0.rc2", "0.9.0"),
        ("0.9.0rc1.dev3", "0.9.0"),
        ("0.9.0.dev1", "0.8.5.post1"),
        ("0.10.1.dev12+g0123abc", "0.10.0"),
        ("0.6.3.post2.dev115+gf4d", "0.6.3.post1"),
        ("0.6.3-post1", "0.6.3.post1"),
        ("0.5.0.POST1", "0.5.0.post1"),
        ("V0.5.0 ", "0.5.0"),
        ("0.6.7", "0.6.6.post1"),
        ("0.100.0", "0.33.0"),
        ("1.0", "0.33.0"),
    ],
)
def test_a_version_that_is_no_release_stands_at_the_release_before_it(version: str, release: str) -> None:
    assert RELEASES[position(version)] == release


def test_a_version_before_the_first_release_is_before_everything() -> None:
    assert position("0.0.0") == -1
    assert generations_at(*entry("vllm.attention_ops.single_query_cached_kv_attention"), "0.0.0") == ()


@pytest.mark.parametrize("text", ["", "latest", "0.9.x", "0..9", ">=0.9", "0.9.0rc1rc2", "1!0.9"])
def test_text_that_is_no_version_is_an_error_that_shows_it(text: str) -> None:
    with pytest.raises(ValueError, match="not a version") as caught:
        position(text)
    assert repr(text) in str(caught.value)


@pytest.mark.parametrize(
    ("path", "version", "labels"),
    [
        ("vllm._custom_ops.paged_attention_v1", "0.4.0.post1", []),
        ("vllm._custom_ops.paged_attention_v1", "0.4.1", ["G5"]),
        ("vllm._custom_ops.paged_attention_v1", "0.6.7", ["G8"]),
        ("vllm._custom_ops.paged_attention_v1", "0.7.0rc1", ["G9"]),
        ("vllm._custom_ops.paged_attention_v1", "0.8.6", ["G9"]),
        ("vllm._custom_ops.paged_attention_v1", "0.25.0", []),
        ("vllm._C.ops.paged_attention_v2", "0.4.3", ["G7"]),
        ("vllm._C.ops.paged_attention_v2", "0.5.0", []),
        ("torch.ops._C.paged_attention_v2", "0.4.3", []),
        ("vllm.attention_ops.paged_attention_v1", "0.2.1.post1", ["G3a"]),
        ("vllm.attention.ops.paged_attn.PagedAttention.forward_decode", "0.11.2", ["G9"]),
    ],
)
def test_the_generation_of_one_version(path: str, version: str, labels: list[str]) -> None:
    assert [each.label for each in generations_at(*entry(path), version)] == labels
