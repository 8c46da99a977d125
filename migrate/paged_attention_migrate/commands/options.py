"""What check and rewrite both take, and what they make of it."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple, TypeVar

import click

from paged_attention_migrate.settings import TARGETS

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from paged_attention_migrate.findings import OwnersOf
    from paged_attention_migrate.fingerprints import Key
    from paged_attention_migrate.project import Options, Result
    from paged_attention_migrate.report.summary import Counts
    from paged_attention_migrate.report.terminal import Terminal
    from paged_attention_migrate.settings import Settings

Function = TypeVar("Function", bound=Callable[..., None])


class Given(NamedTuple):
    """What check, rewrite and baseline are asked for."""

    paths: tuple[str, ...]
    exclude: tuple[str, ...]
    from_version: str | None
    home: tuple[str, ...]
    force_callers: bool
    baseline: str | None
    jobs: int
    quiet: bool
    color: str
    output_format: str = "text"
    info: bool = False
    target: str | None = None


def releases(_ctx: click.Context, _parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """What completes a release of vLLM."""
    from click.shell_completion import CompletionItem

    from paged_attention_shim.removed import RELEASES

    return [CompletionItem(each) for each in RELEASES if each.startswith(incomplete)]


_FORMATS = click.Choice(["text", "json", "sarif", "github", "html"])
_TARGETS = click.Choice(TARGETS)
_COLORS = click.Choice(["auto", "always", "never"])
COLOR = click.option("--color", type=_COLORS, default="auto", help="Colours; auto, the default: on a terminal.")
_PATHS = click.argument("paths", nargs=-1, type=click.Path(), metavar="[PATHS]...")
_HOW_READ = (
    click.option("--exclude", multiple=True, metavar="GLOB", help="Leave out files that match; repeatable."),
    click.option(
        "--from-version",
        metavar="X",
        shell_complete=releases,
        help="The vLLM release that the code was written for.",
    ),
    click.option(
        "--target",
        type=_TARGETS,
        help="What rewritten code calls: paged_attention of the shim, the default, or vLLM's paged_attention_rocm.",
    ),
    click.option("--home", multiple=True, metavar="MODULE", help="A module that hands the functions on; repeatable."),
    click.option("--force-callers", is_flag=True, help="Where the tree defines the functions: treat them as gone."),
)
QUIET = click.option("-q", "--quiet", is_flag=True, help="Print findings and failures, nothing else.")
INFO = click.option("--info", is_flag=True, help="Show mentions that break nothing, too.")
_WHAT = (
    _PATHS,
    *_HOW_READ,
    click.option("--baseline", type=click.Path(), metavar="FILE", help="The file with findings that are tolerated."),
    click.option(
        "--jobs",
        type=click.IntRange(min=0),
        default=0,
        metavar="N",
        help="Processes; 0, the default, decides by itself.",
    ),
    QUIET,
    COLOR,
)
_HOW_TOLD = (
    click.option(
        "--output-format", type=_FORMATS, default="text", help="How findings are printed; text is the default."
    ),
    INFO,
)


def says_how_code_is_read(function: Function) -> Function:
    """Give a command the options that say how any code is read, be it where it may: those of `Given` after paths."""
    for option in reversed(_HOW_READ):
        function = option(function)
    return function


def looks_at_files(function: Function) -> Function:
    """Give a command the options that say what it looks at."""
    for option in reversed(_WHAT):
        function = option(function)
    return function


def tells_findings(function: Function) -> Function:
    """Give a command the options that say what it looks at, and how it tells what it found."""
    for option in reversed((_WHAT[0], *_HOW_TOLD, *_WHAT[1:])):
        function = option(function)
    return function


def asked_for(given: Given, top: str | None = None) -> Options:
    """What the run is asked for; raises Failure where the settings, looked for up to `top`, cannot be read."""
    from paged_attention_migrate import project

    return project.Options(
        paths=given.paths or (".",),
        settings=_settings(given, top),
        force_callers=given.force_callers,
        jobs=given.jobs,
        mentions=given.info,
        propose=given.output_format == "sarif",
    )


def print_in_format(
    terminal: Terminal, given: Given, result: Result, written: bool = False, owners_of: OwnersOf | None = None
) -> bool:
    """Print the run in the format that was asked for; False where it is to be text."""
    if given.output_format == "text":
        return False
    from paged_attention_migrate.report import output

    if given.output_format == "html":
        output.print_html(terminal, result, counts_of(result, given), given.paths, written)
        return True
    if given.output_format == "github":
        output.print_github(terminal, result, counts_of(result, given))
        return True
    printers = {"json": output.print_json, "sarif": output.print_sarif}
    printers[given.output_format](terminal, result, counts_of(result, given), owners_of)
    return True


def _settings(given: Given, top: str | None) -> Settings:
    """The settings of the project, with what the command line says on top."""
    from paged_attention_migrate import settings

    try:
        loaded = settings.load(top=top)
    except settings.SettingsError as error:
        from paged_attention_migrate.report.failure import Failure

        raise Failure(str(error)) from None
    baseline = loaded.baseline if given.baseline is None else given.baseline
    return loaded._replace(
        # The baseline names what was removed, and is no place that does.
        exclude=(*loaded.exclude, *given.exclude, *([] if baseline is None else [baseline])),
        homes=(*loaded.homes, *map(_module, given.home)),
        from_version=_release(given.from_version) or loaded.from_version,
        target=given.target or loaded.target,
        baseline=baseline,
    )


def _module(name: str) -> str:
    from paged_attention_migrate.settings import is_module

    if not is_module(name):
        told = f"{name!r} is no module; a dotted name is accepted, as mylib.ops"
        raise click.BadParameter(told, param_hint="--home")
    return name


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


def read_baseline(options: Options) -> Counter[Key] | None:
    """What is tolerated, None where there is no baseline; raises Failure where it cannot be read."""
    if options.settings.baseline is None:
        return None
    from paged_attention_migrate import baseline
    from paged_attention_migrate.report.failure import Failure

    try:
        return baseline.read(options.settings.baseline)
    except baseline.BaselineError as error:
        raise Failure(str(error)) from None


def merges_traces(function: Function) -> Function:
    """Add the option for the reports of runs."""
    return click.option(
        "--merge-trace",
        multiple=True,
        type=click.Path(),
        metavar="REPORT",
        help="A report that the shim wrote of a run; what it called is said of the findings; repeatable.",
    )(function)


def checked(options: Options, quiet: bool, reports: tuple[str, ...]) -> Result:
    """What a check finds, joined with the reports of runs; raises Failure where one cannot be read."""
    from paged_attention_migrate import project

    if not reports:
        return run(project.check, options, quiet)
    from paged_attention_migrate.report.failure import Failure
    from paged_attention_migrate.traces import joining, reading

    try:
        sites = reading.read(reports)
    except reading.TraceError as error:
        raise Failure(str(error)) from None
    return joining.joined(run(project.check, options, quiet), sites, reports, options)


def tolerating(result: Result, options: Options, entries: Counter[Key] | None) -> Result:
    """The run with the findings that a baseline holds set apart."""
    if entries is None or options.settings.baseline is None:
        return result
    from paged_attention_migrate.baseline import tolerate

    tolerated = tolerate(result.findings, entries, options.settings.baseline, looked_at(options))
    return result._replace(findings=tolerated.new, tolerated=tolerated)


def looked_at(options: Options) -> Callable[[str], bool]:
    """Whether a run looks at a path, if there is a file."""
    from paged_attention_migrate.files import is_below, matcher

    leave_out = matcher(options.settings.exclude)
    return lambda path: is_below(path, options.paths) and not (leave_out and leave_out(path))


def counts_of(result: Result, given: Given) -> Counts:
    """The findings that are to be shown, counted."""
    from paged_attention_migrate.report.summary import Counts

    return Counts(each for each in result.findings if given.info or each.fixed or each.severity != "info")
