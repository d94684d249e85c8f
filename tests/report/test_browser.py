"""The page in a real browser: drawn without errors, without the network, with every name as text."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from helpers import quick
from optional import optional

from entropick import CrossEntropySelector, RankSelector

pd = optional("pandas")

HOSTILE = {
    "script": "<script>alert(1)</script>",
    "image": "<img src=x onerror=alert(2)>",
    "quotes": 'it\'s "quoted" & `ticked` $x$',
    "emoji": "température 🌡️ عربى",
    "long": "very_" * 60,
    "template": "%{x} {{y}} <b>bold</b> </script><!--",
}
BROWSER, DRIVER = shutil.which("chromium") or shutil.which("google-chrome"), shutil.which("chromedriver")
WIDTHS = {"wide": 1280, "narrow": 390}
# Two texts of a plot that share more than a pixel, or one that leaves its plot.
OVERLAPS = """
const found = [];
document.querySelectorAll("details").forEach(part => { part.open = true; });
document.querySelectorAll(".plot svg").forEach(svg => {
  const all = svg.getBoundingClientRect();
  const texts = Array.from(svg.querySelectorAll("text"));
  const boxes = texts.map(text => [text.textContent.trim(), text.getBoundingClientRect()]);
  boxes.forEach(([text, box], i) => {
    if (box.left < all.left - 2 || box.right > all.right + 2 || box.top < all.top - 2 || box.bottom > all.bottom + 2) {
      found.push(text + " leaves the plot");
    }
    boxes.slice(i + 1).forEach(([other, its]) => {
      const wide = Math.min(box.right, its.right) - Math.max(box.left, its.left);
      const high = Math.min(box.bottom, its.bottom) - Math.max(box.top, its.top);
      if (wide > 1 && high > 3) { found.push(text + " over " + other); }
    });
  });
});
return found;
"""


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A page about hostile names, all of them chosen."""
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, size=(400, len(HOSTILE)))
    noise = rng.normal(size=(400, 3)).round(2)
    frame = pd.DataFrame(np.hstack([X, noise]), columns=[*HOSTILE.values(), "n1", "n2", "n3"])
    classes = np.array(["<i>no</i>", "yes"])[(X.sum(axis=1) > 2).astype(int)]
    y = pd.Series(classes, name="<u>target</u>")
    selector = CrossEntropySelector(
        effort=None, null=False, min_features=7, always=list(HOSTILE.values()), random_state=0
    ).fit(frame, y)
    path = tmp_path_factory.mktemp("page") / "page.html"
    selector.report().save(path)
    return path


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    if BROWSER is None or DRIVER is None:
        pytest.skip("needs Chromium and its driver")
    webdriver = pytest.importorskip("selenium.webdriver")
    options = webdriver.ChromeOptions()
    options.binary_location = BROWSER
    profile = tmp_path_factory.mktemp("profile")
    for flag in (
        "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--hide-scrollbars",
        "--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage",
        f"--user-data-dir={profile}",
    ):  # fmt: skip
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(DRIVER))
    yield driver
    driver.quit()


def open_page(browser: Any, page: Path, width: int = 1200, *, dark: bool = False) -> None:
    browser.get_log("browser"), browser.get_log("performance")
    metrics = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 600}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [scheme]})
    browser.get(page.as_uri())


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("dark", [False, True])
def test_every_plot_is_drawn_without_a_message_or_a_request(browser: Any, page: Path, width: str, dark: bool) -> None:
    open_page(browser, page, WIDTHS[width], dark=dark)
    assert browser.get_log("browser") == []
    messages = [json.loads(entry["message"])["message"] for entry in browser.get_log("performance")]
    asked = [m["params"]["request"]["url"] for m in messages if m["method"] == "Network.requestWillBeSent"]
    assert [url for url in asked if not url.startswith(("data:", page.as_uri()))] == []
    plots = browser.execute_script(
        "return Array.from(document.querySelectorAll('.plot')).map(p => [p.dataset.figure,"
        " p.querySelectorAll('svg path, svg image').length, p.getBoundingClientRect().width])"
    )
    names = [name for name, _, _ in plots]
    assert {"size_curve", "convergence", "probabilities", "redundancy", "target_by_column_0"} <= set(names)
    assert all(drawn > 5 for _, drawn, _ in plots), plots
    assert all(0 <= wide <= WIDTHS[width] for _, _, wide in plots), plots
    _keep_picture(browser, f"{width}-{'dark' if dark else 'light'}")


@pytest.fixture(scope="module")
def pages(page: Path) -> dict[str, Path]:
    """Pages of tables that are hard to draw."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 32, 2000)
    classes = pd.DataFrame({
        "levels": [f"level {value}" for value in (2 * y + rng.integers(0, 4, 2000)) % 60],
        HOSTILE["long"]: (y // 4).astype(str),
    })  # fmt: skip
    genes = pd.DataFrame(rng.normal(size=(57, 6830)), columns=[f"gene {j}" for j in range(6830)])
    tissue = np.repeat(["one", "two", "three"], 19)
    genes.iloc[:, :15] += 2.0 * np.repeat([0, 1, 2], 19)[:, None]
    rare = rng.random(1500) < 0.06
    signals = pd.DataFrame({"a": rng.normal(size=1500) + 2 * rare, "b": rng.normal(size=1500) - rare})
    signals["c"] = [f"level {value}" for value in rng.zipf(1.6, 1500) % 60]
    price = 1e6 * signals["a"] + 1e4 * rng.normal(size=1500)
    made = {
        "32 classes": RankSelector("mim", n_features_to_select=2).fit(classes, [f"class {value}" for value in y]),
        "57 x 6830": RankSelector("mim", n_features_to_select=15).fit(genes, tissue),
        "6 %": quick().fit(signals, np.where(rare, "rare", "common")),
        "number": quick("auto").fit(signals, price),
    }
    for name, selector in made.items():
        selector.report().save(page.parent / f"{name}.html")
    return {"hostile": page, **{name: page.parent / f"{name}.html" for name in made}}


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("table", ["hostile", "32 classes", "57 x 6830", "6 %", "number"])
def test_nothing_overlaps(browser: Any, pages: dict[str, Path], table: str, width: str, dark: bool) -> None:
    open_page(browser, pages[table], WIDTHS[width], dark=dark)
    assert browser.execute_script("return document.documentElement.scrollWidth") <= WIDTHS[width]
    _keep_picture(browser, f"{table}-{width}-{'dark' if dark else 'light'}")
    assert browser.execute_script(OVERLAPS) == []
    assert browser.execute_script("return document.documentElement.scrollWidth") <= WIDTHS[width]
    letters = browser.execute_script(
        "const at = document.querySelector('.plot svg'); return 8.5 * at.clientWidth / at.viewBox.baseVal.width"
    )
    assert letters >= 9  # pixels: smaller ones cannot be read


def test_all_of_thousands_of_columns_are_there_when_asked_for(browser: Any, pages: dict[str, Path]) -> None:
    from selenium.webdriver.common.by import By

    rows = "return document.querySelectorAll('#columns tbody tr:not([hidden])').length"
    open_page(browser, pages["57 x 6830"])
    assert browser.execute_script(rows) == 500
    button = browser.find_element(By.CSS_SELECTOR, "#more button")
    assert button.text == "Show all 6,830 columns"
    button.click()
    assert browser.execute_script(rows) == 6830
    assert not button.is_displayed()
    open_page(browser, pages["57 x 6830"])
    browser.find_element(By.ID, "filter").send_keys("gene 6789")
    assert browser.execute_script(rows) == 1
    cells = browser.execute_script(
        "return Array.from(document.querySelector('#columns tbody tr:not([hidden])').cells).map(c => c.textContent)"
    )
    assert cells[:2] == ["gene 6789", "no"]
    assert cells[-1] != ""
    assert pages["57 x 6830"].stat().st_size < 3_000_000


def test_the_four_questions_are_answered_on_the_first_screen(browser: Any, tmp_path: Path) -> None:
    from sklearn.datasets import load_breast_cancer

    X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    CrossEntropySelector(random_state=0).fit(X, y).report().save(tmp_path / "cancer.html")
    open_page(browser, tmp_path / "cancer.html", WIDTHS["wide"])
    places = browser.execute_script(
        "return Array.from(document.querySelectorAll('h1, .answers dt'), e => [e.textContent, e.offsetTop])"
    )
    asked = [text for text, _ in places]
    assert asked == [
        "Which columns tell about target?", "Which are sure?", "What would I lose?", "Is there anything at all?",
        "Why these?",
    ]  # fmt: skip
    assert all(top < 800 for _, top in places), places


def test_hostile_names_are_shown_as_text(browser: Any, page: Path) -> None:
    open_page(browser, page)
    shown = browser.execute_script(
        "return Array.from(document.querySelectorAll('#columns th[scope=row]')).map(cell => cell.textContent)"
    )
    assert set(HOSTILE.values()) <= set(shown)
    assert (
        browser.execute_script("return document.querySelectorAll('img, main script, main b, main i, main u').length")
        == 0
    )
    ticks = browser.execute_script(
        "return Array.from(document.querySelectorAll('.plot text')).map(t => t.textContent.trim())"
    )
    assert {HOSTILE["quotes"][:21] + "…", HOSTILE["script"][:21] + "…"} <= set(ticks)
    legends = browser.execute_script("return Array.from(document.querySelectorAll('.legend li'), t => t.textContent)")
    assert "<i>no</i>" in legends


def test_the_table_of_all_columns_can_be_sorted_and_filtered(browser: Any, page: Path) -> None:
    from selenium.webdriver.common.by import By

    def shown() -> list[str]:
        rows = "Array.from(document.querySelectorAll('#columns tbody tr')).filter(row => !row.hidden)"
        return browser.execute_script(f"return {rows}.map(row => row.cells[0].textContent)")  # type: ignore[no-any-return]

    open_page(browser, page)
    before = shown()
    assert len(before) == len(HOSTILE) + 3
    name, kept, *_ = browser.find_elements(By.CSS_SELECTOR, "#columns thead button")
    name.click()
    assert shown() == sorted(before, key=str.lower, reverse=True)
    name.click()
    assert shown() == sorted(before, key=str.lower)
    kept.click()  # "yes" before "no"
    assert shown()[-1] in ("n1", "n2", "n3")
    head = browser.find_element(By.CSS_SELECTOR, "#columns thead th:nth-child(2)")
    assert head.get_attribute("aria-sort") == "descending"
    browser.find_element(By.ID, "filter").send_keys("TEMPÉRATURE")
    assert shown() == [HOSTILE["emoji"]]
    assert browser.find_element(By.ID, "shown").text == "1 column"


def test_what_is_folded_away_is_there_when_it_is_opened(browser: Any, page: Path) -> None:
    from selenium.webdriver.common.by import By

    open_page(browser, page)
    browser.find_element(By.CSS_SELECTOR, "details.inner > summary").click()
    script = "return Array.from(document.querySelectorAll('details.inner .plot svg')).map(s => s.clientWidth)"
    widths = browser.execute_script(script)
    assert widths
    assert min(widths) > 300


def test_text_stands_out_from_its_ground_in_both_schemes(browser: Any, page: Path) -> None:
    for dark in (False, True):
        open_page(browser, page, dark=dark)
        colours = browser.execute_script(
            "const of = (e, p) => getComputedStyle(e)[p];"
            "return [of(document.body, 'backgroundColor'), of(document.body, 'color'),"
            " of(document.querySelector('.plot text'), 'fill'), of(document.querySelector('figcaption'), 'color')]"
        )
        ground, *inks = (_luminance(colour) for colour in colours)
        assert (ground < 0.1) == dark
        assert all((max(ground, ink) + 0.05) / (min(ground, ink) + 0.05) > 4.5 for ink in inks), colours


def test_numbers_can_be_reached_with_the_keyboard(browser: Any, page: Path) -> None:
    from selenium.webdriver.common.by import By
    from selenium.webdriver.common.keys import Keys

    open_page(browser, page)
    browser.find_element(By.TAG_NAME, "summary").send_keys(Keys.ENTER)
    assert browser.execute_script("return document.querySelector('details').open")
    labels = browser.execute_script("return Array.from(document.querySelectorAll('.plot')).map(p => p.ariaLabel)")
    assert all(labels)


def test_on_paper_the_plots_are_dark_on_white(browser: Any, page: Path) -> None:
    open_page(browser, page, dark=True)
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    ink = browser.execute_script("return getComputedStyle(document.querySelector('.plot text')).fill")
    assert _luminance(ink) < 0.1
    printed = browser.execute_cdp_cmd("Page.printToPDF", {})["data"]
    assert len(printed) > 10_000
    if "ENTROPICK_PICTURES" in os.environ:
        import base64

        Path(os.environ["ENTROPICK_PICTURES"], "page.pdf").write_bytes(base64.b64decode(printed))


def _luminance(colour: str) -> float:
    parts = [float(part) / 255 for part in colour.strip("rgba()").split(",")[:3]]
    linear = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return float(np.dot([0.2126, 0.7152, 0.0722], linear))


def _keep_picture(browser: Any, name: str) -> None:
    """For people to look at, where they say into which folder."""
    folder = os.environ.get("ENTROPICK_PICTURES")
    if folder:
        import base64

        picture = browser.execute_cdp_cmd("Page.captureScreenshot", {"captureBeyondViewport": True})["data"]
        Path(folder, f"{name}.png").write_bytes(base64.b64decode(picture))
