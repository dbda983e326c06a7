"""The command line comes back with one thing changed."""

from __future__ import annotations

from analyzer.ledgers.launch_command import with_argument, without_arguments
from tests.build import incident, launch

COMMAND = (
    "python3 -m sglang.launch_server --model-path /m --tp 8 --enable-hierarchical-cache --hicache-size 300 --port 30000"
)


def test_an_unknown_command_line_is_not_made_up() -> None:
    assert with_argument(incident(launch()), "hicache_size", "50") is None
    assert without_arguments(incident(launch()), ("hicache_size",)) is None


def test_a_value_is_replaced_in_place() -> None:
    changed = with_argument(incident(launch(argv=COMMAND)), "hicache_size", "50")
    assert changed == COMMAND.replace("--hicache-size 300", "--hicache-size 50")


def test_a_value_behind_an_equals_sign_is_replaced() -> None:
    typed = COMMAND.replace("--hicache-size 300", "--hicache-size=300")
    changed = with_argument(incident(launch(argv=typed)), "hicache_size", "50")
    assert changed == COMMAND.replace("--hicache-size 300", "--hicache-size=50")


def test_another_spelling_of_the_flag_is_the_same_argument() -> None:
    changed = with_argument(incident(launch(argv=COMMAND)), "tp_size", "4")
    assert changed == COMMAND.replace("--tp 8", "--tp 4")


def test_an_argument_that_was_not_typed_is_appended() -> None:
    changed = with_argument(incident(launch(argv=COMMAND)), "mem_fraction_static", "0.9")
    assert changed == COMMAND + " --mem-fraction-static 0.9"


def test_what_the_log_contradicts_is_set_to_what_the_log_says() -> None:
    """The sizes are worked out for the ranks of the log, so its `tp_size` goes with them."""
    made = incident(launch(argv=COMMAND, values={"tp_size": 4, "hicache_size": 300}))
    changed = with_argument(made, "hicache_size", "50")
    assert changed == COMMAND.replace("--tp 8", "--tp 4").replace("--hicache-size 300", "--hicache-size 50")


def test_switches_and_values_are_taken_out() -> None:
    changed = without_arguments(incident(launch(argv=COMMAND)), ("enable_hierarchical_cache", "hicache_size"))
    assert changed == "python3 -m sglang.launch_server --model-path /m --tp 8 --port 30000"
