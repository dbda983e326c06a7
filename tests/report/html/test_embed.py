"""The library is the published one, and data and policy let nothing of a log run."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from pathlib import Path

from analyzer.report.html import embed
from tests.report.html.outline import ATTACK

VENDOR = Path(embed.__file__).parent / "vendor"


def test_the_library_is_the_published_one() -> None:
    assert hashlib.sha256((VENDOR / "echarts.min.js").read_bytes()).hexdigest() == embed.about_library()["sha256"]


def test_the_library_says_its_version_and_brings_its_licence() -> None:
    about = embed.about_library()
    assert f'"{about["version"]}"' in embed.library()
    assert about["source"].endswith(f"echarts-{about['version']}.tgz")
    assert "Apache License" in (VENDOR / "LICENSE").read_text("utf-8")
    assert "Apache Software Foundation" in (VENDOR / "NOTICE").read_text("utf-8")


def test_a_script_can_stand_inline_as_it_is() -> None:
    for text in (embed.library(), embed.asset("page.js"), embed.asset("page.css")):
        assert not re.search(r"</script|</style|<!--|\r|\0", text, re.IGNORECASE)


def test_our_own_script_makes_no_markup_of_text_and_asks_for_nothing() -> None:
    forbidden = (
        r"innerHTML|outerHTML|insertAdjacent|document\.write|eval|Function\(|fetch|XMLHttp|import|WebSocket|storage"
    )
    assert not re.search(forbidden, embed.asset("page.js"), re.IGNORECASE)


def test_data_come_back_as_they_were_and_cannot_end_their_block() -> None:
    text = embed.as_data({"said": [ATTACK, "é 🦙"]})
    assert json.loads(text) == {"said": [ATTACK, "é 🦙"]}
    assert text.isascii()
    assert not set("<>&'") & set(text)


def test_the_policy_names_each_script_by_its_sum_and_allows_nothing_else() -> None:
    digest = base64.b64encode(hashlib.sha256(b"let a = 1;").digest()).decode()
    rules = dict(rule.split(" ", 1) for rule in embed.policy(["let a = 1;"], ["p {}"]).split("; "))
    assert rules["script-src"] == f"'sha256-{digest}'"
    assert rules["default-src"] == rules["base-uri"] == rules["form-action"] == "'none'"
    assert "unsafe" not in " ".join(rules.values())
    assert rules["img-src"] == "data:"
