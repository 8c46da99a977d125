"""What check and rewrite both take, and what they make of it."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple, TypeVar

import click

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from paged_attention_migrate.project import Options, Result
    from paged_attention_migrate.report.summary import Counts
    from paged_attention_migrate.report.terminal import Terminal
    from paged_attention_migrate.settings import Settings

_Function = TypeVar("_Function", bound=Callable[..., None])


class Given(NamedTuple):
    """What check and rewrite both take."""

    paths: tuple[str, ...]
    output_format: str
    exclude: tuple[str, ...]
    from_version: str | None
    home: tuple[str, ...]
    force_callers: bool
    info: bool
    jobs: int
    quiet: bool
    color: str


def releases(_ctx: click.Context, _parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """What completes a release of vLLM."""
    from click.shell_completion import CompletionItem

    from paged_attention_shim.removed import RELEASES

    return [CompletionItem(each) for each in RELEASES if each.startswith(incomplete)]


_FORMATS = click.Choice(["text", "json", "sarif", "github"])
_COLORS = click.Choice(["auto", "always", "never"])
COLOR = click.option("--color", type=_COLORS, default="auto", help="Colours; auto, the default: on a terminal.")
_OPTIONS = (
    click.argument("paths", nargs=-1, type=click.Path(), metavar="[PATHS]..."),
    click.option(
        "--output-format", type=_FORMATS, default="text", help="How findings are printed; text is the default."
    ),
    click.option("--exclude", multiple=True, metavar="GLOB", help="Leave out files that match; repeatable."),
    click.option(
        "--from-version",
        metavar="X",
        shell_complete=releases,
        help="The vLLM release that the code was written for.",
    ),
    click.option("--home", multiple=True, metavar="MODULE", help="A module that hands the functions on; repeatable."),
    click.option("--force-callers", is_flag=True, help="Where the tree defines the functions: treat them as gone."),
    click.option("--info", is_flag=True, help="Show mentions that break nothing, too."),
    click.option(
        "--jobs",
        type=click.IntRange(min=0),
        default=0,
        metavar="N",
        help="Processes; 0, the default, decides by itself.",
    ),
    click.option("-q", "--quiet", is_flag=True, help="Print findings and failures, nothing else."),
    COLOR,
)


def taken_by_both(function: _Function) -> _Function:
    """Give a command the options that `Given` is made of."""
    for option in reversed(_OPTIONS):
        function = option(function)
    return function


def asked_for(given: Given) -> Options:
    """What the run is asked for; raises Failure where the settings cannot be read."""
    from paged_attention_migrate import project

    return project.Options(
        paths=given.paths or (".",),
        settings=_settings(given),
        force_callers=given.force_callers,
        jobs=given.jobs,
        mentions=given.info,
        propose=given.output_format == "sarif",
    )


def print_for_machines(terminal: Terminal, given: Given, result: Result) -> bool:
    """Print the run in a format that another program reads; False where it is to be text."""
    if given.output_format == "text":
        return False
    from paged_attention_migrate.report import output

    printers = {"json": output.print_json, "sarif": output.print_sarif, "github": output.print_github}
    printers[given.output_format](terminal, result, counts_of(result, given))
    return True


def _settings(given: Given) -> Settings:
    """The settings of the project, with what the command line says on top."""
    from paged_attention_migrate import settings

    try:
        loaded = settings.load()
    except settings.SettingsError as error:
        from paged_attention_migrate.report.failure import Failure

        raise Failure(str(error)) from None
    return loaded._replace(
        exclude=(*loaded.exclude, *given.exclude),
        homes=(*loaded.homes, *given.home),
        from_version=_release(given.from_version) or loaded.from_version,
    )


def _release(version: str | None) -> str | None:
    if version is None:
        return None
    from paged_attention_migrate.settings import release

    try:
        return release(version)
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="--from-version") from None


def run(work: Callable[..., Result], options: Options, quiet: bool) -> Result:
    """Work, with a bar where somebody watches."""
    if quiet or sys.stderr is None or not sys.stderr.isatty():
        return work(options)
    from paged_attention_migrate.report.progress import Progress

    with Progress(sys.stderr) as progress:
        return work(options, progress)


def counts_of(result: Result, given: Given) -> Counts:
    """The findings that are to be shown, counted."""
    from paged_attention_migrate.report.summary import Counts

    return Counts(each for each in result.findings if given.info or each.fixed or each.severity != "info")
