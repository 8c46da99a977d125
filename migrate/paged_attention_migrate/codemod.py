"""The rewrite as a codemod for LibCST's own runner, file by file.

`python -m libcst.tool codemod -x paged_attention_migrate.codemod.MigrateCommand --no-format PATH`
"""

from __future__ import annotations

import argparse
import os
from functools import cache

from libcst import Module, parse_module
from libcst.codemod import CodemodCommand, CodemodContext

from paged_attention_migrate import project, settings
from paged_attention_migrate.files import kind_of
from paged_attention_migrate.findings import INFO, Finding
from paged_attention_migrate.markers import holds_any, may_hold_removed_name
from paged_attention_migrate.replacing import work_tree


class MigrateCommand(CodemodCommand):
    """Makes the edits that `paged-attention-migrate rewrite` makes, and warns of what is left for a person.

    What files of a repository say of each other counts, so the first file costs a look at the whole work tree.
    """

    DESCRIPTION = "Moves code off vLLM's removed paged_attention_v1 and paged_attention_v2."

    @staticmethod
    def add_args(arg_parser: argparse.ArgumentParser) -> None:
        """Add the options that `rewrite` has, too."""
        arg_parser.add_argument("--unsafe", action="store_true", help="Make the edits that need a reader, too.")
        arg_parser.add_argument(
            "--no-simplify",
            action="store_true",
            help="Leave scratch buffers and branches that have become superfluous.",
        )
        arg_parser.add_argument(
            "--from-version", metavar="X", default=None, help="The vLLM release that the code was written for."
        )
        arg_parser.add_argument(
            "--target",
            choices=settings.TARGETS,
            default=None,
            help="What rewritten code calls; shim is the default.",
        )

    def __init__(
        self,
        context: CodemodContext,
        unsafe: bool = False,
        no_simplify: bool = False,
        from_version: str | None = None,
        target: str | None = None,
    ) -> None:
        """Read the settings; raises SettingsError and ValueError."""
        super().__init__(context)
        given = settings.load()
        if from_version is not None:
            given = given._replace(from_version=settings.release(from_version))
        if target is not None:
            given = given._replace(target=target)
        self.options = project.Options(settings=given, unsafe=unsafe, simplify=not no_simplify)

    def transform_module_impl(self, tree: Module) -> Module:
        """The rewritten module, or `tree` itself."""
        data = tree.bytes
        path = self.context.filename
        if path is not None and kind_of(path) != "python":
            return tree
        if path is not None and _holds(path, data):
            after, left = _rewritten_in_place(path, data, self.options)
        elif may_hold_removed_name(data) or holds_any(data, self.options.settings.own_names):
            after, left = _rewritten_alone(path or "stdin", data, self.options)
        else:
            return tree
        for each in left:
            if not each.fixed and each.severity != INFO:
                self.warn(f"{each.path}:{each.line}:{each.column}: {each.code} {each.message}")
        return tree if after is None else parse_module(after, tree.config_for_parsing)


def _holds(path: str, data: bytes) -> bool:
    try:
        with open(path, "rb") as file:
            return file.read() == data
    except OSError:
        return False


def _rewritten_in_place(path: str, data: bytes, options: project.Options) -> tuple[bytes | None, tuple[Finding, ...]]:
    """The new bytes of a file of a repository, None if it stays, and what is to be said of it."""
    directory = os.path.dirname(os.path.realpath(path))
    here = os.getcwd()
    inside = directory == here or directory.startswith(here.rstrip(os.sep) + os.sep)
    result = _run(work_tree(directory) or (here if inside else directory), options)
    real = os.path.realpath(path)
    change = next((each for each in result.changes if os.path.realpath(each.path) == real), None)
    if change is not None and change.before == data:
        return change.after, change.findings
    return None, tuple(each for each in result.findings if os.path.realpath(each.path) == real)


@cache
def _run(top: str, options: project.Options) -> project.Result:
    """One run over a work tree, before the runner writes the first file."""
    return project.rewrite(options._replace(paths=(top,), mentions=False))


def _rewritten_alone(path: str, data: bytes, options: project.Options) -> tuple[bytes | None, tuple[Finding, ...]]:
    from paged_attention_migrate.module import Facts
    from paged_attention_migrate.study import Wanted, study

    package, is_package = project.package_of(path.replace(os.sep, "/"), {})
    facts = Facts(package, is_package=is_package)
    studied = study(path, data, options.settings, facts, Wanted(True, options.unsafe, options.simplify))
    return studied.after, studied.once_written
