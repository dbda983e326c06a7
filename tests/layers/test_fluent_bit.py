"""What fluent-bit prints of its records is the lines in them, though it escapes nothing."""

from __future__ import annotations

from datetime import datetime

import pytest

from analyzer.layers.fluent_bit import Printed, told
from tests.layers.entries import all_of, said

CONTAINER = (
    "simple-app-dd44b5ff4-2zhps_default_simple-app-8964f46eb8eba5cedbc75be3b8e32c9dbdf182a3f87fd808f82e8e7d19113d30"
)


@pytest.mark.parametrize(
    ("text", "node", "message"),
    [
        ('[0] tail.0: [[1768474055.239296791, {}], {"log"=>"Hello"}]', "", "Hello"),
        ('[0] tail.0: [1768474055.239296791, {"log"=>"Hello", "stream"=>"stderr"}]', "", "Hello"),
        ('[12] kube.a: [[1768474055.239296791, {}], {"stream"=>"stderr", "logtag"=>"F", "message"=>"Hello"}]', "", "Hello"),
        (f'[0] kube.var.log.containers.{CONTAINER}.log: [[1768474055.239296791, {{}}], {{"log"=>"Count 249\n", "stream"=>"stdout"}}]', "simple-app-dd44b5ff4-2zhps", "Count 249"),
        ('[3] dummy: [[1768474055.239296791, {}], {"log"=>"{"message": "x", "number":33}", "log_record_bytes"=>92}]', "", '{"message": "x", "number":33}'),
        ('[0] k: [[1768474055.239296791, {}], {"log"=>"a", "kubernetes"=>{"pod_name"=>"p-0", "host"=>"gpu-1"}}]', "p-0", "a"),
        ('[0] j: [[1768474055.239296791, {}], {"MESSAGE"=>"NVRM: Xid", "_TRANSPORT"=>"kernel", "_HOSTNAME"=>"gpu-1"}]', "gpu-1", "kernel: NVRM: Xid"),
        ('[0] t: [[1768474055.239296791, {"k"=>"v"}], {"log"=>"Traceback:\n  File "a.py"\n\nValueError: x\n"}]', "", 'Traceback:\n  File "a.py"\n\nValueError: x'),
    ],
)  # fmt: skip
def test_a_record_is_its_text_with_time_and_origin(text: str, node: str, message: str) -> None:
    assert told(text.split("\n"))
    entries = all_of(Printed(), f"{text}\n[2026/01/15 10:47:34] [ info] [output:stdout:stdout.0] worker #0 started\n")
    assert said(entries) == [(node, message)]
    peeled = entries[0][0].peeled
    assert peeled
    assert peeled.stamp
    assert peeled.stamp.moment.replace(microsecond=0) == datetime(2026, 1, 15, 10, 47, 35)  # 1,768,474,055 s after 1970


@pytest.mark.parametrize(
    "text",
    [
        "[2026-01-15 10:47:34 TP0] said: [[1, {}], {'log': 'a'}]",
        '[0] cpu.0: [[1768474055.239296791, {}], {"cpu_p"=>1.5}]',
        "[0] said: [1, 2]",
    ],
)
def test_other_lines_are_not_taken_for_records(text: str) -> None:
    assert not told([text])


def test_a_record_that_is_cut_off_gives_what_it_holds() -> None:
    text = '[0] tail.0: [[1768474055.239296791, {}], {"log"=>"first\nsecond'
    assert said(all_of(Printed(), text)) == [("", "first\nsecond")]
