"""Scopes are numbered in the order in which a recursive pre-order visit meets them."""

from __future__ import annotations

import ast

from paged_attention_migrate.simplify import numbered_scopes

TEXT = """\
@decorated(lambda first: first)
def outer(argument=lambda second: second):
    def inner():
        return [lambda third: third for _ in argument]

    class Body:
        async def method(self):
            pass

    return inner

last = lambda: (lambda: 0)
"""


def recursive(node: ast.AST) -> list[ast.AST]:
    own = [node] if isinstance(node, (ast.Module, ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)) else []
    return own + [inner for child in ast.iter_child_nodes(node) for inner in recursive(child)]


def test_the_order_is_that_of_a_recursive_visit() -> None:
    tree = ast.parse(TEXT)
    numbered = numbered_scopes(tree)
    assert numbered == recursive(tree)
    assert [getattr(node, "name", type(node).__name__) for node in numbered] == [
        "Module",
        "outer",
        "Lambda",
        "inner",
        "Lambda",
        "method",
        "Lambda",
        "Lambda",
        "Lambda",
    ]


def test_deep_code_is_numbered() -> None:
    tree = ast.parse("x = lambda: 0")
    for _ in range(5000):
        tree.body = [ast.If(ast.Constant(1), tree.body, [])]
    assert len(numbered_scopes(tree)) == 2
