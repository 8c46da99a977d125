"""The page in Chromium: filters, colours, links, and that it is whole without a script and without a network."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from paged_attention_migrate.report.html import Section, as_html

SHOWN = (
    "return [...document.querySelectorAll('.finding')].filter(each => !each.closest('[hidden]')).map(each => each.id)"
)
CONTRAST = """
const canvas = document.createElement("canvas").getContext("2d", {willReadFrequently: true});
const parsed = colour => {
  canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = colour; canvas.fillRect(0, 0, 1, 1);
  return canvas.getImageData(0, 0, 1, 1).data;
};
const light = colour => {
  const [r, g, b] = [...parsed(colour)].map(each => {
    each /= 255;
    return each <= 0.04045 ? each / 12.92 : ((each + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const behind = element => {
  for (; element; element = element.parentElement) {
    const colour = getComputedStyle(element).backgroundColor;
    if (parsed(colour)[3]) return colour;
  }
  return "white";
};
const low = [];
for (const element of document.querySelectorAll("body *")) {
  if (![...element.childNodes].some(each => each.nodeType === 3 && each.data.trim())) continue;
  if (["SCRIPT", "STYLE", "OPTION"].includes(element.tagName) || !element.getClientRects().length) continue;
  const pair = [light(getComputedStyle(element).color), light(behind(element))].sort((a, b) => b - a);
  const ratio = (pair[0] + 0.05) / (pair[1] + 0.05);
  if (ratio < 4.5) low.push(`${element.tagName}.${element.className} ${ratio.toFixed(2)}`);
}
return low;
"""
Open = Callable[..., Any]


@pytest.fixture(scope="module")
def driver(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A browser that asks nobody on the network for anything of its own."""
    webdriver = pytest.importorskip("selenium.webdriver", reason="selenium is not installed")
    browser, service = shutil.which("chromium"), shutil.which("chromedriver")
    if not (browser and service):
        pytest.skip("chromium and chromedriver are not installed")
    options = webdriver.ChromeOptions()
    options.binary_location = browser
    for flag in (
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--window-size=1300,900",
        f"--user-data-dir={tmp_path_factory.mktemp('profile')}",
    ):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(service))
    driver.get("about:blank")
    yield driver
    driver.quit()


@pytest.fixture
def opened(driver: Any, tmp_path: Path) -> Iterator[Open]:
    """Opens a page; at the end nothing may have been logged or asked for but the page."""
    file = tmp_path / "report.html"

    def open_page(*sections: Section, at: str = "", script: bool = True) -> Any:
        file.write_text(as_html(sections), encoding="ascii")
        driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": not script})
        driver.get("about:blank")
        driver.get(file.as_uri() + at)
        return driver

    driver.get_log("browser")
    driver.get_log("performance")
    yield open_page
    driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})
    assert driver.get_log("browser") == []
    asked = [
        each["message"] for each in driver.get_log("performance") if "Network.requestWillBeSent" in each["message"]
    ]
    assert [each for each in asked if file.as_uri() not in each and "about:blank" not in each] == []


def choose(driver: Any, name: str, value: str) -> None:
    driver.execute_script(
        "const field = document.getElementById('filter-' + arguments[0]); field.value = arguments[1];"
        "field.dispatchEvent(new Event('input', {bubbles: true}))",
        name,
        value,
    )
    driver.execute_async_script("const done = arguments[0]; requestAnimationFrame(() => requestAnimationFrame(done))")


ALL = ["a/calls.py:3", "a/calls.py:9", "a/deep/guard.py:2", "b/names.py:4", "b/notes.md:5"]


@pytest.mark.parametrize(
    ("name", "value", "left"),
    [
        ("code", "PAM105", ["a/deep/guard.py:2", "b/names.py:4"]),
        ("severity", "info", ["b/notes.md:5"]),
        ("state", "fixed", ["a/calls.py:3"]),
        ("folder", "a/", ["a/calls.py:3", "a/calls.py:9", "a/deep/guard.py:2"]),
        ("folder", "a/deep/", ["a/deep/guard.py:2"]),
        ("text", "needle", ["b/names.py:4"]),
        ("text", "GUARD knows", ["a/deep/guard.py:2"]),
        ("text", "nowhere", []),
    ],
)
def test_a_filter_leaves_what_fits(opened: Open, mixed: Section, name: str, value: str, left: list[str]) -> None:
    page = opened(mixed)
    assert page.execute_script(SHOWN) == ALL
    choose(page, name, value)
    assert page.execute_script(SHOWN) == left
    assert page.find_element("id", "shown").text.startswith(f"{len(left)} of 5 findings in ")
    page.find_element("css selector", "button[type=reset]").click()
    page.execute_async_script("setTimeout(arguments[0], 50)")
    assert page.execute_script(SHOWN) == ALL
    assert page.find_element("id", "shown").text == "5 findings in 4 files"


def test_filters_add_up_and_a_link_into_what_they_hide_clears_them(opened: Open, mixed: Section) -> None:
    page = opened(mixed)
    choose(page, "code", "PAM105")
    choose(page, "folder", "b/")
    assert page.execute_script(SHOWN) == ["b/names.py:4"]
    page.execute_script("location.hash = 'a/calls.py:3'")
    page.execute_async_script("setTimeout(arguments[0], 50)")
    assert page.execute_script(SHOWN) == ALL


def test_the_keyboard_is_enough(opened: Open, mixed: Section) -> None:
    from selenium.webdriver.common.keys import Keys

    page = opened(mixed)
    page.find_element("tag name", "body").send_keys(Keys.TAB)
    assert page.switch_to.active_element.text == "Skip to the findings"
    page.switch_to.active_element.send_keys(Keys.ENTER)
    assert page.switch_to.active_element.tag_name == "main"
    field = page.find_element("id", "filter-text")
    field.send_keys("needle")
    page.execute_async_script("setTimeout(arguments[0], 50)")
    assert page.execute_script(SHOWN) == ["b/names.py:4"]
    summary = page.find_element("css selector", "details.rule summary")
    summary.send_keys(Keys.ENTER)
    assert page.execute_script("return document.querySelector('details.rule').open")


def test_the_switch_decides_over_the_system(opened: Open, mixed: Section) -> None:
    page = opened(mixed)
    back = "return getComputedStyle(document.body).backgroundColor"
    seen = {}
    for system in ("light", "dark"):
        page.execute_cdp_cmd(
            "Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": system}]}
        )
        for choice in ("", "light", "dark"):
            page.execute_script(
                "const field = document.getElementById('theme'); field.value = arguments[0];"
                "field.dispatchEvent(new Event('change'))",
                choice,
            )
            seen[system, choice] = page.execute_script(back)
    light, dark = seen["light", ""], seen["dark", ""]
    assert light != dark
    assert (seen["light", "dark"], seen["dark", "light"]) == (dark, light)
    page.refresh()
    assert page.execute_script(back) == dark
    page.execute_script("localStorage.clear()")
    page.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_every_text_stands_out_from_its_ground(opened: Open, mixed: Section, theme: str) -> None:
    page = opened(mixed)
    page.execute_script("document.documentElement.dataset.theme = arguments[0]", theme)
    page.execute_script("document.querySelectorAll('details').forEach(each => { each.open = true })")
    assert page.execute_script(CONTRAST) == []


@pytest.mark.parametrize("at", ["d7/f7.py:207", "d7/f7.py", "PAM102"])
def test_a_link_unfolds_what_it_leads_to(opened: Open, many: Section, at: str) -> None:
    page = opened(many, at=f"#{at}")
    target = page.find_element("id", at)
    assert target.is_displayed()
    assert page.execute_script("return arguments[0].closest('details').open", target)
    top = page.execute_script("return arguments[0].getBoundingClientRect().top", target)
    assert -1 < top < page.execute_script("return innerHeight")


def test_two_thousand_findings_are_filtered(opened: Open, many: Section) -> None:
    page = opened(many)
    assert len(page.execute_script(SHOWN)) == 2000
    choose(page, "folder", "d3/")
    assert len(page.execute_script(SHOWN)) == 50
    page.find_element("id", "unfold").click()
    assert page.execute_script("return document.querySelectorAll('details.file[open]').length") == 5


def test_without_a_script_everything_can_be_read(opened: Open, mixed: Section, many: Section) -> None:
    from selenium.webdriver.common.keys import Keys

    page = opened(mixed, script=False)
    assert not page.find_element("id", "filters").is_displayed()
    assert not page.find_element("id", "switch").is_displayed()
    told = page.find_element("tag name", "body").text
    for part in ("5 findings", "a/deep/guard.py", "nobody knows why", "removed tmp", "What the codes mean"):
        assert part in told
    page = opened(many, script=False, at="#d7/f7.py")
    page.find_element("css selector", "[id='d7/f7.py'] summary").send_keys(Keys.ENTER)
    assert page.find_element("id", "d7/f7.py:207").is_displayed()


def test_a_hostile_page_runs_nothing(opened: Open, section: Callable[..., Section], found: Callable[..., Any]) -> None:
    hostile = "</script><script>document.title = 'taken'</script><img src=x onerror=\"document.title = 'taken'\">"
    page = opened(section(found(f"{hostile}.py", code=hostile, message=hostile, source_line=hostile), title=hostile))
    assert page.title == "paged-attention-migrate report"
    assert hostile in page.find_element("tag name", "h2").text


def test_a_narrow_page_does_not_scroll_sideways(opened: Open, mixed: Section) -> None:
    page = opened(mixed)
    page.set_window_size(500, 900)
    assert page.execute_script("return document.documentElement.scrollWidth <= innerWidth")
    page.set_window_size(1300, 900)
