"""Where a server was whose launch no line shows."""

from __future__ import annotations

from analyzer.events import CRASH_STACK, ExceptionRaised, Fact, Failure, InitializationFailed, WatchdogFired
from analyzer.ledgers.whereabouts import launching, serving, starting
from tests.build import incident, launch, where


def raised(*frames: str, process: str = "scheduler", kind: str = "RuntimeError") -> ExceptionRaised:
    return ExceptionRaised(where=where(3, "10:00:00"), type=kind, process=process, frames=frames)


def dog(*, soft: bool) -> WatchdogFired:
    return WatchdogFired(where=where(4, "10:00:00"), text="Watchdog timeout", soft=soft)


def test_nothing_shows_nothing() -> None:
    empty = incident(launch())
    assert not serving(empty)
    assert not launching(empty)


def test_a_soft_watchdog_alone_does_not_show_that_it_served() -> None:
    assert not serving(incident(launch(dog(soft=True))))


def test_the_detokenizer_s_loop_is_no_scheduler_s() -> None:
    assert not serving(incident(launch(raised("detokenizer_manager.py:event_loop", process="detokenizer"))))


def test_a_step_of_the_launch_outweighs_a_watchdog() -> None:
    made = incident(launch(raised("model_runner.py:load_model"), dog(soft=False)))
    assert launching(made)
    assert not serving(made)


def test_a_hard_watchdog_or_a_frame_of_the_loop_shows_that_it_served() -> None:
    assert serving(incident(launch(dog(soft=False))))
    assert serving(incident(launch(raised("tp_worker_overlap_thread.py:forward_thread_func_"))))


def test_a_missing_module_is_found_by_a_program_that_starts() -> None:
    assert launching(incident(launch(raised(kind="ModuleNotFoundError"))))


def test_the_function_in_which_the_front_lives_all_its_life_is_no_step_of_the_launch() -> None:
    front = raised("http_server.py:launch_server", "server.py:run", process="main")
    made = incident(launch(front, dog(soft=False)))
    assert not launching(made)
    assert serving(made)


def test_a_loop_that_is_only_entered_shows_that_it_served() -> None:
    assert serving(incident(launch(raised("scheduler.py:run_scheduler_process", "scheduler.py:run_event_loop"))))
    assert not serving(incident(launch(raised("scheduler.py:run_scheduler_process"))))


def test_errors_of_a_pool_in_use_show_that_it_served_and_others_do_not() -> None:
    def failed(topic: str) -> Failure:
        return Failure(where=where(3, "10:00:00"), topic=topic)

    assert serving(incident(launch(failed("kv-pool-leak"))))
    assert serving(incident(launch(failed("kv-allocation-failure"))))
    assert not serving(incident(launch(failed("illegal-memory-access"))))
    assert not serving(incident(launch(failed("pd-transfer-failed"))))


def test_a_detokenizer_that_was_given_an_output_shows_that_it_served() -> None:
    frames = ("detokenizer_manager.py:event_loop", "utils.py:__call__")
    assert serving(incident(launch(raised(*frames, process="detokenizer"))))


def test_what_makes_a_scheduler_is_a_launch_also_where_markdown_took_its_underscores() -> None:
    assert launching(incident(launch(raised("scheduler.py:__init__"))))
    assert launching(incident(launch(raised("model_runner.py:init"))))
    assert not launching(incident(launch(raised("sampling_params.py:__init__"))))


def test_where_a_thread_stood_at_a_crash_tells_serving_from_a_launch() -> None:
    def stood(*frames: str) -> Fact:
        return Fact(where=where(3, "10:00:00"), name=CRASH_STACK, value="\n".join(frames))

    loop = incident(launch(stood("scheduler.py:run_scheduler_process", "scheduler.py:event_loop_overlap")))
    load = incident(launch(stood("scheduler.py:run_scheduler_process", "model_runner.py:load_model")))
    assert (serving(loop), launching(loop)) == (True, False)
    assert (serving(load), launching(load)) == (False, True)


def test_errors_of_a_start_are_told_from_those_of_any_time() -> None:
    def failed(topic: str) -> Failure:
        return Failure(where=where(3, "10:00:00"), topic=topic)

    assert starting(incident(launch(failed("invalid-arguments"))))
    assert starting(incident(launch(InitializationFailed(where=where(3, "10:00:00")))))
    assert not starting(incident(launch(failed("illegal-memory-access"))))
    assert not starting(incident(launch(failed("gpu-fault"))))


def test_a_step_that_a_start_mostly_takes_tells_of_one_where_nothing_else_does() -> None:
    loaded = incident(launch(raised("deepseek.py:load_weights")))
    assert starting(loaded)
    assert not launching(incident(launch(raised("deepseek.py:load_weights")))), "a server takes new weights as well"


def test_what_is_raised_while_modules_are_imported_is_raised_at_a_start() -> None:
    imported = raised("<frozen runpy>:_run_code", "__init__.py:<module>", process="main")
    later = raised("launch_server.py:run_server", "__init__.py:<module>", process="main")
    assert starting(incident(launch(imported)))
    assert not starting(incident(launch(later)))
    assert not starting(incident(launch(raised("__init__.py:<module>"))))
