"""One report for all repositories, in the order of the list."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from paged_attention_migrate import __version__
from paged_attention_migrate.fleet.addresses import as_uri
from paged_attention_migrate.fleet.outcomes import Outcome
from paged_attention_migrate.fleet.repositories import Repository
from paged_attention_migrate.fleet.request import REWRITE
from paged_attention_migrate.project import Result
from paged_attention_migrate.report.colour import Paint
from paged_attention_migrate.report.summary import Counts, counted
from paged_attention_migrate.report.text import findings_text, printable, rewritten_text

SCHEMA = 1
_SHORT = 12


class Told(NamedTuple):
    """One repository as it is reported; `patch` is the file with what a rewrite would change."""

    repository: Repository
    outcome: Outcome
    counts: Counts
    patch: str = ""

    @property
    def found(self) -> bool:
        """Whether something is left to do, or was proposed."""
        return self.counts.failing or bool(self.patch)


def exit_code(told: Sequence[Told]) -> int:
    """2 where anything went wrong, 1 where something is left, else 0."""
    return 2 if any(each.outcome.failed for each in told) else int(any(each.found for each in told))


def as_text(told: Sequence[Told], paint: Paint, encoding: str = "utf-8") -> str:
    """Those of which there is something to say; a blank line between them."""
    return "\n".join(text for each in told if (text := "".join(_text(each, paint, encoding))))


def summary(told: Sequence[Told]) -> str:
    """The last line of a run."""
    counts = _summary(told)
    patches = [each for each in told if each.patch and not each.outcome.failed]
    left = [each for each in told if each.counts.failing and not each.outcome.failed]
    words = [f"{counts['repositories']} repositories: {counts['clean']} clean"]
    if patches:
        places = sum(len(each.counts.fixed) for each in patches)
        words.append(f"{len(patches)} with a patch that would rewrite {counted(places, 'place')}")
    if left or not patches:
        words.append(f"{len(left)} with {counted(counts['findings'], 'finding')}")
    if counts["fixed"] and not patches:
        earlier = sum(len(each.counts.fixed) for each in told if each.outcome.known)
        when = f", {'all' if earlier == counts['fixed'] else earlier} in an earlier run" if earlier else ""
        words.append(f"{counted(counts['fixed'], 'place')} rewritten{when}")
    words.append(f"{counts['failed']} failed")
    return ", ".join(words).replace("1 repositories", "1 repository", 1 if counts["repositories"] == 1 else 0) + ".\n"


def as_json(told: Sequence[Told], mode: str, notices: Sequence[str]) -> str:
    """One object; `result` is what `check --output-format json` prints in the repository. ASCII only."""
    from paged_attention_migrate.report.as_json import as_json as one

    parts = []
    for each in told:
        outcome = each.outcome
        head = {
            "repository": each.repository.address.told,
            "ref": each.repository.ref,
            "line": each.repository.line,
            "commit": outcome.commit,
            "status": "failed" if outcome.failed else "findings" if each.found else "clean",
            "failure": outcome.failure or None,
            "branch": outcome.branch or None,
            "branch_commit": outcome.branch_commit or None,
            "clone": outcome.clone or None,
            "patch": each.patch or None,
        }
        result = "null" if outcome.failure else one(outcome.result, each.counts).rstrip()
        parts.append(f'{json.dumps(head)[:-1]}, "result": {result}}}')
    fields = [
        f'"schema": {SCHEMA}',
        '"tool": "paged-attention-migrate fleet"',
        f'"version": {json.dumps(__version__)}',
        f'"mode": {json.dumps(mode)}',
        '"repositories": [' + ",\n".join(parts) + "]",
        f'"summary": {json.dumps(_summary(told))}',
        f'"notices": {json.dumps(list(notices))}',
    ]
    return "{" + ",\n ".join(fields) + "}\n"


def as_sarif(told: Sequence[Told]) -> str:
    """One log with a run for each repository. ASCII only."""
    from paged_attention_migrate.report.sarif import log, run_of

    runs = []
    for each in told:
        outcome = each.outcome
        run = run_of(_with_failure(outcome), each.counts, outcome.prefix)
        run["automationDetails"] = {"id": f"{each.repository.name}/"}
        if outcome.commit is not None:
            uri = as_uri(outcome.remote or each.repository.address.told)
            source = {"repositoryUri": uri, "revisionId": outcome.commit, "mappedTo": {"uriBaseId": "SRCROOT"}}
            run["versionControlProvenance"] = [source]
        runs.append(run)
    return log(runs)


def as_html(told: Sequence[Told], mode: str) -> str:
    """One page with a section for each repository. ASCII only."""
    from paged_attention_migrate.report.html import Section
    from paged_attention_migrate.report.html import as_html as page

    written = mode == REWRITE
    return page([Section(each.repository.name, _with_failure(each.outcome), each.counts, written) for each in told])


def write(path: str, text: str | bytes) -> None:
    """Write a file in one step; raises OSError, and then leaves nothing."""
    beside = f"{path}.new"
    try:
        with open(beside, "wb") as file:
            file.write(text if isinstance(text, bytes) else text.encode("utf-8", "backslashreplace"))
            file.flush()
            os.fsync(file.fileno())
        os.replace(beside, path)
    except OSError:
        if os.path.isfile(beside):
            os.unlink(beside)
        raise


def _text(told: Told, paint: Paint, encoding: str) -> Iterator[str]:
    outcome, counts = told.outcome, told.counts
    sentences = [*([outcome.failure] if outcome.failure else []), *outcome.result.notices]
    done = "" if told.patch else rewritten_text(counts.fixed, outcome.result.changes, paint)
    if not (sentences or done or told.patch or counts.findings):
        return
    commit = f" {outcome.commit[:_SHORT]}" if outcome.commit else ""
    yield paint(f"{printable(told.repository.name)}{commit}", "heading") + "\n"
    for sentence in sentences:
        yield f"{'failed: ' if outcome.failed else ''}{printable(sentence)}\n"
    if told.patch:
        yield f"patch: {printable(told.patch)}\n"
    if outcome.branch:
        yield f"branch {outcome.branch} in {printable(outcome.clone)}\n"
    if done and outcome.known:
        yield "done in an earlier run, since which nothing has changed:\n"
    yield done
    yield findings_text(counts.left, paint, encoding)


def _with_failure(outcome: Outcome) -> Result:
    if not outcome.failure:
        return outcome.result
    return outcome.result._replace(failed=True, notices=(outcome.failure, *outcome.result.notices))


def _summary(told: Sequence[Told]) -> dict[str, int]:
    failed = sum(each.outcome.failed for each in told)
    found = sum(each.found and not each.outcome.failed for each in told)
    return {
        "repositories": len(told),
        "clean": len(told) - failed - found,
        "with_findings": found,
        "failed": failed,
        "findings": sum(len(each.counts.left) for each in told),
        "fixed": sum(len(each.counts.fixed) for each in told),
    }
