"""A headless Chromium for tests, driven over WebDriver's plain HTTP by Debian's chromedriver."""

from __future__ import annotations

import base64
import json
import os
import re
import shutil
import subprocess
import time
from contextlib import contextmanager
from http import HTTPStatus
from http.client import HTTPConnection
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
DRIVER = shutil.which("chromedriver")
NEEDED = bool(os.environ.get("POSTMORTEM_TESTS_NEED_BROWSER"))  # then a browser that is not there is a failure
MISSING = "" if NEEDED or (CHROMIUM and DRIVER) else "no chromium and chromedriver (Debian: chromium, chromium-driver)"
_SWITCHES = [
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--no-first-run",
    "--force-device-scale-factor=1",
]


class Browser:
    """One page in a headless browser."""

    def __init__(self, session: str) -> None:
        self._session = session

    def command(self, path: str, **body: Any) -> Any:
        """A WebDriver command, and what it answers."""
        return _ask(f"{self._session}/{path}", body)

    def devtools(self, name: str, **parameters: Any) -> Any:
        """A command of the browser's own protocol."""
        return self.command("goog/cdp/execute", cmd=name, params=parameters)

    def open(self, path: Path, *, width: int = 1280, dark: bool = False, script: bool = True) -> None:
        """Opens a file as a window of this width and scheme shows it."""
        self.devtools("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=False)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.devtools("Emulation.setEmulatedMedia", features=[scheme])
        self.devtools("Emulation.setScriptExecutionDisabled", value=not script)
        self.command("url", url="about:blank")  # on a busy machine the page before may be taken for the one that loads
        self.command("url", url=path.as_uri())

    def run(self, script: str, *arguments: Any) -> Any:
        """What a function body returns in the page."""
        return self.command("execute/sync", script=script, args=list(arguments))

    def click(self, selector: str) -> None:
        """Clicks where a person would."""
        self.command(f"element/{self._element(selector)}/click")

    def text(self, selector: str) -> str:
        """The text of an element as it is seen."""
        return str(_ask(f"{self._session}/element/{self._element(selector)}/text", None, "GET"))

    def _element(self, selector: str) -> str:
        (element,) = self.command("element", using="css selector", value=selector).values()
        return str(element)

    def press(self, key: str) -> None:
        """Presses one key, by its name or letter; again while a busy browser has not given the keyboard to the page.

        Raises `RuntimeError` where the page never hears it.
        """
        self.run(
            "window.heard = 0; addEventListener('keydown', () => { window.heard++; }, {once: true, capture: true})"
        )
        for _ in range(100):
            for kind in ("keyDown", "keyUp"):
                self.devtools("Input.dispatchKeyEvent", type=kind, key=key, text=key if len(key) == 1 else "")
            if self.run("return window.heard"):
                return
            time.sleep(0.1)
        raise RuntimeError(f"the page did not hear {key}")

    def move(self, x: float, y: float) -> None:
        """Moves the mouse to a point of the window."""
        self.devtools("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)

    def console(self) -> list[str]:
        """Errors and warnings since the last look, those of the content security policy among them."""
        return [entry["message"] for entry in self.command("se/log", type="browser") if entry["level"] != "INFO"]

    def picture(self, *, whole: bool = False) -> bytes:
        """The window, or the whole page, as PNG."""
        shot = self.devtools("Page.captureScreenshot", captureBeyondViewport=whole)
        return base64.b64decode(shot["data"])

    def printed(self) -> bytes:
        """The page as PDF."""
        return base64.b64decode(self.devtools("Page.printToPDF", printBackground=True)["data"])


@contextmanager
def browser(folder: Path) -> Iterator[Browser]:
    """A browser whose profile and driver's log lie in a folder of the test's own.

    Raises `RuntimeError` or `OSError` where it does not start.
    """
    log = (folder / "driver.log").open("w+")
    driver = subprocess.Popen([str(DRIVER), "--port=0"], stdout=log, stderr=subprocess.STDOUT)
    session = ""
    try:
        session = _session(_address(folder / "driver.log"), folder)
        yield Browser(session)
    finally:
        if session:
            _ask(session, None, "DELETE")
        driver.terminate()
        driver.wait(10)
        log.close()


def _session(address: str, folder: Path) -> str:
    options = {"binary": CHROMIUM, "args": [*_SWITCHES, f"--user-data-dir={folder / 'profile'}"]}
    wanted = {"goog:chromeOptions": options, "goog:loggingPrefs": {"browser": "ALL"}, "browserName": "chrome"}
    made = _ask(f"{address}/session", {"capabilities": {"alwaysMatch": wanted}})
    return f"{address}/session/{made['sessionId']}"


def _address(log: Path) -> str:
    for _ in range(200):
        if started := re.search(r"started successfully on port (\d+)\.", log.read_text("utf-8")):
            return f"http://127.0.0.1:{started[1]}"
        time.sleep(0.05)
    raise RuntimeError(f"chromedriver did not start: {log.read_text('utf-8')}")


def _ask(url: str, body: dict[str, Any] | None, method: str = "POST") -> Any:
    parts = urlsplit(url)
    connection = HTTPConnection(parts.netloc, timeout=60)
    try:
        connection.request(method, parts.path, json.dumps(body) if body is not None else None)
        answer = connection.getresponse()
        said = json.load(answer)["value"]
    finally:
        connection.close()
    if answer.status != HTTPStatus.OK:
        raise RuntimeError(f"{parts.path.rpartition('/')[2]}: {said['error']}: {said['message'][:2000]}")
    return said
