"""The picture of a report in the README: python docs/make_report_picture.py (needs Chromium and its driver)."""

from __future__ import annotations

import base64
import shutil
import tempfile
from pathlib import Path

from selenium import webdriver

from entropick.cli import main as entropick

HERE = Path(__file__).parent
WIDTH, HEIGHT = 1000, 1370


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder) / "outcome.html"
        table = HERE.parent / "examples" / "patients.csv"
        if entropick(["select", str(table), "--target", "outcome", "--report", str(page)]):
            raise SystemExit("the command failed")
        options = webdriver.ChromeOptions()
        for flag in ("--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", f"--user-data-dir={folder}/p"):
            options.add_argument(flag)
        browser = webdriver.Chrome(options, webdriver.ChromeService(shutil.which("chromedriver")))
        size = {"width": WIDTH, "height": HEIGHT, "deviceScaleFactor": 1, "mobile": False}
        browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        browser.get(page.as_uri())
        picture = browser.execute_cdp_cmd("Page.captureScreenshot", {})["data"]
        browser.quit()
        (HERE / "report.png").write_bytes(base64.b64decode(picture))


if __name__ == "__main__":
    main()
