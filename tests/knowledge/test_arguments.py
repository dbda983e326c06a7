"""Spellings, scopes and defaults of server arguments."""

from __future__ import annotations

import pytest
from packaging.version import Version

from analyzer.knowledge.arguments import Scope, argument, arguments, find
from analyzer.knowledge.release import UNKNOWN, Release

# Quoted from a table of fields over the sampled releases: field, range, defaults at each change.
TABLE = """
| `tp_size` | 0.2.15..0.5.23 | 0.2.15:1 |
| `pp_size` | 0.4.6.post5..0.5.23 | 0.4.6.post5:1 |
| `dcp_size` | 0.5.15.post1..0.5.23 | 0.5.15.post1:1 |
| `attn_cp_size` | 0.5.9..0.5.23 | 0.5.9:1 |
| `attn_dp_size` | 0.5.22..0.5.23 | 0.5.22:1 |
| `node_rank` | 0.2.15..0.5.23 | 0.2.15:None → 0.3.6.post3:0 |
| `mem_fraction_static` | 0.2.15..0.5.23 | 0.2.15:None |
| `chunked_prefill_size` | 0.2.15..0.5.23 | 0.2.15:8192 → 0.4.0.post2:None |
| `page_size` | 0.4.4.post4..0.5.23 | 0.4.4.post4:1 → 0.4.9.post6:None |
| `kv_cache_dtype` | 0.2.15..0.5.23 | 0.2.15:'auto' |
| `cuda_graph_max_bs` | 0.3.6.post3..0.5.12.post1 | 0.3.6.post3:160 → 0.4.0.post2:None |
| `cuda_graph_config` | 0.5.14..0.5.23 | 0.5.14:None |
| `cpu_offload_gb` | 0.3.6.post3..0.5.23 | 0.3.6.post3:0 |
| `hicache_ratio` | 0.4.4.post4..0.5.23 | 0.4.4.post4:2.0 → 0.5.18:None |
| `hicache_size` | 0.4.6.post5..0.5.23 | 0.4.6.post5:0 |
| `hicache_write_policy` | 0.4.6.post5..0.5.23 | 0.4.6.post5:'write_through_selective' → 0.5.2:'write_through' |
| `hicache_io_backend` | 0.4.9.post6..0.5.23 | 0.4.9.post6:'' → 0.4.10.post2:'kernel' |
| `hicache_mem_layout` | 0.4.10.post2..0.5.23 | 0.4.10.post2:'layer_first' → 0.5.14:'page_first' |
| `hicache_storage_prefetch_policy` | 0.5.0rc0..0.5.23 | 0.5.0rc0:'best_effort' → 0.5.12.post1:'timeout' |
| `hicache_host_memory_fraction` | 0.5.21..0.5.23 | 0.5.21:0.8 |
| `watchdog_timeout` | 0.3.6.post3..0.5.23 | 0.3.6.post3:300 |
| `soft_watchdog_timeout` | 0.5.7..0.5.23 | 0.5.7:None |
| `log_requests_level` | 0.4.3.post4..0.5.23 | 0.4.3.post4:0 → 0.5.1.post3:2 |
"""
ROWS = [[cell.strip() for cell in row.split("|")[1:-1]] for row in TABLE.strip().splitlines()]


@pytest.mark.parametrize(("field", "span", "history"), ROWS)
def test_range_and_defaults_are_those_of_the_table(field: str, span: str, history: str) -> None:
    known = argument(field.strip("`"))
    assert known is not None
    first, last = span.split("..")
    assert known.exists(Release.of(first)) is True
    assert known.exists(Release.of(last)) is True
    for change in history.split(" → "):
        release, _, default = change.partition(":")
        assert known.default(Release.of(release)) == default


@pytest.mark.parametrize(
    ("field", "release"),
    [("attn_dp_size", "0.5.21"), ("hicache_size", "0.4.3.post4"), ("cuda_graph_max_bs", "0.5.14")],
)
def test_an_argument_is_not_there_before_its_first_and_after_its_last_release(field: str, release: str) -> None:
    known = argument(field)
    assert known is not None
    assert known.exists(Release.of(release)) is False


def test_a_range_over_a_change_has_no_default() -> None:
    ratio = argument("hicache_ratio")
    assert ratio is not None
    assert ratio.default(Release(low=Version("0.5.9"), high=Version("0.5.17"))) == "2.0"
    assert ratio.default(Release(low=Version("0.5.9"), high=Version("0.5.18"))) is None
    assert ratio.default(UNKNOWN) is None
    assert ratio.default(Release.of("0.5.9", fork=True)) is None


def test_a_default_that_never_changed_is_known_without_a_release() -> None:
    timeout = argument("watchdog_timeout")
    assert timeout is not None
    assert timeout.default(UNKNOWN) == "300"
    assert timeout.exists(UNKNOWN) is None


@pytest.mark.parametrize("name", ["", "-", "--", "--h", "--m", "no-such-flag", "--hicache", "tokenize", "radix"])
def test_what_is_no_argument_or_unclear_is_none(name: str) -> None:
    assert argument(name) is None


@pytest.mark.parametrize(
    ("spelling", "field"),
    [
        ("--tp", "tp_size"),
        ("tp", "tp_size"),
        ("--tp-size", "tp_size"),
        ("--tensor-parallel-size", "tp_size"),
        ("tensor_parallel_size", "tp_size"),
        ("--dp", "dp_size"),
        ("--data-parallel-size", "dp_size"),
        ("--pp", "pp_size"),
        ("--pipeline-parallel-size", "pp_size"),
        ("--ep", "ep_size"),
        ("--expert-parallel-size", "ep_size"),
        ("--model", "model_path"),
        ("--model-path", "model_path"),
        ("--mem-frac", "mem_fraction_static"),
        ("mem-fraction-static", "mem_fraction_static"),
        ("--enable-hicache", "enable_hierarchical_cache"),
        ("--hicache-size", "hicache_size"),
    ],
)
def test_every_spelling_names_the_field(spelling: str, field: str) -> None:
    known = argument(spelling)
    assert known is not None
    assert known.name == field


def test_an_old_field_name_lives_on_as_a_spelling() -> None:
    assert [find("--nccl-init-addr", Release.of(text)).name for text in ("0.3.0", "0.5.9")] == [  # type: ignore[union-attr]
        "nccl_init_addr",
        "dist_init_addr",
    ]


def test_a_spelling_that_moved_is_read_by_release() -> None:
    # the reference: "cuda_graph_max_bs ... end at 0.5.12.post1, replaced by cuda_graph_config (0.5.14+ ...)"
    assert [find("--cuda-graph-max-bs", Release.of(text)).name for text in ("0.5.9", "0.5.20")] == [  # type: ignore[union-attr]
        "cuda_graph_max_bs",
        "cuda_graph_max_bs_decode",
    ]
    unsure = find("--cuda-graph-max-bs")
    assert unsure is not None
    assert unsure.name == "cuda_graph_max_bs"


@pytest.mark.parametrize(
    ("field", "scope", "unit"),
    [
        ("hicache_size", Scope.RANK, "GB"),  # "per rank, 1e9 bytes"
        ("hicache_ratio", Scope.RANK, "ratio"),  # "ratio to that rank's device token count"
        ("hicache_host_memory_fraction", Scope.NODE, "ratio"),  # "node/cgroup-wide, divided by ranks_per_host"
        ("cpu_offload_gb", Scope.RANK, "GiB"),  # "per rank, GiB (×1024**3)"
        ("max_running_requests", Scope.GLOBAL, "count"),  # "global, divided: // dp_size"
        ("chunked_prefill_size", Scope.GLOBAL, "token"),  # "global per DP-attention group: rewritten // dp_size"
        ("mem_fraction_static", Scope.GPU, "ratio"),  # "per GPU, of free memory before load"
        ("max_total_tokens", Scope.RANK, "token"),  # "per rank (per DP group), tokens; upper clamp"
        ("cuda_graph_max_bs", Scope.DP_RANK, "count"),  # "per DP rank batch size"
        ("watchdog_timeout", Scope.RANK, "s"),  # "per scheduler, seconds without forward progress"
        ("tp_size", Scope.GLOBAL, "count"),  # "over all nodes"
    ],
)
def test_scope_and_unit_are_those_of_the_proofs_in_the_source(field: str, scope: Scope, unit: str) -> None:
    known = argument(field)
    assert known is not None
    assert (known.scope, known.unit) == (scope, unit)


def test_a_remark_holds_in_its_releases_only() -> None:
    dp_size = argument("dp_size")
    assert dp_size is not None
    moved = next(remark for remark in dp_size.remarks if "attn_dp_size" in remark.text)
    assert moved.certain(Release.of("0.5.22"))
    assert not moved.certain(Release.of("0.5.21"))
    assert not moved.certain(UNKNOWN)
    assert not moved.certain(Release.of("0.5.22", fork=True))


def test_every_argument_with_a_scope_says_what_it_is() -> None:
    assert all(known.sentence for known in arguments().values() if known.scope is not None)
    assert all(scope.sentence for scope in Scope)
