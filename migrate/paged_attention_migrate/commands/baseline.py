"""Write or shorten the baseline."""

from __future__ import annotations

import os
from collections import Counter
from typing import Any

import click

from paged_attention_migrate.commands.options import Given, asked_for, checked, looked_at, looks_at_files, merges_traces


@click.command(short_help="Write down what is found now, so that only more fails.")
@looks_at_files
@merges_traces
@click.option("--update", is_flag=True, help="Take out of the file what is no longer found; nothing new comes in.")
@click.option("--renew", is_flag=True, help="Write an existing file anew, with whatever is found now.")
def baseline(update: bool, renew: bool, merge_trace: tuple[str, ...], **shared: Any) -> None:
    """Write down every finding, so that `check --baseline FILE` fails for new ones only.

    PATHS are files and directories, the current directory if there are none.
    The file is that of --baseline or of the settings, else .paged-attention-baseline.json.
    """
    from paged_attention_migrate import baseline as files
    from paged_attention_migrate.report.failure import Failure
    from paged_attention_migrate.report.output import tell_notices
    from paged_attention_migrate.report.summary import told_of_baseline
    from paged_attention_migrate.report.terminal import Terminal

    if update and renew:
        raise click.UsageError("--update lets nothing new in, --renew does: give one of them")
    given = Given(**shared)
    options = asked_for(given)
    configured = options.settings.baseline
    path = configured or files.FILE
    there = os.path.exists(path)
    if there and not (update or renew):
        raise Failure(f"{path} is there already: --update takes out what is gone, --renew writes it anew")
    result = checked(options, given.quiet, merge_trace)
    if result.failed:
        raise Failure(f"{result.notices[0]}, so no baseline was written")
    try:
        before = files.read(path) if there else Counter()
        if update:
            gone = files.tolerate(result.findings, before, path, looked_at(options)).gone
            entries = before - Counter(dict(gone))
        else:
            entries = files.elsewhere(before, path, looked_at(options)) + files.entries_of(result.findings, path)
        files.write(path, entries)
    except files.BaselineError as error:
        raise Failure(str(error)) from None
    terminal = Terminal(given.color, given.quiet)
    tell_notices(terminal, result)
    terminal.tell(told_of_baseline(path, before, entries, configured is None))
