"""Packages and drivers that do not fit each other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analyzer.events import PackageListed, ServerReady
from tests.build import DAY, where
from tests.rules.answers import cleared, failure, found, report_on, root_of

if TYPE_CHECKING:
    from pathlib import Path

RULE = "package-mismatch"
TEXT = "ModuleNotFoundError: No module named 'datasets'"


def test_an_import_that_the_server_does_without_is_cleared() -> None:
    line = failure(RULE, "ModuleNotFoundError: No module named 'amdsmi'", 5, "10:00:00", detail="amdsmi")
    assert "worked on" in cleared(RULE, line, ServerReady(where=where(30, "10:01:00")))


def test_the_installed_versions_that_matter_stand_beside_it() -> None:
    listed = [
        PackageListed(where=where(i, source="pip.txt"), name=n, version=v) for i, (n, v) in enumerate(INSTALLED, 1)
    ]
    assert found(RULE, failure(RULE, TEXT, 9, "10:00:00", detail=TEXT), outside=listed).claims[-1].text == (
        "installed: sglang 0.5.2, flashinfer-python 0.3.1"
    )


INSTALLED = (("sglang", "0.5.2"), ("flashinfer-python", "0.3.1"), ("requests", "2.32.0"))

LOG = f"""\
[{DAY} 10:00:00] server_args=ServerArgs(model_path='/m', tp_size=1, port=30000)
Traceback (most recent call last):
  File "/x/sglang/launch_server.py", line 14, in <module>
    launch_server(server_args)
  File "/x/sglang/srt/entrypoints/engine.py", line 641, in _set_envs_and_config
    assert_pkg_version(
Exception: flashinfer_python is installed with version 0.2.5, which is less than the minimum required version 0.2.9rc2. Please uninstall the old version and reinstall the latest version by following the instructions at https://docs.flashinfer.ai/installation.html.
"""


def test_the_check_at_the_start_ends_the_launch_with_both_versions(tmp_path: Path) -> None:
    report = report_on(tmp_path, server_log=LOG)
    assert (report.verdict.outcome, report.verdict.finding) == ("launch-failed", RULE)
    text = " ".join(claim.text for claim in root_of(report).claims)
    assert "0.2.5" in text
    assert "0.2.9rc2" in text


IGNORED = f"""\
[{DAY} 10:00:00] server_args=ServerArgs(model_path='/m', tp_size=1, port=30000)
[{DAY} 10:00:01 TP0] Failed to import amdsmi with ModuleNotFoundError("No module named 'amdsmi'")
[{DAY} 10:00:01 TP0] Ignore import error when loading sglang.srt.models.glm_ocr: No module named 'transformers.models.glm_ocr'
[{DAY} 10:01:00] The server is fired up and ready to roll!
"""


def test_imports_that_every_start_ignores_accuse_nothing(tmp_path: Path) -> None:
    assert report_on(tmp_path, server_log=IGNORED).findings == []


TRIED = f"""\
[{DAY} 10:00:00] server_args=ServerArgs(model_path='/m', tp_size=2, port=30000)
Traceback (most recent call last):
  File "/x/deep_ep/__init__.py", line 3, in <module>
    import deep_ep_cpp
ImportError: libnvshmem_host.so.3: cannot open shared object file: No such file or directory
[{DAY} 10:00:08 TP0] Init torch distributed begin.
[{DAY} 10:00:08 TP1] Init torch distributed begin.
"""


def test_an_import_that_was_tried_in_vain_does_not_explain_a_later_hang(tmp_path: Path) -> None:
    report = report_on(tmp_path, server_log=TRIED, notes_txt="nothing happens any more, I killed it after 20 minutes\n")
    assert report.verdict.finding != RULE
    assert report.verdict.outcome != "launch-failed"


def test_a_driver_that_waits_for_the_switches_is_no_package() -> None:
    text = "RuntimeError: Unexpected error from cudaGetDeviceCount(). Error 802: system not yet initialized"
    verdict = found(RULE, failure(RULE, text, 9, "10:00:00", pattern="driver-mismatch"))
    assert verdict.summary.startswith("the host's driver and what runs on it do not fit each other")
    assert "nvidia-fabricmanager" in verdict.remedy[0].action
