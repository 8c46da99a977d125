"""What `pip install` brings: three packages, click and LibCST, and nothing that a commit hook should not pay for."""

from __future__ import annotations

import configparser
import email
import subprocess
import sys
import zipfile
from email.message import Message
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def wheel(checkout: Path, tmp_path_factory: pytest.TempPathFactory) -> zipfile.ZipFile:
    folder = tmp_path_factory.mktemp("wheel")
    command = (sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", str(folder), str(checkout))
    subprocess.run(command, check=True)
    (path,) = folder.glob("paged_attention_migrate-*-py3-none-any.whl")
    return zipfile.ZipFile(path)


def metadata(wheel: zipfile.ZipFile) -> Message:
    (name,) = (each for each in wheel.namelist() if each.endswith(".dist-info/METADATA"))
    return email.message_from_bytes(wheel.read(name))


def test_the_wheel_holds_exactly_the_three_packages(wheel: zipfile.ZipFile) -> None:
    tops = {name.partition("/")[0] for name in wheel.namelist()}
    packages = {name for name in tops if not name.endswith((".dist-info", ".pth"))}
    assert packages == {"paged_attention_migrate", "paged_attention_shim", "paged_attention_kernels"}
    for package in packages:
        assert {f"{package}/__init__.py", f"{package}/py.typed"} <= set(wheel.namelist())


def test_the_base_install_is_light(wheel: zipfile.ZipFile) -> None:
    required = [each for each in metadata(wheel).get_all("Requires-Dist", []) if "extra ==" not in each]
    assert {each.partition(">=")[0] for each in required} == {"click", "libcst", "tomli"}


def test_the_version_is_the_one_the_package_says(wheel: zipfile.ZipFile) -> None:
    from paged_attention_migrate import __version__

    assert metadata(wheel)["Version"] == __version__


def test_what_starts_with_python_and_with_pytest(wheel: zipfile.ZipFile) -> None:
    (name,) = (each for each in wheel.namelist() if each.endswith(".dist-info/entry_points.txt"))
    written = configparser.ConfigParser()
    written.read_string(wheel.read(name).decode())
    assert dict(written["vllm.general_plugins"]) == {"paged_attention_shim": "paged_attention_shim.vllm_plugin:load"}
    assert dict(written["pytest11"]) == {"paged_attention_shim.pytest_plugin": "paged_attention_shim.pytest_plugin"}
    (line,) = wheel.read("paged_attention_shim.pth").decode().splitlines()
    assert line.startswith("import os; ")


def test_the_switch_needs_no_change_of_code(wheel: zipfile.ZipFile, tmp_path: Path) -> None:
    """A folder of packages is told of the line as the one that Python looks into at its start is."""
    wheel.extractall(tmp_path / "packages")
    program = f"import site; site.addsitedir({str(tmp_path / 'packages')!r}); import sys; print(*sys.meta_path)"
    for wanted, there in (("error", True), ("off", False), (None, False)):
        environment = {"PATH": ""} | ({"PAGED_ATTENTION_SHIM": wanted} if wanted else {})
        command = (sys.executable, "-S", "-c", program)
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
        assert ("paged_attention_shim.importing.Watch" in done.stdout) is there
        assert done.stderr == ""
