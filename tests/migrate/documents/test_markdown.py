"""Which lines of a Markdown document are Python."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from paged_attention_migrate.documents import can_be_read, may_hold_examples
from paged_attention_migrate.documents.studying import Document

pytest.importorskip("markdown_it", reason="the extra `native` is not installed")

FENCE = "```python\nx = 1\n\ny = 2\n```\n"


def read(text: str, path: str = "a.md") -> list[str]:
    return [cell.source for cell in Document(path, text.encode()).cells]


@pytest.mark.parametrize(
    "text",
    [
        FENCE,
        FENCE.replace("```", "~~~~"),
        FENCE.replace("\n", "\r\n"),
        FENCE.replace("\n", "\r"),
        "\ufeff" + FENCE,
        FENCE.removesuffix("```\n"),
        FENCE.removesuffix("\n```\n"),
        "".join(f"> {line}\n" for line in FENCE.splitlines()),
        ">```python\n>x = 1\n>\n>y = 2\n>```\n",
        "> > ```python\n> > x = 1\n> >\n> > y = 2\n> > ```\n",
        "- ```python\n  x = 1\n\n  y = 2\n  ```\n",
        "1. a\n\n   ```python\n   x = 1\n\n   y = 2\n   ```\n",
        "- > ```python\n  > x = 1\n  >\n  > y = 2\n  > ```\n",
        '!!! note "a"\n\n    ```python\n    x = 1\n\n    y = 2\n    ```\n',
        '=== "Python"\n    ```python\n    x = 1\n\n    y = 2\n    ```\n',
        "??? note\n    !!! tip\n        ```python\n        x = 1\n\n        y = 2\n        ```\n",
        "```{code-cell} ipython3\n:tags: [a]\n:b: c\nx = 1\n\ny = 2\n```\n",
        "```{code-cell}\n---\ntags: [a]\n---\nx = 1\n\ny = 2\n```\n",
        f"````{{note}}\nA\n{FENCE}````\n",
        f"`````{{tab-set}}\n````{{tab-item}} A\n:sync: a\n\n{FENCE}````\n`````\n",
        "- ~~~~~{note}\n" + "".join(f"  {line}\n" for line in FENCE.splitlines()) + "  ~~~~~\n",
        f"````{{note}}\n{FENCE}",
        f":::{{note}}\n{FENCE}:::\n",
        "<details>\n\n" + FENCE + "</details>\n",
    ],
)
def test_an_example_without_what_is_around_it(text: str) -> None:
    assert read(text) == ["x = 1\n\ny = 2"]


def test_each_line_knows_its_place() -> None:
    text = "\ufeff# A\r\n\r\n- > ```py\r\n  > x = 1\r\n  >\r\n  >  y = 2\r\n  > ```"
    document = Document("a.md", text.encode())
    (cell,) = document.cells
    assert [document.text[piece.raw_start :][: len(piece.raw)] for piece in cell.pieces] == ["x = 1", "", " y = 2"]
    assert document.text[slice(*cell.in_file(8, 9))] == "y"


@pytest.mark.parametrize(
    "text",
    [
        "x = 1\n",
        "    x = 1\n",
        "`python x = 1`\n",
        "<!--\n```python\nx = 1\n```\n-->\n",
        "```bash\n```python\nx = 1\n```\n",
        "````text\n```python\nx = 1\n```\n````\n",
        "```python\n```\n",
        f"````{{code-block}} markdown\n{FENCE}````\n",
        "````{literalinclude}\n:a: b\n````\n",
        "- ```python\n\tx = 1\n  ```\n",
    ],
)
def test_no_example(text: str) -> None:
    assert read(text) == []


def test_mdx_has_fences_right_below_a_tag() -> None:
    text = f"<Tab>\n{FENCE}</Tab>\n"
    assert read(text, "a.mdx") == ["x = 1\n\ny = 2"]
    assert read(text, "a.md") == []


def test_a_document_is_looked_into_only_if_it_may_matter() -> None:
    assert may_hold_examples(b"```python\nops.paged_attention_v1(x)\n```\n")
    assert may_hold_examples(b".. code-block:: py\n\n   paged_attention_v2(x)\n")
    assert not may_hold_examples(b"```python\nx = 1\n```\n")
    assert not may_hold_examples(b"```c++\npaged_attention_v1(x);\n```\n")
    assert not may_hold_examples(b"paged_attention_v1 in Python\n")


def test_what_the_parser_is_needed_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    assert not can_be_read("A.MD")
    assert can_be_read("a.rst")


def test_the_parser_is_not_loaded_before_it_is_needed() -> None:
    code = (
        "import sys; from paged_attention_migrate import study, repository, rules, rewriting;"
        "print([each for each in sys.modules if 'markdown_it' in each or 'documents.' in each])"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment)
    assert run.stdout.strip() == "[]"
