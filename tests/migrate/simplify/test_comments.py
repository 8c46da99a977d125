"""Comments stay where they still say something, and each one that goes is named."""

from __future__ import annotations

from collections.abc import Callable

from paged_attention_migrate.simplify import Simplified

Becomes = Callable[..., Simplified]
Stays = Callable[..., None]


def test_trailing_comments_go_with_their_line(becomes: Becomes) -> None:
    result = becomes(
        """\
        import torch

        def f(q):
            sums = torch.empty(4)  # scratch
            buf = torch.empty(  # more
                4,  # of it
            )  # type: ignore
            paged_attention(q)  # the call
        """,
        """\
        import torch

        def f(q):
            paged_attention(q)  # the call
        """,
    )
    assert result.removed_comments == ("# scratch", "# more", "# of it", "# type: ignore")
    assert result.notes[1:] == tuple(
        f"removed with its statement: comment `{comment}`" for comment in result.removed_comments
    )


def test_a_comment_goes_with_the_whole_run_below_it(becomes: Becomes) -> None:
    result = becomes(
        """\
        import torch

        def f(q):
            out = torch.empty_like(q)

            # Scratch for the second version,
            # as large as the partitions need.
            parts = q.shape[0]
            sums = torch.empty(parts)
            # The third buffer.
            buf = torch.empty(parts)

            # The call.
            paged_attention(out, q)
            return out
        """,
        """\
        import torch

        def f(q):
            out = torch.empty_like(q)

            # The call.
            paged_attention(out, q)
            return out
        """,
    )
    assert len(result.removed_comments) == 3


def test_a_comment_stays_with_what_is_left_of_its_run(becomes: Becomes) -> None:
    result = becomes(
        """\
        import torch

        def f(q):
            # Buffers.
            sums = torch.empty(4)
            out = torch.empty_like(q)
            # Buffers again.
            out.zero_()
            buf = torch.empty(4)
            # A buffer, then a function.
            buf = torch.empty(4)
            @timed
            def run():
                paged_attention(out, q)
            return out
        """,
        """\
        import torch

        def f(q):
            # Buffers.
            out = torch.empty_like(q)
            # Buffers again.
            out.zero_()
            # A buffer, then a function.
            @timed
            def run():
                paged_attention(out, q)
            return out
        """,
    )
    assert result.removed_comments == ()


def test_a_comment_apart_from_the_statement_stays(becomes: Becomes) -> None:
    becomes(
        """\
        import torch

        def f(q):
            # About the function.

            sums = torch.empty(4)

            # About nothing any more.

            paged_attention(q)
        """,
        """\
        import torch

        def f(q):
            # About the function.

            # About nothing any more.

            paged_attention(q)
        """,
    )


def test_a_comment_of_another_depth_stays(becomes: Becomes) -> None:
    becomes(
        """\
        import torch

        def f(q):
            if q:
                print(q)
                # End of the block.
            sums = torch.empty(4)
        # Left of the function.
            buf = torch.empty(4)
            paged_attention(q)
        """,
        """\
        import torch

        def f(q):
            if q:
                print(q)
                # End of the block.
        # Left of the function.
            paged_attention(q)
        """,
    )


def test_comments_for_tools_stay(becomes: Becomes) -> None:
    becomes(
        """\
        import torch

        def f(q):
            # fmt: off
            sums = torch.empty( 4 )
            # fmt: on
            # pylint: disable=invalid-name
            # Scratch.
            buf = torch.empty(4)

            paged_attention(q)
        """,
        """\
        import torch

        def f(q):
            # fmt: off
            # fmt: on
            # pylint: disable=invalid-name

            paged_attention(q)
        """,
    )


def test_the_comments_of_a_removed_block_go(becomes: Becomes) -> None:
    result = becomes(
        """\
        import torch

        def f(q, version):
            # Only the second version needs it.
            if version == 2:  # scratch
                # inside

                sums = torch.empty(4)

                # at the end
            # behind
            paged_attention(q)
        """,
        """\
        import torch

        def f(q, version):
            # behind
            paged_attention(q)
        """,
    )
    assert result.removed_comments == (
        "# Only the second version needs it.",
        "# scratch",
        "# inside",
        "# at the end",
    )


def test_comments_in_the_kept_arm_stay_and_move(becomes: Becomes) -> None:
    result = becomes(
        """\
        def f(q, m):
            # What to run.
            if m:  # short
                # The first.
                paged_attention(  # call
                    q,
                    # inner
                )  # done

                # last word
            # between
            else:
                # The second.
                paged_attention(q)  # call
                # its last word
            return m
        """,
        """\
        def f(q, m):
            # What to run.
            # The first.
            paged_attention(  # call
                q,
                # inner
            )  # done

            # last word
            return m
        """,
    )
    assert result.removed_comments == ("# short", "# between", "# The second.", "# call", "# its last word")


def test_a_comment_about_the_choice_goes_with_the_choice(becomes: Becomes) -> None:
    becomes(
        """\
        def f(q, longest):
            block = q.shape[0]
            # Prefer V1 for short inputs: the reduction of V2
            # costs more than it gains.
            use_v1 = longest < 8192
            if use_v1:
                paged_attention(q, block)
            else:
                paged_attention(q, block)
            return q

        def g(q, longest):
            # use_v1 decides.
            if longest < 8192:
                paged_attention(q)
            else:
                paged_attention(q)
            return q

        def h(q, longest):
            # Attend.
            use_v1 = longest < 8192
            if use_v1:
                paged_attention(q)
            else:
                paged_attention(q)
            return q
        """,
        """\
        def f(q, longest):
            block = q.shape[0]
            paged_attention(q, block)
            return q

        def g(q, longest):
            paged_attention(q)
            return q

        def h(q, longest):
            # Attend.
            paged_attention(q)
            return q
        """,
    )


def test_a_comment_about_versions_above_what_stays_stays(becomes: Becomes) -> None:
    becomes(
        """\
        import torch

        def f(q):
            # V1 and V2 want this.
            sums = torch.empty(4)
            out = torch.empty_like(q)
            paged_attention(out, q)
            return out
        """,
        """\
        import torch

        def f(q):
            # V1 and V2 want this.
            out = torch.empty_like(q)
            paged_attention(out, q)
            return out
        """,
    )


def test_comments_of_a_block_that_needs_a_pass(becomes: Becomes) -> None:
    becomes(
        """\
        import torch

        def f(q):
            if ready(q):  # probe
                # Scratch.
                sums = torch.empty(4)  # one

                buf = torch.empty(4)  # two
            paged_attention(q)
        """,
        """\
        import torch

        def f(q):
            if ready(q):  # probe
                pass
            paged_attention(q)
        """,
    )
