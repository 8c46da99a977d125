"""What became of one repository, and the same as JSON, for the journal and between processes."""

from __future__ import annotations

import base64
from typing import Any, NamedTuple

from paged_attention_migrate.baseline import Tolerated
from paged_attention_migrate.findings import Finding, Replacement
from paged_attention_migrate.fingerprints import Key
from paged_attention_migrate.project import FileChange, Result


class Outcome(NamedTuple):
    """What became of one repository.

    `failure` is one sentence, and empty where all went well; `known` says that it was done in an earlier run.
    `state` is the commit, with a digest of what is not committed; `clone` the folder that holds a new branch,
    `remote` where the work tree was cloned from.
    """

    result: Result
    commit: str | None = None
    state: str = ""
    prefix: str = ""
    failure: str = ""
    known: bool = False
    clone: str = ""
    branch: str = ""
    branch_commit: str = ""
    remote: str = ""

    @property
    def failed(self) -> bool:
        """Whether anything went wrong, a file that could not be read included."""
        return bool(self.failure) or self.result.failed


def failure(sentence: str) -> Outcome:
    """The outcome for a repository of which nothing is known."""
    return Outcome(Result(()), failure=sentence)


def to_json(outcome: Outcome) -> dict[str, Any]:
    """The outcome as what JSON has; bytes are in base 64."""
    result = outcome.result
    told = result._replace(
        changes=tuple(
            each._replace(before=_text(each.before), after=_text(each.after))  # type: ignore[arg-type]
            for each in result.changes
        )
    )
    return {**outcome._asdict(), "result": told._asdict()}


def from_json(told: dict[str, Any]) -> Outcome:
    """The outcome that `to_json` took apart; raises ValueError, TypeError or KeyError for anything else."""
    result = dict(told["result"])
    tolerated = result["tolerated"]
    result.update(
        findings=_findings(result["findings"]),
        changes=tuple(_change(each) for each in result["changes"]),
        notices=tuple(map(str, result["notices"])),
        occurrences=(),
        choices=(),  # nobody is asked
        together=(),
        tolerated=None if tolerated is None else _tolerated(*tolerated),
    )
    return Outcome(**{**told, "result": Result(**result)})


def _text(data: bytes) -> str:
    return base64.b64encode(data).decode("ascii")


def _findings(told: list[Any]) -> tuple[Finding, ...]:
    return tuple(_finding(Finding(*each)) for each in told)


def _finding(told: Finding) -> Finding:
    edits = tuple(Replacement(*each) for each in told.replacements)
    return told._replace(reasons=tuple(told.reasons), replacements=edits)


def _change(told: list[Any]) -> FileChange:
    each = FileChange(*told)
    return each._replace(
        before=base64.b64decode(each.before, validate=True),
        after=base64.b64decode(each.after, validate=True),
        notes=tuple(each.notes),
        findings=_findings(list(each.findings)),
    )


def _tolerated(new: list[Any], known: list[Any], gone: list[Any]) -> Tolerated:
    return Tolerated(_findings(new), _findings(known), tuple((Key(*key), count) for key, count in gone))
