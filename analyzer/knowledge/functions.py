"""What SGLang's functions do: in which phase a process is that stands in one of them, and which process it is."""

from __future__ import annotations

from analyzer.vocabulary import Phase

# Steps that only a launch takes, by their phase; `None` where a step belongs to several.
LAUNCH_STEPS: dict[Phase | None, tuple[str, ...]] = {
    None: (
        "init_model_worker",
        "init_tp_model_worker",
        "launch_subprocesses",
        "wait_for_scheduler_ready",
        "prepare_server_args",
    ),
    Phase.DISTRIBUTED_INIT: ("init_torch_distributed",),
    Phase.WEIGHT_LOAD: ("load_model",),
    Phase.KV_POOL: ("init_memory_pool", "alloc_memory_pool"),
    Phase.GRAPH_CAPTURE: ("init_cuda_graphs", "init_device_graphs", "capture_one_batch_size"),
    Phase.HOST_POOL: ("init_kv_buffer",),
}
# What a launch does in these phases, and a serving server as well at times (new weights, a process group of its own).
LAUNCH_MOSTLY: dict[Phase, tuple[str, ...]] = {
    Phase.DISTRIBUTED_INIT: ("init_distributed_environment", "initialize_model_parallel"),
    Phase.WEIGHT_LOAD: (
        "load_weights",
        "load_weights_and_postprocess",
        "create_weights",
        "process_weights_after_loading",
        "_initialize_model",
        "weight_loader",
        "default_weight_loader",
        "make_layers",
    ),
    Phase.KV_POOL: ("_create_buffers", "_init_pools", "profile_max_num_token"),
    Phase.GRAPH_CAPTURE: ("capture", "_capture_graph", "capture_one_shape"),
}
EVENT_LOOP = "event_loop"  # how its names begin
_LOOPS = (
    "event_loop_normal",
    "event_loop_overlap",
    "event_loop_pp",
    "run_event_loop",
    "dispatch_event_loop",
    "loop_for_forward",
    "exposed_step",
)
_BATCH = (
    "run_batch",
    "forward_batch_generation",
    "forward_batch_embedding",
    "forward_thread_func",
    "forward_thread_func_",
    "get_next_batch_to_run",
    "loop_for_forward",
    "exposed_step",
)
# How the functions begin of a scheduler that has left its launch behind.
SERVING_STEPS = (
    EVENT_LOOP,
    "run_event_loop",
    "dispatch_event_loop",
    "get_next_batch_to_run",
    "get_new_batch_prefill",
    "get_model_worker_batch",
    "self_check_during_idle",
    "retract_decode",
    "filter_batch",
    "merge_batch",
    "run_batch",
    "process_batch_result",
    "recv_requests",
    "process_input_requests",
    "forward_thread_func",
    "loop_for_forward",
    "exposed_step",
)
PHASE_OF: dict[str, Phase] = {
    **{name: phase for phase, names in LAUNCH_STEPS.items() if phase is not None for name in names},
    **{name: phase for phase, names in LAUNCH_MOSTLY.items() for name in names},
    **dict.fromkeys(_BATCH, Phase.SERVING),
}
# Files and functions that are the whole life of one process: a traceback through them was printed at its end.
LIFE_OF: dict[str, str] = {
    "run_scheduler_process": "scheduler",
    "run_tp_server": "scheduler",
    **dict.fromkeys(_LOOPS, "scheduler"),
    "schedule_batch.py": "scheduler",
    "tp_worker_overlap_thread.py": "scheduler",
    "run_detokenizer_process": "detokenizer",
    "run_data_parallel_controller_process": "controller",
    "launch_server.py": "main",
    "launch_server": "main",
    "prepare_server_args": "main",
    "server_args.py": "main",
    **dict.fromkeys(
        ("init_torch_distributed", "init_memory_pool", "init_device_graphs", "init_cuda_graphs"), "scheduler"
    ),
}
