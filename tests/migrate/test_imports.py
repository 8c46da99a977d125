"""What becomes of the comments of an import that goes."""

from __future__ import annotations

import pytest

from paged_attention_migrate.imports import without_noqa


@pytest.mark.parametrize(
    ("comment", "rest"),
    [
        ("# noqa", ""),
        ("# noqa: F401", ""),
        ("#noqa:F401,E402", ""),
        ("# NoQA : F401, E402", ""),
        ("# noqa: f401", ""),
        ("# noqa: F401 E402", ""),
        ("# noqa: E501.", ""),
        ("# noqa: F401  # noqa: E402", ""),
        ("# noqa: F401 for plugins", "# for plugins"),
        ("# noqa: F401 - for plugins", "# for plugins"),
        ("# noqa: F401, E402  # for plugins", "# for plugins"),
        ("# noqa: F401  # noqa: E402 for plugins", "# for plugins"),
        ("# noqa: F401 H100 only", "# H100 only"),
        ("# noqa  for plugins", "# for plugins"),
        ("# noqable", "# noqable"),
        ("# see noqa: F401", "# see noqa: F401"),
        ("# for plugins  # noqa: F401", "# for plugins  # noqa: F401"),
        ("# type: ignore", "# type: ignore"),
    ],
)
def test_noqa_and_its_codes_go_and_the_words_behind_them_stay(comment: str, rest: str) -> None:
    assert without_noqa(comment) == rest
