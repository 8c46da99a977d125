"""git as a fleet runs it: nothing of a stranger's repository is executed, and nobody is asked for a password."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from urllib.parse import urlsplit

from paged_attention_migrate.fleet.addresses import Address, without_user

_SETTINGS = {
    "core.hooksPath": os.devnull,
    "core.fsmonitor": "false",
    "core.attributesFile": os.devnull,
    "credential.interactive": "false",
    "protocol.allow": "never",
    "protocol.https.allow": "always",
    "protocol.ssh.allow": "always",
    "protocol.file.allow": "always",
    "submodule.recurse": "false",
    "fetch.recurseSubmodules": "false",
    "filter.lfs.smudge": "",
    "filter.lfs.process": "",
    "filter.lfs.required": "false",
    "commit.gpgSign": "false",
    "gc.auto": "0",
    "maintenance.auto": "false",
    "advice.detachedHead": "false",
    "init.templateDir": "",
    "init.defaultBranch": "main",
}


class GitFailed(Exception):
    """git said no; `str()` is one sentence without credentials."""


def environment(address: Address, base: Mapping[str, str]) -> dict[str, str]:
    """The variables that every git below a process gets, with credentials that stand on no command line or disk."""
    # Where the run stands in a hook of git's, these would lead every git to another repository.
    found = {name: value for name, value in base.items() if name not in _OTHER_REPOSITORY}
    settings = dict(_SETTINGS)
    userinfo = urlsplit(address.given).netloc.rpartition("@")[0] if address.scheme == "https" else ""
    if userinfo:
        plain = _root(without_user(address.given))
        settings[f"url.{plain.replace('://', f'://{userinfo}@', 1)}.insteadOf"] = plain
    count = found.get("GIT_CONFIG_COUNT", "0")
    first = int(count) if count.isdecimal() else 0
    found["GIT_CONFIG_COUNT"] = str(first + len(settings))
    for number, (name, value) in enumerate(settings.items(), first):
        found[f"GIT_CONFIG_KEY_{number}"], found[f"GIT_CONFIG_VALUE_{number}"] = name, value
    return {
        **found,
        "GIT_ALLOW_PROTOCOL": "https:ssh:file",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_ASKPASS": "true",
        "SSH_ASKPASS": "true",
        "SSH_ASKPASS_REQUIRE": "never",
        "GCM_INTERACTIVE": "never",
        "GIT_SSH_COMMAND": base.get("GIT_SSH_COMMAND", "ssh -oBatchMode=yes"),
        "GIT_LFS_SKIP_SMUDGE": "1",
        "LC_ALL": "C",
    }


def run(arguments: list[str], secrets: tuple[str, ...] = (), data: bytes | None = None) -> bytes:
    """What a git prints; raises GitFailed with the last thing that it complained of."""
    try:
        done = subprocess.run(["git", *arguments], input=data, capture_output=True, check=False)
    except FileNotFoundError:
        raise GitFailed("git is not on the PATH of the machine that does the work") from None
    if done.returncode == 0:
        return done.stdout
    lines = done.stderr.decode("utf-8", "replace").splitlines()
    said = next((line for line in lines if line.startswith(("fatal: ", "error: "))), lines[-1] if lines else "")
    said = without_user(said.partition(": ")[2] or said, secrets).strip()
    raise GitFailed(f"git {_verb(arguments)} failed: {said or f'exit code {done.returncode}'}")


def succeeds(arguments: list[str]) -> bool:
    """Whether a git that is asked something answers yes."""
    try:
        run(arguments)
    except GitFailed:
        return False
    return True


_OTHER_REPOSITORY = frozenset(
    {"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES"}
)


def _root(url: str) -> str:
    """An address up to the end of its host."""
    scheme, _, rest = url.partition("://")
    return f"{scheme}://{rest.partition('/')[0]}/"


def _verb(arguments: list[str]) -> str:
    rest = arguments[2:] if arguments[0] == "-C" else arguments
    return rest[0]
