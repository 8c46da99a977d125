"""Where a repository is: a path or an address that git may be given, and how it is told without credentials."""

from __future__ import annotations

import os
import re
from typing import NamedTuple
from urllib.parse import quote, unquote, urlsplit

PATH = "path"
_SCHEMES = ("https", "ssh", "file")
_SHORT_SSH = re.compile(r"(?P<user>[^/@:\s]+(?::[^/@\s]*)?@)?(?P<host>[^/:@\s]+):(?P<path>[^:].*)")
_USER_IN_TEXT = re.compile(r"(?<=://)[^/\s'\"]*@")


class Refused(Exception):
    """An address that is not given to git; `str()` is one sentence without credentials."""


class Address(NamedTuple):
    """A repository: what git is given, what people are told, the part of both that nobody may see.

    `told` never holds a password, and of https not even the user, who may be a token.
    """

    given: str
    told: str
    scheme: str
    secrets: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return f"Address({self.told!r})"


def address(text: str) -> Address:
    """What a line of the list names; raises Refused."""
    if text.startswith("-"):
        raise Refused(f"{without_user(text)} begins with `-`, which git would take for an option")
    if not text.isprintable() and any(ord(each) < 32 or ord(each) == 127 for each in text):
        raise Refused(f"{without_user(text)} holds a control character")
    if os.path.exists(text):
        return _path(text)
    if re.match(r"[\w.+-]+::", text):
        raise Refused(f"{without_user(text)} asks for a transport of its own: https, ssh and file are accepted")
    if "://" in text:
        return _url(text)
    short = _SHORT_SSH.fullmatch(text)
    return _path(text) if short is None else _short_ssh(short)


def without_user(text: str, secrets: tuple[str, ...] = ()) -> str:
    """A text of git's or of a user's without the users and passwords of the addresses in it."""
    for secret in sorted(secrets, key=len, reverse=True):
        text = re.sub(rf"(?<!\w){re.escape(secret)}(?!\w)", "***", text)
    return _USER_IN_TEXT.sub("", text)


def as_uri(told: str) -> str:
    """The address as a URI, as SARIF wants it: a path and git's short form of ssh are none."""
    if "://" in told:
        return quote(os.fsencode(told), safe="/:@%~+,;=&!$'()*[]")
    short = _SHORT_SSH.fullmatch(told)
    if short is not None and not os.path.isabs(told) and not os.path.exists(told):
        return f"ssh://{short['user'] or ''}{short['host']}/{quote(os.fsencode(short['path'].lstrip('/')))}"
    return "file://" + quote(os.fsencode(os.path.abspath(told)))


def of_directory(path: str) -> str:
    """A repository on this machine as git's own protocol reaches it, which is what makes a clone of it shallow."""
    return "file://" + quote(os.fsencode(os.path.abspath(path)))


def _path(text: str) -> Address:
    return Address(text, text, PATH)


def _url(text: str) -> Address:
    told = without_user(text).partition("?")[0].partition("#")[0]
    scheme = text.partition("://")[0].lower()
    if scheme not in _SCHEMES:
        raise Refused(f"{told} is {scheme}: https, ssh and file are accepted")
    try:
        parts = urlsplit(text)
        host, user, password = parts.hostname or "", parts.username, parts.password
    except ValueError:
        raise Refused(f"{told} is no address that can be read") from None
    if host.startswith("-") or (user or "").startswith("-"):
        raise Refused(f"{told} has a host or a user that begins with `-`")
    if not host and scheme != "file":
        raise Refused(f"{told} names no host")
    if parts.query or parts.fragment:
        raise Refused(f"{told} has a query or a fragment, which the address of a repository has not")
    if user and scheme == "ssh":
        told = told.replace("://", f"://{user}@", 1)
    secret = (password,) if scheme == "ssh" else (password, user)
    userinfo = parts.netloc.rpartition("@")[0]
    secrets = {each for one in secret if one for each in (one, unquote(one))}
    if userinfo and scheme != "ssh":
        secrets.add(userinfo)
    return Address(text, told.rstrip("/"), scheme, tuple(sorted(secrets)))


def _short_ssh(match: re.Match[str]) -> Address:
    user, _, password = (match["user"] or "").removesuffix("@").partition(":")
    if match["host"].startswith("-") or user.startswith("-"):
        raise Refused(f"{match['host']}:{match['path']} has a host or a user that begins with `-`")
    told = f"{user}@" * bool(user) + f"{match['host']}:{match['path']}"
    return Address(match[0], told.rstrip("/"), "ssh", (password,) if password else ())
