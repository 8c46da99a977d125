"""Which lines of a reStructuredText document are Python."""

from __future__ import annotations

import pytest

from paged_attention_migrate.documents.studying import Document


def read(text: str) -> list[str]:
    return [cell.source.strip("\n") for cell in Document("a.rst", text.encode()).cells]


@pytest.mark.parametrize(
    "text",
    [
        ".. code-block:: python\n\n   x = 1\n\n   y = 2\n\nText\n",
        ".. code-block:: python\n   :linenos:\n   :caption: A\n\n   x = 1\n\n   y = 2",
        "1. a\n\n   ..  sourcecode:: python3\n\n       x = 1\n\n       y = 2\n\n   b\n",
        ".. code:: py\r\n\r\n x = 1\r\n\r\n y = 2\r\n",
        ".. testcode::\n\n    x = 1\n\n    y = 2\n",
    ],
)
def test_a_block_without_its_indentation(text: str) -> None:
    assert read(text) == ["x = 1\n\ny = 2"]


def test_code_may_be_indented_more_deeply() -> None:
    assert read(".. code:: python\n\n      if x:\n          y\n") == ["if x:\n    y"]


def test_two_blocks_that_follow_each_other() -> None:
    assert read(".. code:: python\n\n   x\n.. code:: python\n\n   y\n") == ["x", "y"]


@pytest.mark.parametrize(
    "text",
    [
        "x = 1\n",
        "::\n\n   x = 1\n",
        ".. code-block::\n\n   x = 1\n",
        ".. code-block:: bash\n\n   x = 1\n",
        ".. note:: python\n\n   x = 1\n",
        ".. code-block:: python\n\nx = 1\n",
        ".. code-block:: python\n",
        "text .. code-block:: python\n\n   x = 1\n",
    ],
)
def test_no_block(text: str) -> None:
    assert read(text) == []
