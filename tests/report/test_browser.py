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
from optional import optional

from entropick import CrossEntropySelector

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
WIDTHS = {"wide": 1200, "narrow": 390}


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
        effort=None, null=False, half_samples=4, always=list(HOSTILE.values()), random_state=0
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
    from selenium.webdriver.support.wait import WebDriverWait

    browser.get_log("browser"), browser.get_log("performance")
    metrics = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 600}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [scheme]})
    browser.get(page.as_uri())
    WebDriverWait(browser, 30).until(lambda it: it.execute_script("return document.documentElement.dataset.drawn"))


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
        " p.querySelectorAll('svg .trace, svg .hm image, svg .point').length, p.getBoundingClientRect().width])"
    )
    names = [name for name, _, _ in plots]
    assert {"size_curve", "convergence", "probabilities", "redundancy", "target_by_column_0"} <= set(names)
    assert all(drawn > 0 for _, drawn, _ in plots), plots
    assert all(0 < wide <= WIDTHS[width] for _, _, wide in plots), plots
    _keep_picture(browser, f"{width}-{'dark' if dark else 'light'}")


@pytest.mark.parametrize("width", WIDTHS)
def test_the_page_is_no_wider_than_the_window(browser: Any, page: Path, width: str) -> None:
    open_page(browser, page, WIDTHS[width])
    assert browser.execute_script("return document.documentElement.scrollWidth") <= WIDTHS[width]


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
        "return Array.from(document.querySelectorAll('.ytick text')).map(t => t.textContent)"
    )
    assert HOSTILE["script"] in ticks
    legends = browser.execute_script(
        "return Array.from(document.querySelectorAll('.legendtext')).map(t => t.textContent)"
    )
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


def test_what_is_folded_away_is_drawn_when_it_is_opened(browser: Any, page: Path) -> None:
    from selenium.webdriver.common.by import By

    open_page(browser, page)
    browser.find_element(By.CSS_SELECTOR, "details.inner > summary").click()
    script = "return Array.from(document.querySelectorAll('details.inner .plot svg.main-svg')).map(s => s.clientWidth)"
    widths = browser.execute_script(script)
    assert widths
    assert min(widths) > 300


def test_text_stands_out_from_its_ground_in_both_schemes(browser: Any, page: Path) -> None:
    for dark in (False, True):
        open_page(browser, page, dark=dark)
        colours = browser.execute_script(
            "const of = (e, p) => getComputedStyle(e)[p];"
            "return [of(document.body, 'backgroundColor'), of(document.body, 'color'),"
            " of(document.querySelector('.ytick text'), 'fill'), of(document.querySelector('figcaption'), 'color')]"
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
    browser.execute_script("window.dispatchEvent(new Event('beforeprint'))")
    ink = browser.execute_script("return getComputedStyle(document.querySelector('.ytick text')).fill")
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
