"""Which addresses git is given, and that nobody reads a password."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from paged_attention_migrate.fleet.addresses import Refused, address, as_uri, without_user
from paged_attention_migrate.fleet.git import environment


@pytest.mark.parametrize(
    "text",
    [
        "--upload-pack=touch /tmp/x",
        "-u",
        "ext::sh -c touch% /tmp/x",
        "fd::17",
        "http://host/x",
        "git://host/x",
        "ftp://host/x",
        "ssh://-oProxyCommand=x/y",
        "ssh://-oProxyCommand=x@host/y",
        "-oProxyCommand=x:y",
        "https:///x",
        "https://host/x?token=abc",
        "https://[broken/x",
        "https://host/\x1b[31m",
    ],
)
def test_what_git_must_not_get_is_refused(text: str) -> None:
    with pytest.raises(Refused):
        address(text)


@pytest.mark.parametrize(
    ("text", "told", "uri"),
    [
        ("https://host/o/x.git", "https://host/o/x.git", "https://host/o/x.git"),
        ("https://me:pa%2Fss@host:8443/o/x", "https://host:8443/o/x", "https://host:8443/o/x"),
        ("https://ghp_token@host/x", "https://host/x", "https://host/x"),
        ("ssh://git@host/o/x", "ssh://git@host/o/x", "ssh://git@host/o/x"),
        ("ssh://git:pass@host/o/x", "ssh://git@host/o/x", "ssh://git@host/o/x"),
        ("git@host:o/x y.git", "git@host:o/x y.git", "ssh://git@host/o/x%20y.git"),
        ("file:///srv/x", "file:///srv/x", "file:///srv/x"),
        ("/srv/a b", "/srv/a b", "file:///srv/a%20b"),
    ],
)
def test_what_is_told_of_an_address(text: str, told: str, uri: str) -> None:
    found = address(text)
    assert (found.given, found.told) == (text, told)
    assert as_uri(told) == uri
    assert repr(found) == f"Address({told!r})"


def test_secrets_go_from_whatever_git_says() -> None:
    secrets = address("https://me:pa%2Fss@host/x").secrets
    said = "could not read https://me:pa%2Fss@host/x with pa/ss for me, some"
    assert without_user(said, secrets) == "could not read https://host/x with *** for ***, some"
    assert without_user("a http://u:p@one/ and ssh://v@two/") == "a http://one/ and ssh://two/"


def test_credentials_reach_git_through_its_environment_alone() -> None:
    found = environment(address("https://me:pass@host:1/o/x"), {"PATH": "p", "GIT_DIR": "elsewhere"})
    settings = {
        found[f"GIT_CONFIG_KEY_{number}"]: found[f"GIT_CONFIG_VALUE_{number}"]
        for number in range(int(found["GIT_CONFIG_COUNT"]))
    }
    assert settings["url.https://me:pass@host:1/.insteadOf"] == "https://host:1/"
    assert settings["core.hooksPath"] == os.devnull
    assert (found["GIT_TERMINAL_PROMPT"], found["GIT_ALLOW_PROTOCOL"]) == ("0", "https:ssh:file")
    assert "GIT_DIR" not in found


def test_settings_that_the_user_gave_git_stay() -> None:
    own = {"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "http.proxy", "GIT_CONFIG_VALUE_0": "http://proxy"}
    found = environment(address("https://host/x"), own)
    assert found["GIT_CONFIG_KEY_0"] == "http.proxy"
    assert found["GIT_CONFIG_KEY_1"] == "core.hooksPath"


def test_a_path_that_is_there_is_a_path_whatever_it_looks_like(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("host:x").mkdir()
    assert address("host:x").scheme == "path"
    assert address("other:x").scheme == "ssh"
