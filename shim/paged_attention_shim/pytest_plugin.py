"""Runs a test suite with the removed names forwarded, and ends with every call site that still uses one.

Off until it is asked for: with `-p paged_attention_shim.pytest_plugin`, or with `--removed-paged-attention=forward`,
or `=error`, which also fails the run if there is such a call site.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pytest

    from paged_attention_shim.usage import Site

_NAME = "paged_attention_shim.pytest_plugin"
_OPTION = "removed_paged_attention"
_CHOICES = ("off", "forward", "error")


def pytest_addoption(parser: pytest.Parser) -> None:
    """The switch, on the command line and in the configuration."""
    text = (
        "forward calls of the paged attention functions that vLLM removed, and list the call sites at the end; "
        "error fails the run if there are any"
    )
    group = parser.getgroup("paged-attention-migrate")
    group.addoption("--removed-paged-attention", dest=_OPTION, choices=_CHOICES, default=None, help=text)
    parser.addini(_OPTION, f"the default of --removed-paged-attention: {', '.join(_CHOICES)}", default="")


def pytest_configure(config: pytest.Config) -> None:
    """Forward the removed names from here on, if that is wanted."""
    wanted = _wanted(config)
    if wanted != "off":
        config.pluginmanager.register(_Forwarding(config, fails=wanted == "error"), f"{_NAME}.forwarding")


def _wanted(config: pytest.Config) -> str:
    import pytest

    asked = config.getoption(_OPTION) or config.getini(_OPTION)
    if asked and asked not in _CHOICES:
        raise pytest.UsageError(f"{_OPTION} is {asked!r}; {', '.join(_CHOICES)} are accepted")
    by_name = _NAME in (config.getoption("plugins") or ())
    return str(asked or ("forward" if by_name else "off"))


class _Forwarding:
    """The plugin while it is on."""

    def __init__(self, config: pytest.Config, *, fails: bool) -> None:
        from paged_attention_shim import switch, usage
        from paged_attention_shim.forward import Options
        from paged_attention_shim.installing import install, uninstall

        self._fails = fails
        self._of_workers: list[Site] = []
        wanted = switch.read()
        options = wanted.options if wanted is not None else Options()
        usage.forget()
        usage.hold_warnings(quiet=True)
        install("forward", **options._asdict())

        def end() -> None:
            usage.tell()
            usage.forget()
            usage.hold_warnings(quiet=False)
            uninstall()

        config.add_cleanup(end)

    def pytest_testnodedown(self, node: Any, error: object) -> None:  # noqa: ARG002  # pytest-xdist's hook
        """Take what a worker of pytest-xdist counted."""
        from paged_attention_shim.usage import Site

        self._of_workers += [Site(*each) for each in getattr(node, "workeroutput", {}).get(_OPTION, ())]

    pytest_testnodedown.pytest_impl = {"optionalhook": True}  # type: ignore[attr-defined]  # only with pytest-xdist

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Give a worker's counts to the controller, or decide how the run ends."""
        import pytest

        output = getattr(session.config, "workeroutput", None)
        if output is not None:
            output[_OPTION] = [list(each) for each in self._sites()]
        elif self._fails and self._sites() and session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        """The table of call sites."""
        terminalreporter.section("removed paged attention", "=")
        sites = self._sites()
        if not sites:
            terminalreporter.line("no call of a removed name")
            return
        from paged_attention_shim.usage import Report

        terminalreporter.line(str(Report(sites)))
        if self._fails:
            terminalreporter.line("failed by --removed-paged-attention=error", red=True)

    def _sites(self) -> tuple[Site, ...]:
        """The call sites of this process and of its workers, the most called first."""
        from paged_attention_shim.usage import report, totals

        return totals([*report().sites, *self._of_workers])
