"""Facts given by hand are read strictly, each refusal with what to write instead."""

from __future__ import annotations

import pytest

from analyzer.cli import facts
from analyzer.errors import UsageError
from analyzer.units.amount import Given


@pytest.mark.parametrize(
    "text",
    [
        "449G",
        "449",
        "449 g",
        "449M",
        "1.5T",
        "node1=449G",
        "449GBit",
        "lots",
        "GiB",
        "-5GiB",
        "4e9B",
        "=449GiB",
        "nan GiB",
        "",
    ],
)
def test_a_size_that_may_mean_two_things_or_nothing_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="--ram"):
        facts.size(text, "--ram")


def test_the_refusal_of_a_bare_g_says_what_to_write() -> None:
    with pytest.raises(UsageError) as refused:
        facts.size("449G", "--ram")
    assert "449GiB (2^30 bytes" in str(refused.value)
    assert "449GB (10^9 bytes)" in str(refused.value)


@pytest.mark.parametrize(
    ("text", "node", "size"),
    [
        ("449GiB", None, 449 * 2**30),
        ("449gib", None, 449 * 2**30),
        ("449 GiB", None, 449 * 2**30),
        ("449Gi", None, 449 * 2**30),
        ("482GB", None, 482 * 10**9),
        ("1.5TiB", None, 1536 * 2**30),
        ("node1=449GiB", "node1", 449 * 2**30),
    ],
)
def test_a_size_with_its_unit_is_exact(text: str, node: str | None, size: int) -> None:
    assert facts.size(text, "--ram")[0] == node
    assert facts.size(text, "--ram")[1].value == size


def test_a_given_size_says_where_it_comes_from() -> None:
    assert facts.size("449GiB", "--ram")[1].origin == Given("user", "--ram")


def test_ram_is_kept_by_node() -> None:
    assert {node: int(amount.value) for node, amount in facts.ram(["1GiB", "n1=2GiB"]).items()} == {
        None: 2**30, "n1": 2**31,
    }  # fmt: skip


def test_one_node_has_one_size() -> None:
    with pytest.raises(UsageError, match="twice for n1"):
        facts.ram(["n1=1GiB", "n1=2GiB"])


def test_gpu_memory_has_no_node() -> None:
    assert facts.gpu_memory(None) is None
    with pytest.raises(UsageError, match="without a node"):
        facts.gpu_memory("n1=96GiB")


@pytest.mark.parametrize(("text", "plain"), [(None, None), ("v0.5.9", "0.5.9"), ("0.5.5.post3", "0.5.5.post3")])
def test_a_release_is_kept_without_its_v(text: str | None, plain: str | None) -> None:
    assert facts.release(text) == plain


@pytest.mark.parametrize("text", ["latest", "0.5.x", ""])
def test_what_is_no_version_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="--sglang-version"):
        facts.release(text)


@pytest.mark.parametrize("text", [None, "UTC", "Europe/Berlin", "+02:00", "-0330"])
def test_a_zone_is_a_name_or_an_offset(text: str | None) -> None:
    assert facts.zone(text) == text


@pytest.mark.parametrize("text", ["Berlin", "../etc/passwd", "+2", ""])
def test_what_is_no_zone_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="--tz"):
        facts.zone(text)


@pytest.mark.parametrize("text", [None, "10:12:41", "10:12", "2026-02-17 10:12:41", "2026-02-17T10:12:41+01:00"])
def test_a_moment_is_a_time_of_day_or_a_date_with_one(text: str | None) -> None:
    assert facts.moment(text) == text


@pytest.mark.parametrize("text", ["now", "2026-02-17", "10", "25:00", ""])
def test_what_is_no_moment_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="--as-of"):
        facts.moment(text)
