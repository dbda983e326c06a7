"""The page as people use it, in a headless Chromium: it opens, answers, prints, and runs nothing of a log."""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

import pytest

from analyzer.report.html import render
from tests.report.build_report import cannot_tell, founding, healthy, straggler
from tests.report.html.browser import MISSING, NEEDED, Browser, browser
from tests.report.html.outline import ATTACKS, hostile

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = pytest.mark.skipif(bool(MISSING), reason=MISSING)
PAGES = {
    "founding": founding,
    "healthy": healthy,
    "cannot-tell": cannot_tell,
    "straggler": straggler,
    "hostile": hostile,
}
every_page = pytest.mark.parametrize("name", PAGES)
CHART = "const chart = echarts.getInstanceByDom(document.querySelector('.chart'));"
RANGE = CHART + "const zoom = chart.getOption().dataZoom[0]; return [zoom.startValue, zoom.endValue]"
BARS = CHART + "return chart.getOption().series[0].data.map((item) => item.said[0])"
TIPS = """return new Promise((done) => setTimeout(() => done([...document.querySelectorAll('.tip')]
    .map((tip) => [...tip.children].map((line) => line.textContent))), 200))"""
READOUT = "return document.querySelector('.readout').textContent"


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("pages")
    for name, make in PAGES.items():
        (folder / f"{name}.html").write_text(render(make()), "utf-8", newline="\n")
    return {name: folder / f"{name}.html" for name in PAGES}


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with ExitStack() as stack:
        try:
            opened = stack.enter_context(browser(tmp_path_factory.mktemp("browser")))
        except (RuntimeError, OSError) as error:
            if NEEDED:
                raise
            pytest.skip(f"the browser does not start: {error}")
        yield opened


@pytest.fixture
def page(shared: Browser) -> Browser:
    shared.console()
    return shared


@every_page
def test_the_page_opens_without_a_word_on_the_console(page: Browser, pages: dict[str, Path], name: str) -> None:
    page.open(pages[name])
    assert page.console() == []
    charts = page.run("return [...document.querySelectorAll('.chart canvas')].map((canvas) => canvas.width)")
    assert len(charts) == len(PAGES[name]().launches)
    assert all(width > 800 for width in charts)


@every_page
@pytest.mark.parametrize("width", [360, 768])
def test_a_narrow_window_does_not_scroll_sideways(page: Browser, pages: dict[str, Path], name: str, width: int) -> None:
    page.open(pages[name], width=width)
    page.run("for (const part of document.querySelectorAll('details')) part.open = true")
    assert page.run("return document.documentElement.scrollWidth") <= width
    assert page.console() == []


def test_a_phone_shows_a_finding_s_claims_whole(page: Browser, pages: dict[str, Path]) -> None:
    page.open(pages["hostile"], width=360)
    cut_off = "return [...document.querySelectorAll('.wide')].filter((one) => one.scrollWidth > one.clientWidth)"
    names = page.run(f"{cut_off}.map((one) => one.getAttribute('aria-label'))")
    assert [name for name in names if name.startswith("Claims") or name == "Also seen"] == []


@every_page
def test_nothing_is_asked_of_any_network(page: Browser, pages: dict[str, Path], name: str) -> None:
    page.open(pages[name])
    assert page.run("return performance.getEntriesByType('resource').map((entry) => entry.name)") == []


def test_a_hostile_log_runs_nothing(page: Browser, pages: dict[str, Path]) -> None:
    page.open(pages["hostile"])
    page.run("for (const part of document.querySelectorAll('details')) part.open = true")
    for key in ["ArrowRight", "+", "-", "0", *["ArrowDown"] * 8]:  # past eight ranks to what was seen from outside
        page.run("document.querySelector('.explore').focus()")
        page.press(key)
    page.move(640, 450)
    assert page.console() == []
    assert page.run("return typeof window.canary") == "undefined"
    assert page.run("return document.querySelectorAll('img, svg, base, iframe, main script').length") == 0
    assert ATTACKS[0] in page.run(READOUT)
    assert "49" not in page.run("return document.title")


def test_the_policy_stops_whatever_should_get_in(page: Browser, pages: dict[str, Path]) -> None:
    page.open(pages["founding"])
    page.run("""document.body.insertAdjacentHTML('beforeend', '<img src="data:," onerror="window.canary = 1">');
        const script = document.createElement('script');
        script.textContent = 'window.canary = 2';
        document.body.append(script);
        return new Promise((done) => setTimeout(done, 100))""")
    assert page.run("return typeof window.canary") == "undefined"
    assert sum("Content Security Policy" in message for message in page.console()) == 2
    assert (
        page.run("""return new Promise((done) => setTimeout(() => {
        try { done(new Function('return 1')()); } catch (error) { done(error.name); }
    }))""")
        == "EvalError"
    )
    assert page.run("return fetch('https://example.org').then(() => 'sent', (error) => error.name)") == "TypeError"


def test_zoom_buttons_change_what_the_axis_shows(page: Browser, pages: dict[str, Path]) -> None:
    page.open(pages["founding"])
    begin, end = page.run(RANGE)
    assert end - begin == 604_000, "from the first line to the end of the health check, 604 s later"
    page.click("[data-zoom=in]")
    closer = page.run(RANGE)
    assert closer == [begin + 151_000, end - 151_000], "the middle half"
    assert page.run("return document.querySelector('.range').textContent") == "10:05:08 to 10:10:10", "10:02:37 + 151 s"
    page.click("[data-zoom=right]")
    assert page.run(RANGE) == [begin + 302_000, end], "on by half of what is shown"
    page.click("[data-zoom=reset]")
    assert page.run(RANGE) == [begin, end]


def test_all_charts_share_the_zoom(page: Browser, pages: dict[str, Path]) -> None:
    page.open(pages["healthy"])
    page.click("[data-zoom=in]")
    extents = page.run(
        CHART
        + """return [0, 1, 2, 3].map((n) =>
        chart.getModel().getComponent('xAxis', n).axis.scale.getExtent())"""
    )
    assert extents == [extents[0]] * 4, "bars, memory, usage, throughput"
    assert extents[0] == page.run(RANGE)


def test_the_rank_filter_hides_rows_in_chart_and_table(page: Browser, pages: dict[str, Path]) -> None:
    page.open(pages["founding"])
    assert any("n0/TP3" in said for said in page.run(BARS))
    page.run("document.querySelector('.filter').open = true")
    page.click(".boxes input[value='3']")
    assert page.console() == []
    assert not any("n0/TP3" in said for said in page.run(BARS))
    assert any("n0/TP4" in said for said in page.run(BARS))
    assert page.run("return [...document.querySelectorAll('tr[data-row]')].map((row) => row.hidden)") == [
        number == 3 for number in range(8)
    ]
    assert page.run("return document.querySelector('.count').textContent") == "7 of 8"
    page.click("[data-rows='*']")
    assert any("n0/TP3" in said for said in page.run(BARS))


def test_a_node_can_be_looked_at_alone(page: Browser, pages: dict[str, Path]) -> None:
    page.open(pages["straggler"])
    page.run("document.querySelector('.filter').open = true")
    page.click("[data-rows='n4']")
    shown = page.run("""return [...document.querySelectorAll('tr[data-row]')].filter((row) => !row.hidden)
        .map((row) => row.querySelector('th').textContent)""")
    assert "n4/TP37" in shown, "the straggler has a row of its own"
    page.click("[data-rows='']")
    assert page.run(BARS) == ["health-wait", "silence"], "no process, but what was seen from outside"


def test_the_keyboard_goes_from_bar_to_bar_and_says_each(page: Browser, pages: dict[str, Path]) -> None:
    page.open(pages["founding"])
    page.run("document.querySelector('.explore').focus()")
    for key in ["ArrowDown", "ArrowRight", "ArrowDown"]:
        page.press(key)
    assert "n0/TP1: distributed-init" in page.run(READOUT), "the first bar, the next one, the row below"
    page.press("+")
    begin, end = page.run(RANGE)
    assert end - begin == 302_000
    page.press("0")
    begin, end = page.run(RANGE)
    assert end - begin == 604_000


def test_pointing_at_a_bar_shows_its_text(page: Browser, pages: dict[str, Path]) -> None:
    page.open(pages["founding"])
    x, y = _where(page, seconds=400, row=2)
    page.move(x - 3, y)
    page.move(x, y)
    (shown,) = page.run(TIPS)
    assert "n0/TP2: host-pool" in shown
    assert "last line of the process at 245 s (10:06:42)" in shown
    assert page.console() == []


def test_pointing_at_a_curve_shows_every_figure_of_that_time(page: Browser, pages: dict[str, Path]) -> None:
    page.open(pages["healthy"])
    x, y = _where(page, seconds=500, row=0)
    page.move(x - 3, y + 250)
    page.move(x, y + 250)
    shown = page.run(TIPS)
    assert shown == [
        ["10:10:57", "host memory used: 150 GiB", "token usage: 0.56", "generation throughput: 870 tok/s"]
    ], "10:02:37 + 500 s; 100 GiB + 500 ÷ 10; 500 ÷ 900; 860 + 500 mod 70"


def _where(page: Browser, seconds: int, row: int) -> tuple[float, float]:
    """The point of the window where a row of the first chart has a time."""
    place: list[float] = page.run(
        CHART
        + """const dom = chart.getDom();
        dom.scrollIntoView({block: 'center', behavior: 'instant'});
        const box = dom.getBoundingClientRect();
        const begin = chart.getOption().xAxis[0].min;
        const [x, y] = chart.convertToPixel({xAxisIndex: 0, yAxisIndex: 0}, [begin + 1000 * arguments[0], arguments[1]]);
        return [box.left + x, box.top + y]""",
        seconds,
        row,
    )
    return place[0], place[1]


def test_light_and_dark_look_different_and_can_be_chosen(page: Browser, pages: dict[str, Path]) -> None:
    page.open(pages["founding"], dark=True)
    dark = page.run("return getComputedStyle(document.body).backgroundColor"), _pixels(page)
    page.open(pages["founding"])
    light = page.run("return getComputedStyle(document.body).backgroundColor"), _pixels(page)
    assert dark[0] != light[0]
    assert dark[1] != light[1], "the chart, too"
    page.click("#theme")
    assert (page.run("return getComputedStyle(document.body).backgroundColor"), _pixels(page)) == dark


def _pixels(page: Browser) -> Any:
    return page.run("return document.querySelector('.chart canvas').toDataURL()")


@pytest.mark.parametrize("dark", [False, True])
def test_text_has_contrast_in_both_schemes(page: Browser, pages: dict[str, Path], dark: bool) -> None:  # noqa: FBT001
    page.open(pages["founding"], dark=dark)
    page.run("for (const part of document.querySelectorAll('details')) part.open = true")
    weak: list[str] = page.run(CONTRAST)
    assert weak == [], "WCAG AA asks for 4.5"


CONTRAST = """
const light = (color) => color.match(/[\\d.]+/g).slice(0, 3).map((v) => v / 255)
  .map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4))
  .reduce((sum, v, n) => sum + v * [0.2126, 0.7152, 0.0722][n], 0);
const behind = (node) => {
  for (; node; node = node.parentElement) {
    const color = getComputedStyle(node).backgroundColor;
    if (!/, 0\\)$/.test(color)) return color;
  }
};
const weak = new Set();
const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
while (walk.nextNode()) {
  const node = walk.currentNode.parentElement;
  if (!walk.currentNode.data.trim() || !node.checkVisibility() || node.closest('script')) continue;
  const [a, b] = [light(getComputedStyle(node).color), light(behind(node))].sort((x, y) => y - x);
  if ((a + 0.05) / (b + 0.05) < 4.5) weak.add(node.tagName + '.' + node.className + ' ' + node.textContent.slice(0, 40));
}
return [...weak];
"""


def test_it_prints_with_everything_unfolded_and_comes_back_as_it_was(page: Browser, pages: dict[str, Path]) -> None:
    closed = "return document.querySelectorAll('details:not([open])').length"
    page.open(pages["founding"], dark=True)
    before = page.run(closed)
    assert page.printed().startswith(b"%PDF-")
    assert page.run(closed) == before > 0
    page.run("dispatchEvent(new Event('beforeprint'))")
    assert page.run(closed) == 0
    assert page.run("return document.documentElement.dataset.theme") == "light", "paper is white"
    page.run("dispatchEvent(new Event('afterprint'))")
    assert page.run(closed) == before
    assert page.run("return document.documentElement.dataset.theme ?? ''") == ""
    assert page.console() == []


def test_without_script_the_answer_and_the_table_are_seen(page: Browser, pages: dict[str, Path]) -> None:
    page.open(pages["founding"], script=False)
    seen = page.text("body")
    assert "8 × 300 GB = 2,400 GB" in seen
    assert "health-wait" in seen
    assert "Zoom in" not in seen


def test_everything_that_can_be_focused_has_a_name(page: Browser, pages: dict[str, Path]) -> None:
    page.open(pages["founding"])
    nodes = page.devtools("Accessibility.getFullAXTree")["nodes"]
    said = [node for node in nodes if not node["ignored"]]
    focusable = [
        n for n in said if any(p["name"] == "focusable" and p["value"]["value"] for p in n.get("properties", []))
    ]
    wanted = {"button", "link", "checkbox", "application", "region"}
    assert {n["role"]["value"] for n in focusable} >= {"button", "link", "application"}
    assert [n for n in focusable if n["role"]["value"] in wanted and not n.get("name", {}).get("value")] == []
    roles = [node["role"]["value"] for node in said]
    assert {"main", "navigation", "banner", "contentinfo", "figure"} <= set(roles)
    charts = [node["name"]["value"] for node in said if node["role"]["value"] in {"image", "img"}]
    assert any("Phases of each process over time" in name for name in charts)
