"""The page as text: complete, the same every time, and nothing in it is markup but our own."""

from __future__ import annotations

import base64
import hashlib
import re
from collections import Counter
from collections.abc import Callable
from html.parser import HTMLParser

import pytest

from paged_attention_migrate.explain import rules
from paged_attention_migrate.findings import Finding, Occurrence
from paged_attention_migrate.project import FileChange, Result
from paged_attention_migrate.report.html import Section, as_html
from paged_attention_migrate.report.summary import Counts

Findings = Callable[..., Finding]
Sections = Callable[..., Section]

VOID = {"meta", "input", "col"}


class Page(HTMLParser):
    """Reads a page strictly: every element closed in turn, every name given once, every link leading somewhere."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.elements: list[tuple[str, dict[str, str]]] = []
        self.text = ""
        self.feed(page)
        self.close()
        assert not self.open
        self.ids = [values["id"] for _, values in self.elements if "id" in values]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        assert len(values) == len(attrs), tag
        self.elements.append((tag, values))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] not in {"script", "style"}:
            self.text += data


def test_a_page_is_well_formed_and_every_link_leads_somewhere(mixed: Section, section: Sections) -> None:
    for sections in ([mixed], [mixed, mixed._replace(title="other tree")], [section()]):
        page = Page(as_html(sections))
        assert [name for name, count in Counter(page.ids).items() if count > 1] == []
        links = {values["href"] for tag, values in page.elements if tag == "a"}
        assert links <= {f"#{name}" for name in page.ids}


def test_the_page_is_ascii_and_the_same_every_time(mixed: Section) -> None:
    told = as_html([mixed])
    assert told.isascii()
    assert told == as_html([mixed])


def test_nothing_is_allowed_but_the_style_and_the_script_of_the_page(mixed: Section) -> None:
    told = as_html([mixed])
    parts = [re.findall(rf"<{name}>(.*?)</{name}>", told, re.DOTALL) for name in ("style", "script")]
    digests = [base64.b64encode(hashlib.sha256(part.encode()).digest()).decode() for [part] in parts]
    [policy] = [values["content"] for _, values in Page(told).elements if "http-equiv" in values]
    assert policy == (
        f"default-src 'none'; style-src 'sha256-{digests[0]}'; script-src 'sha256-{digests[1]}'; "
        "base-uri 'none'; form-action 'none'"
    )
    assert "url(" not in told
    assert "@import" not in told
    for _, values in Page(told).elements:
        assert not {"src", "style", "srcset", "action"} & set(values)
        assert not any(name.startswith("on") for name in values)
        assert values.get("href", "#").startswith("#")


HOSTILE = (
    "</script><script>alert(1)</script>",
    '" onmouseover="alert(1)',
    "'><img src=x onerror=alert(1)>",
    "<!-- & &lt; ]]>",
    "$policy ${script} $$",
)


@pytest.mark.parametrize("hostile", HOSTILE)
def test_nothing_that_was_read_becomes_markup(hostile: str, found: Findings) -> None:
    quiet = Page(as_html([loud(found, re.sub("[^/]", "x", hostile))]))
    page = Page(as_html([loud(found, hostile)]))
    assert Counter(tag for tag, _ in page.elements) == Counter(tag for tag, _ in quiet.elements)
    names = [sorted(values) for _, values in page.elements]
    assert names == [sorted(values) for _, values in quiet.elements]
    # title, path, message, name of the code, source line, reason, note, both lines of the diff, notice, left alone
    assert page.text.count(hostile) >= 11


def loud(found: Findings, text: str) -> Section:
    """A run that says `text` wherever it can say anything."""
    path = f"{text}/{text}.py"
    change = FileChange(path, f"old {text}\n".encode(), f"new {text}\n".encode(), (text,))
    finding = found(path, code=text, message=text, source_line=text, reasons=(f"because {text}",), severity="error")
    result = Result((finding,), (change,), 1, (text,), failed=True, occurrences=(Occurrence(path, 1, 1, text, text),))
    return Section(text, result, Counts((finding,)))


@pytest.mark.parametrize(
    ("character", "shown"),
    [("\0", "\\x00"), ("\u202e", "\\u202e"), ("\u200b", "\\u200b"), ("\x1b", "\\x1b"), ("\udcff", "\\udcff")],
)
def test_what_nobody_sees_is_shown(character: str, shown: str, found: Findings, section: Sections) -> None:
    told = as_html([section(found(f"a{character}b.py", source_line=f"x{character}y"), title=f"t{character}")])
    assert character not in told
    assert f'x<span class="escape">{shown}</span>y' in told
    assert f'a<span class="escape">{shown}</span>b.py' in told


def test_a_character_that_is_not_ascii_is_a_reference(found: Findings, section: Sections) -> None:
    told = as_html([section(found("größe.py", source_line="größe = 1"))])
    assert "gr&#246;&#223;e.py" in told
    assert 'id="gr%C3%B6%C3%9Fe.py:1"' in told


def test_the_range_is_marked_and_the_lines_after_it_counted(found: Findings, section: Sections) -> None:
    told = as_html([section(found("a.py")._replace(end_line=3))])
    assert "    <mark>ops.f(x)</mark>" in told
    assert "and 2 more lines" in told
    assert "    <mark>ops.f</mark>(x)" in as_html([section(found("a.py"))])
    endless = as_html([section(found("a.py", source_line="y" * 5000)._replace(column=4000, end_column=4003))])
    assert "...yyy" in endless
    assert "<mark>yyy</mark>" in endless
    assert len(endless) < 40_000


def test_findings_of_one_line_have_names_of_their_own(found: Findings, section: Sections) -> None:
    same = found("a b.py", 7)
    ids = Page(as_html([section(same, same, same._replace(column=9), same)])).ids
    assert [each for each in ids if each.startswith("a%20b.py:")] == [
        "a%20b.py:7",
        "a%20b.py:7:5",
        "a%20b.py:7:9",
        "a%20b.py:7:5-2",
    ]


def test_numbers_by_code_and_by_folder(mixed: Section) -> None:
    words = re.sub(r"\s+", " ", re.sub("<[^>]*>", " ", as_html([mixed])))
    assert "5 findings in 4 files, 12 files scanned, 1 file would be rewritten." in words
    assert "a/deep/ 1 1" in words
    assert "a/ 1 1 2" in words
    assert "b/ 1 1 2" in words
    assert "Would be rewritten 1 the diffs show the edit" in words
    assert "Rewritten 1 the files hold the edit" in re.sub(
        r"\s+", " ", re.sub("<[^>]*>", " ", as_html([mixed._replace(written=True)]))
    )


def test_the_help_of_a_code_is_what_explain_prints(mixed: Section) -> None:
    text = Page(as_html([mixed])).text
    for code in ("PAM102", "PAM105", "PAM306"):
        for line in rules()[code].text.splitlines():
            assert line.strip().replace("`", "") in text.replace("`", "")
    assert rules()["PAM401"].text not in text


def test_a_clean_and_a_failed_run_say_so(section: Sections) -> None:
    assert "Nothing was found." in as_html([section(files_scanned=3)])
    told = as_html([section(notices=("x: no such file",), failed=True)])
    assert "x: no such file" in told
    assert 'role="alert"' in told


def test_a_file_that_goes_is_said_to_go_and_other_encodings_are_read(section: Sections) -> None:
    gone = FileChange("a.cu", b"x\n", b"", deleted=True)
    assert "The file is deleted." in as_html([section(changes=(gone,))])
    latin = FileChange("l.py", b"# coding: latin-1\nx = '\xe9'\r\n", b"# coding: latin-1\ny = '\xe9'\r\n")
    assert "&#233;" in as_html([section(changes=(latin,))])
    unread = FileChange("u.py", b"x = '\xff'\n", b"y = '\xff'\n")
    assert "\\xff" in as_html([section(changes=(unread,))])


def test_many_findings_are_folded(many: Section, found: Findings, section: Sections) -> None:
    assert '<details class="file" id="d0/f0.py" data-folder="d0/">' in as_html([many])
    assert ' data-folder="./" open>' in as_html([section(found("a.py"))])
