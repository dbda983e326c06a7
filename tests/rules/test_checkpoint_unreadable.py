"""Model files that are missing, damaged, elsewhere, or not what the model class wants."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analyzer.events import RankDead, ServerReady, WeightLoadBegun, WeightsLoaded
from analyzer.vocabulary import Status
from tests.build import DAY, size, tp, where
from tests.rules.answers import answers, cleared, failure, found, numbers, raised, report_on

if TYPE_CHECKING:
    from pathlib import Path

RULE = "checkpoint-unreadable"
MISSING = "RuntimeError: model.safetensors.index.json references 2 shard file(s) missing from /m (incomplete download?): ['a']"
BUS = RankDead(
    where=where(9, "10:03:00"), text="Child process failed with an exit code 135.", code=size("135 count", 9)
)


def test_a_none_in_a_kernel_s_caller_is_no_missing_file() -> None:
    error = raised(
        "TypeError", "'NoneType' object is not subscriptable", 5, "10:00:00", frames=("scheduler.py:run_batch",)
    )
    assert answers(RULE, error) == []


def test_a_bus_error_after_the_weights_were_loaded_is_not_the_checkpoint_s() -> None:
    begun = WeightLoadBegun(where=where(2, "10:00:00", tp(0)))
    loaded = WeightsLoaded(where=where(3, "10:01:00", tp(0)))
    assert answers(RULE, begun, loaded, ServerReady(where=where(5, "10:02:00")), BUS) == []


def test_a_file_that_is_fetched_again_is_cleared() -> None:
    line = failure(RULE, MISSING, 5, "10:00:00", detail="['a']")
    assert "worked on" in cleared(RULE, line, ServerReady(where=where(30, "10:05:00")))


def test_the_loader_s_own_sentence_names_what_is_missing() -> None:
    verdict = found(RULE, failure(RULE, MISSING, 5, "10:00:00", tp(0), detail="['a'"))
    assert verdict.summary == f"the model's files could not be read: {MISSING}"


def test_missing_files_come_before_names_that_differ() -> None:
    names = failure(RULE, "KeyError: 'a.weight'", 4, "09:59:59", detail="a.weight", pattern="checkpoint-names-differ")
    assert "files could not be read" in found(RULE, names, failure(RULE, MISSING, 5, "10:00:00", detail="['a'")).summary
    assert "tensors are not those" in found(RULE, names).summary


def test_a_config_without_architectures_is_supported_and_takes_the_refusal_with_it() -> None:
    error = raised(
        "TypeError",
        "'NoneType' object is not subscriptable",
        5,
        "10:00:00",
        process="main",
        frames=("server_args.py:get_model_config", "model_config.py:__init__"),
    )
    verdict = found(RULE, error)
    assert verdict.status is Status.SUPPORTED
    assert "invalid-arguments" in verdict.explains


def test_a_bus_error_while_the_weights_are_read_is_supported_with_what_is_not_known() -> None:
    verdict = found(RULE, WeightLoadBegun(where=where(2, "10:00:00", tp(0))), BUS)
    assert verdict.status is Status.SUPPORTED
    assert numbers(verdict) == {"exit code": 135}
    assert verdict.not_known == ("whether a file is cut short, the storage fails, or /dev/shm is full",)


NO_TOKENIZER = f"""\
[{DAY} 10:00:00] server_args=ServerArgs(model_path='/m', tp_size=1, port=30000)
Traceback (most recent call last):
  File "/x/transformers/models/qwen2/tokenization_qwen2.py", line 172, in __init__
    with open(vocab_file, encoding="utf-8") as vocab_handle:
TypeError: expected str, bytes or os.PathLike object, not NoneType

During handling of the above exception, another exception occurred:

Traceback (most recent call last):
  File "/x/sglang/launch_server.py", line 20, in run_server
    launch_server(server_args)
  File "/x/transformers/tokenization_utils_base.py", line 87, in import_protobuf_decode_error
    raise ImportError(PROTOBUF_IMPORT_ERROR.format(error_message))
ImportError:
 requires the protobuf library but it was not found in your environment.
"""


def test_the_package_that_is_missed_while_a_missing_file_is_handled_is_not_the_cause(tmp_path: Path) -> None:
    report = report_on(tmp_path, server_log=NO_TOKENIZER)
    assert (report.verdict.outcome, report.verdict.finding) == ("launch-failed", RULE)


BAD_PATH = """\
Traceback (most recent call last):
  File "/x/sglang/launch_server.py", line 24, in <module>
    server_args = prepare_server_args(sys.argv[1:])
  File "/x/transformers/configuration_utils.py", line 721, in _get_config_dict
    raise OSError(
OSError: Can't load the configuration of '/models/Qwen3-32b'. If you were trying to load it from 'https://huggingface.co/models', make sure you don't have a local directory with the same name. Otherwise, make sure '/models/Qwen3-32b' is the correct path to a directory containing a config.json file
"""


def test_a_path_that_does_not_exist_ends_the_launch_without_any_header(tmp_path: Path) -> None:
    verdict = report_on(tmp_path, server_log=BAD_PATH).verdict
    assert (verdict.outcome, verdict.finding, verdict.status) == ("launch-failed", RULE, "established")
