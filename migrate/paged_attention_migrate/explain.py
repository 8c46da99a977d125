"""What `explain` prints: the docstring of a rule, or the page of a removed name."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from paged_attention_migrate.report.colour import Paint

if TYPE_CHECKING:
    from paged_attention_migrate.own import OwnName
    from paged_attention_shim.removed import RemovedName

_HEADING = re.compile(r"^(PAM\d{3}) ([a-z0-9-]+): (.+)$", re.MULTILINE)
_OWN_CODES = "PAM5"
_FAMILIES = {
    "attention": "Attention functions",
    "helper": "Helpers around them",
    "ipex": "Intel extension (XPU)",
    "module": "Modules",
}


class Unknown(Exception):
    """Nothing is known by that code or name; `str()` is one sentence with the nearest ones."""


class Rule(NamedTuple):
    """One code: its slug, the title in its heading, and the text under it."""

    code: str
    slug: str
    title: str
    text: str


def rules() -> dict[str, Rule]:
    """Every code in order, read from the docstrings in rules/, where a line `CODE slug: title` opens each."""
    found = [rule for docstring in _docstrings() for rule in _rules_in(docstring)]
    return {rule.code: rule for rule in sorted(found)}


def slugs() -> dict[str, str]:
    """The slug of every code."""
    return {rule.code: rule.slug for rule in rules().values()}


def page(subject: str, paint: Paint, width: int = 100, own: Sequence[OwnName] = ()) -> str:
    """The page of a code, a slug, or a removed name (bare, or with any part of its path in front).

    `own` are the names that the settings call removed; codes about such have their pages below them.
    """
    wanted = subject.strip()
    named = [rule for rule in rules().values() if wanted.upper() == rule.code or wanted.lower() == rule.slug]
    if named:
        about = own if any(rule.code.startswith(_OWN_CODES) for rule in named) else ()
        return "\n".join([*(_rule_page(rule, paint) for rule in named), *_own_pages(about, paint)])
    theirs = [each for each in own if _is_called(wanted, each.paths)]
    names = _names(wanted)
    if not names and not theirs:
        raise Unknown(_nearest(wanted, own))
    from paged_attention_migrate.report.name_page import name_page

    return "\n".join([*_own_pages(theirs, paint), *([name_page(names, paint, width)] if names else [])])


def _own_pages(names: Sequence[OwnName], paint: Paint) -> list[str]:
    if not names:
        return []
    from paged_attention_migrate.report.own_page import own_page

    return [own_page(each, paint) for each in names]


def known_subjects(dotted: bool = False, own: Sequence[OwnName] = ()) -> dict[str, str]:
    """What `page` takes, each with a short title; `dotted` adds the full names."""
    from paged_attention_shim.removed import REMOVED

    found = {rule.code: rule.title for rule in rules().values()}
    found |= {rule.slug: rule.title for rule in rules().values()}
    for name in REMOVED:
        for subject in (name.name, *(name.paths if dotted else ())):
            found.setdefault(subject, f"{'moved' if name.moved else 'gone'} since vLLM {name.removed_in}")
    for each in own:
        for subject in (each.name, *(each.paths if dotted else ())):
            found.setdefault(subject, each.reason or "one of your own names")
    return found


def index(paint: Paint, own: Sequence[OwnName] = ()) -> str:
    """Every code and every removed name, a line each."""
    return "".join(f"{line}\n" for line in _index(paint, own))


def _rule_page(rule: Rule, paint: Paint) -> str:
    heading = f"{paint(f'{rule.code} {rule.slug}', 'heading')}: {rule.title}"
    return f"{heading}\n\n{rule.text}\n" if rule.text else f"{heading}\n"


def _docstrings() -> Iterator[str]:
    # Not imported: a rule may need LibCST, `python -OO` drops docstrings, and every run with findings pays for this.
    from paged_attention_migrate import rules as package

    for folder in package.__path__:
        for name in os.listdir(folder):
            if name.endswith(".py"):
                with open(os.path.join(folder, name), encoding="utf-8") as file:
                    yield _docstring(file.read())


def _docstring(source: str) -> str:
    return source.split('"""', 2)[1] if source.startswith('"""') else ""


def _rules_in(docstring: str) -> Iterator[Rule]:
    headings = list(_HEADING.finditer(docstring))
    for number, match in enumerate(headings, 1):
        end = headings[number].start() if number < len(headings) else len(docstring)
        yield Rule(match[1], match[2], match[3].strip(), docstring[match.end() : end].strip())


def _names(wanted: str) -> list[RemovedName]:
    from paged_attention_shim.removed import REMOVED

    return [name for name in REMOVED if _is_called(wanted, name.paths)]


def _is_called(wanted: str, paths: Sequence[str]) -> bool:
    return any(f".{path}".endswith(f".{wanted}") for path in paths)


def _nearest(wanted: str, own: Sequence[OwnName]) -> str:
    from difflib import get_close_matches

    from paged_attention_shim.removed import REMOVED

    known = {name.name.lower(): name.name for name in REMOVED}
    known |= {path.lower(): path for name in REMOVED for path in name.paths}
    known |= {key.lower(): key for each in own for key in (each.name, *each.paths)}
    known |= {key.lower(): key for rule in rules().values() for key in (rule.slug, rule.code)}
    near = dict.fromkeys(known[each] for each in get_close_matches(wanted.lower(), known, 3))
    hint = f"the nearest are {', '.join(near)}" if near else "`explain` alone lists all codes and names"
    return f"nothing is known about {wanted!r}: {hint}"


def _index(paint: Paint, own: Sequence[OwnName]) -> Iterator[str]:
    from paged_attention_migrate.report.name_page import title
    from paged_attention_shim.removed import REMOVED

    known = rules()
    widest = max((len(rule.slug) for rule in known.values()), default=0)
    yield paint("Codes", "heading")
    for rule in known.values():
        yield f"  {rule.code} {rule.slug:{widest}}  {rule.title}"
    for family, heading in _FAMILIES.items():
        rows = [name for name in REMOVED if name.family == family]
        widest = max((len(title(name)) for name in rows), default=0)
        yield from ("", paint(heading, "heading"))
        for name in rows:
            yield f"  {title(name):{widest}}  {'moved' if name.moved else 'gone'} since {name.removed_in}"
    if own:
        from paged_attention_migrate.report.own_page import since

        widest = max(len(each.paths[0]) for each in own)
        yield from ("", paint("Your own names", "heading"))
        for each in own:
            yield f"  {each.paths[0]:{widest}}  {since(each)}"
