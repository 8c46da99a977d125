"""Everything outside the removed lines stays byte for byte, whatever the lines look like."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from paged_attention_migrate.simplify import Dropped, Simplified, simplify

Becomes = Callable[..., Simplified]
Stays = Callable[..., None]


def test_blank_lines_around_a_removed_paragraph(becomes: Becomes) -> None:
    becomes(
        """\
        import torch


        def f(q):

            sums = torch.empty(4)

            print(q)

            buf = torch.empty(4)


            print(q)
            peaks = torch.empty(4)

            paged_attention(q)

            del sums


        def g(q):
            sums = torch.empty(4)

            paged_attention(q)
            if q:
                print(q)

                sums = torch.empty(4)
            return q
        """,
        """\
        import torch


        def f(q):

            print(q)


            print(q)

            paged_attention(q)


        def g(q):
            paged_attention(q)
            if q:
                print(q)
            return q
        """,
    )


def test_blank_lines_around_a_collapsed_chain(becomes: Becomes) -> None:
    becomes(
        """\
        def f(q, m):
            print(q)

            if m:

                paged_attention(q)

                print(q)

            else:

                paged_attention(q)

                print(q)

            return q
        """,
        """\
        def f(q, m):
            print(q)

            paged_attention(q)

            print(q)

            return q
        """,
    )


def test_blank_lines_with_spaces_are_blank(becomes: Becomes) -> None:
    becomes(
        "import torch\n\ndef f(q):\n    print(q)\n  \n    sums = torch.empty(4)\n    \n    paged_attention(q)\n",
        "import torch\n\ndef f(q):\n    print(q)\n  \n    paged_attention(q)\n",
    )


def test_semicolons(becomes: Becomes) -> None:
    becomes(
        """\
        import torch

        def f(q):
            sums = torch.empty(4); buf = torch.empty(4)
            sums = torch.empty(4); print(q)  # kept
            print(q); sums = torch.empty(4)  # kept
            print(q); sums = torch.empty(4);
            print(q) ; sums = torch.empty(4) ; buf = 0 ; print(q)
            sums = torch.empty(4); print(q); buf = torch.empty(4); print(q); peaks = None
            sums = torch.empty(4);  # gone
            print(q); \\
                sums = torch.empty(4)
            sums = torch.empty(4); \\
                print(q)
            if q: sums = torch.empty(4); print(q)
            else: print(q); sums = torch.empty(4)
            paged_attention(q); del sums
        """,
        """\
        import torch

        def f(q):
            print(q)  # kept
            print(q)  # kept
            print(q);
            print(q) ; print(q)
            print(q); print(q)
            print(q)
            print(q)
            if q: print(q)
            else: print(q)
            paged_attention(q)
        """,
    )


def test_statements_on_the_line_of_their_head(becomes: Becomes) -> None:
    becomes(
        """\
        import torch

        def f(q, m):
            if m: sums = torch.empty(4)
            if m: print(q)
            else: sums = torch.empty(4)
            if check(m): sums = torch.empty(4)  # gone
            for _ in q: sums = torch.empty(4); buf = torch.empty(4)
            with torch.no_grad(): sums = torch.empty(4)
            if m: paged_attention(q)
            else: paged_attention(q)
            if (m and
                    q): paged_attention(q, [
                1]); print(q)  # first
            else: paged_attention(q, [1]); print(q)  # second
            if m:
                assert 512 % bs == 0
                paged_attention(q, block_size=bs)
            else: paged_attention(q, block_size=bs)  # kept
            return q
        """,
        """\
        import torch

        def f(q, m):
            if m: print(q)
            if check(m): pass
            for _ in q: pass
            paged_attention(q)
            paged_attention(q, [
                1]); print(q)  # first
            paged_attention(q, block_size=bs)  # kept
            return q
        """,
    )


def test_tabs(becomes: Becomes) -> None:
    becomes(
        "import torch\ndef f(q, m):\n\tsums = torch.empty(4)\n\tif m:\n\t\tpaged_attention(\n"
        "\t\t\tq)\n\telse:\n\t\tpaged_attention(q)\n",
        "import torch\ndef f(q, m):\n\tpaged_attention(\n\t\tq)\n",
    )
    becomes(
        "def f(q, m):\n    if m:\n    \tpaged_attention(\n  q,\n\tq)\n    else:\n        paged_attention(q, q)\n",
        "def f(q, m):\n    paged_attention(\n  q,\n\tq)\n",
    )


def test_an_arm_that_is_indented_in_another_way_is_passed_over(becomes: Becomes, stays: Stays) -> None:
    head = "def f(q, m):\n    if m:\n\x0c        paged_attention(q)\n    else:\n"
    becomes(f"{head}        paged_attention(q)\n", "def f(q, m):\n    paged_attention(q)\n")
    stays(f"{head}\x0c        paged_attention(q)\n")


@pytest.mark.parametrize("newline", ["\r\n", "\r", "\n"])
def test_newlines(newline: str) -> None:
    before = (
        "import torch\ndef f(q, m):\n    sums = torch.empty(4)\n\n    if m:\n"
        "        paged_attention(\n            q)\n    else:\n        paged_attention(q)\n"
        "    return q"
    )
    after = "import torch\ndef f(q, m):\n    paged_attention(\n        q)\n    return q"
    result = simplify(before.replace("\n", newline), [Dropped(1, ("sums",))], frozenset({"paged_attention"}))
    assert result.text == after.replace("\n", newline)


def test_mixed_newlines() -> None:
    before = (
        "import torch\r\ndef f(q):\n    a = 1\r\n    sums = torch.empty(\r\n"
        "4)\r    paged_attention(q)\r\n\n    return q\r"
    )
    after = "import torch\r\ndef f(q):\n    a = 1\r\n    paged_attention(q)\r\n\n    return q\r"
    assert simplify(before, [Dropped(1, ("sums",))], frozenset({"paged_attention"})).text == after


def test_the_end_of_a_file(becomes: Becomes) -> None:
    head = "import torch\ndef f(q):\n    sums = torch.empty(4)\n"
    kept = "import torch\ndef f(q):\n    paged_attention(q)"
    becomes(head + "    paged_attention(q)", kept)
    becomes(head + "    paged_attention(q)\n", kept + "\n")
    becomes(head + "    paged_attention(q)\n\n    del sums", kept)
    becomes(head + "    paged_attention(q)\n\n    del sums\n", kept + "\n")
    becomes(head + "    paged_attention(q)\n    del sums  # gone", kept)
    becomes(head + "    paged_attention(q); del sums", kept)
    becomes(head + "    if q:\n        paged_attention(q)\n    else:\n        paged_attention(q)", kept)


def test_form_feeds(becomes: Becomes) -> None:
    becomes(
        "import torch\n\x0c\ndef f(q):\n    sums = torch.empty(4)\n\x0c\n    paged_attention(q)\n\x0c\n",
        "import torch\n\x0c\ndef f(q):\n\x0c\n    paged_attention(q)\n\x0c\n",
    )


def test_characters_beyond_ascii(becomes: Becomes) -> None:
    becomes(
        "import torch\ndef f(q, m):\n    print('äöü€😀'); sums = torch.empty(4)  # größe\n"
        "    ß = paged_attention('😀') if m else paged_attention('😀'); buf = '😀'\n",
        "import torch\ndef f(q, m):\n    print('äöü€😀')  # größe\n    ß = paged_attention('😀')\n",
    )


def test_strings_with_newlines_do_not_move(becomes: Becomes, stays: Stays) -> None:
    stays(
        'def f(q, m):\n    if m:\n        paged_attention(q, """a\n        b""")\n    else:\n'
        '        paged_attention(q, """a\n        b""")\n'
    )
    stays(
        "def f(q, m):\n    if m:\n        paged_attention(q, 'a\\\n        b')\n    else:\n"
        "        paged_attention(q, 'a\\\n        b')\n"
    )
    stays(
        'def f(q, m):\n    if m:\n        paged_attention(q, f"""a{q}\n        b""")\n    else:\n'
        '        paged_attention(q, f"""a{q}\n        b""")\n'
    )
    becomes(
        'def f(q, m):\n    if m:\n        paged_attention(q, """a\n        b""")\n    else:\n'
        '        paged_attention(q, "a\\n        b")\n',
        'def f(q, m):\n    paged_attention(q, "a\\n        b")\n',
    )
    becomes(
        'def f(q, m):\n    if m: paged_attention(q, """a\n        b""")\n'
        '    else: paged_attention(q, """a\n        b""")\n',
        'def f(q, m):\n    paged_attention(q, """a\n        b""")\n',
    )
    becomes(
        'import torch\ndef f(q):\n    sums = torch.empty(4)\n    print("""\n\n'
        '    sums = torch.empty(4)\n\n""")\n    buf = """\n\n"""\n    paged_attention(q)\n',
        'import torch\ndef f(q):\n    print("""\n\n    sums = torch.empty(4)\n\n""")\n    paged_attention(q)\n',
    )


def test_backslashes(becomes: Becomes, stays: Stays) -> None:
    becomes(
        "import torch\ndef f(q):\n    sums = \\\n        torch.empty(4)\n    # a path \\\n"
        "    buf = torch.empty(4)\n\n    paged_attention \\\n        (q)\n",
        "import torch\ndef f(q):\n    paged_attention \\\n        (q)\n",
    )
    stays(
        "import torch\ndef f(q):\n    print(q)\n\\\n    sums = torch.empty(4)\n    paged_attention(q)\n",
        may_refuse=True,
    )


def test_decorators_classes_and_async(becomes: Becomes) -> None:
    becomes(
        """\
        import torch

        class A:
            @decorated(
                torch.empty(4),
            )
            async def f(self, q, m):
                \"\"\"Doc.\"\"\"

                sums = torch.empty(4)
                async with q as x:
                    buf = torch.empty(4)
                    async for y in x:
                        peaks = torch.empty(4)
                        if m:
                            await paged_attention(y)
                        else:
                            await paged_attention(y)
        """,
        """\
        import torch

        class A:
            @decorated(
                torch.empty(4),
            )
            async def f(self, q, m):
                \"\"\"Doc.\"\"\"

                async with q as x:
                    async for y in x:
                        await paged_attention(y)
        """,
    )


def test_text_that_does_not_parse_is_given_back() -> None:
    for text in (
        "def f(:\n",
        "x = (\n",
        "\tif x:\n  y\n",
        "print 'python 2'\n",
        "x = '\n",
        "x = 1\0\n",
        "if x:\n\ty\n        z\n",
    ):
        assert simplify(text, [Dropped(0, ("sums",))], frozenset({"paged_attention"})) == Simplified(text, (), ())


def test_very_deep_code_is_given_back_or_simplified() -> None:
    text = "import torch\ndef f(q):\n    sums = torch.empty(4)\n    paged_attention(" + "+".join(["q"] * 3000) + ")\n"
    result = simplify(text, [Dropped(1, ("sums",))], frozenset({"paged_attention"}))
    assert result.text in (text, text.replace("    sums = torch.empty(4)\n", ""))


def test_empty_input() -> None:
    assert simplify("", [], frozenset()) == Simplified("", (), ())
    assert simplify("", [Dropped(0, ("sums",))], frozenset({"paged_attention"})).text == ""
