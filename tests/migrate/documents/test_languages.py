"""What the words beside an example say of it."""

from __future__ import annotations

import pytest

from paged_attention_migrate.documents.languages import Language, of_directive, of_fence


@pytest.mark.parametrize(
    "info",
    [
        "python", "Python", "py", "python3", "ipython3", "python {1,3}", "python{1,3}", 'python hl_lines="2"',
        "py linenums=1", "{.python .numberLines}", "{python}", "{python, echo=FALSE}", "python,ignore", "{ .py }",
    ],
)  # fmt: skip
def test_python(info: str) -> None:
    assert of_fence(info) == Language(True)


@pytest.mark.parametrize(
    "info", ["{code-cell}", "{code-cell} ipython3", "{code-block} python", "{code} py", "{testcode}", "{ipython}"]
)
def test_directives_in_a_fence_have_options(info: str) -> None:
    assert of_fence(info) == Language(True, has_options=True)


@pytest.mark.parametrize("info", ["pycon", "python-repl", "{code-block} pycon", "{doctest}"])
def test_prompts(info: str) -> None:
    assert of_fence(info)[:2] == (False, True)


@pytest.mark.parametrize(
    "info",
    ["", "text", "bash", "c++", "{code-block} cpp", "{note}", "{code-cell} julia", "{r}",
     "pythonic", "diff", "python-traceback", "{}"],
)  # fmt: skip
def test_something_else(info: str) -> None:
    assert of_fence(info)[:2] == (False, False)


@pytest.mark.parametrize(
    "info", ['python title="serve.py"', "py filename='a/b.py'", "python:src/serve.py", "{.python file=serve.py}"]
)
def test_a_file_of_its_own(info: str) -> None:
    assert of_fence(info) == Language(True, own_file=True)


@pytest.mark.parametrize("info", ['python title="Serving"', 'python name="step"'])
def test_a_title_that_is_no_file(info: str) -> None:
    assert of_fence(info) == Language(True)


def test_directives() -> None:
    assert of_directive("code-block", "python") == Language(True, has_options=True)
    assert of_directive("Code-Block", "Python3") == Language(True, has_options=True)
    assert of_directive("code-block", "") == Language(False, has_options=True)
    assert of_directive("note", "python") == Language(False, has_options=True)
