"""A private thing has one stand-in wherever it is met, and what is none keeps its name."""

from __future__ import annotations

import pytest

from analyzer.redact.forms import IDENTITIES, SECRETS
from analyzer.redact.stand_ins import COVER, StandIns


def through(kinds: frozenset[str], *texts: str) -> list[str]:
    """Texts after all of them were read."""
    book = StandIns(kinds)
    for text in texts:
        book.read(text)
    rewrite = book.rewriter(texts)
    return [rewrite(text) for text in texts]


@pytest.mark.parametrize(
    "text",
    [
        "root@localhost:~# free -g",
        "host='0.0.0.0', port=30000, tp_size=8, model_path='/models/Kimi-K2.5'",
        'File "/sgl-workspace/sglang/python/sglang/srt/managers/scheduler.py", line 99, in run',
        "docker run lmsysorg/sglang:v0.5.9-cu126 from https://huggingface.co/moonshotai/Kimi-K2.5",
        "[2026-02-17 10:06:42 TP0] Decode batch. #running-req: 28, #token: 116171, token usage: 0.97",
        "n0/DP1/TP3 in node0, rank0, GPU0",
    ],
)
def test_what_carries_the_diagnosis_stays(text: str) -> None:
    assert through(IDENTITIES, text) == [text]
    assert through(SECRETS, text) == [text]


def test_a_name_is_replaced_where_nothing_says_that_it_is_one() -> None:
    assert through(IDENTITIES, "free_alice_gpu-w07.log", "Alice restarted GPU-W07", "alice@gpu-w07:~$ free -g") == [
        "free_user-1_host-1.log",
        "user-1 restarted host-1",
        "user-1@host-1:~$ free -g",
    ]


def test_a_longer_name_is_another_name() -> None:
    texts = through(IDENTITIES, "alice@gpu-w07:~$ ls", "gpu-w071 xgpu-w07 alices 2gpu-w07")
    assert texts[1] == "gpu-w071 xgpu-w07 alices 2gpu-w07"


def test_a_name_that_is_also_a_word_of_a_report_is_replaced_only_where_it_is_one() -> None:
    texts = through(IDENTITIES, "/home/cause/run.py", "the cause is established")
    assert texts == ["/home/user-1/run.py", "the cause is established"]


def test_a_full_name_and_its_first_label_are_one_host() -> None:
    texts = through(
        IDENTITIES, "http://gpu-w07.corp.acme.com:8998", "gpu-w07:4177:5007 [1] NCCL INFO", "vault.corp.acme.com"
    )
    assert texts == ["http://host-1:8998", "host-1:4177:5007 [1] NCCL INFO", "host-2"]


def test_two_networks_may_have_hosts_of_the_same_first_label() -> None:
    (text,) = through(IDENTITIES, "http://w-7.a.acme.com http://w-7.b.acme.com")
    assert text == "http://host-1 http://host-2"


def test_a_domain_that_is_known_hides_in_names_that_are_not() -> None:
    texts = through(IDENTITIES, "mail ann@lab.acme.example", "https://x", "db1-lab.acme.example is in lab.acme.example")
    assert texts[0] == "mail mail-1"
    assert texts[2] == "db1-domain-1 is in domain-1"


def test_a_stand_in_of_the_input_keeps_its_number() -> None:
    texts = through(IDENTITIES, "user@host-1:~$ ls", "Jul 21 03:00:00 gpu-w07 kernel: x")
    assert texts == ["user@host-1:~$ ls", "Jul 21 03:00:00 host-2 kernel: x"]


def test_a_path_loses_its_owner_and_keeps_its_model() -> None:
    texts = through(
        IDENTITIES, "model_path='/mnt/acme/team-x/Kimi-K2.5'", "No space left: '/mnt/acme/tmp/x'", "/home/bo.li/q/a.py"
    )
    assert texts == [
        "model_path='/mnt/folder-1/folder-2/Kimi-K2.5'",
        "No space left: '/mnt/folder-1/tmp/x'",
        "/home/user-1/folder-3/a.py",
    ]


def test_a_secret_is_the_same_wherever_it_stands() -> None:
    texts = through(SECRETS, "--api-key topsecret-1 --tp 8", "api_key='topsecret-1'", "401 for topsecret-1")
    assert texts == ["--api-key secret-1 --tp 8", "api_key='secret-1'", "401 for secret-1"]


def test_a_short_secret_is_replaced_only_where_something_says_what_it_is() -> None:
    assert through(SECRETS, "--api-key 8 --tp 8") == ["--api-key secret-1 --tp 8"]


def test_a_prompt_and_its_token_ids_are_never_quoted() -> None:
    (text,) = through(
        SECRETS, "Receive: obj=GenerateReqInput(rid='1', text='dear \\'ada\\'', input_ids=[101, 7592], stream=True)"
    )
    assert text == "Receive: obj=GenerateReqInput(rid='1', text=prompt-1, input_ids=tokens-1, stream=True)"


def test_a_prompt_is_known_again_without_its_quotes() -> None:
    texts = through(
        SECRETS, "obj=GenerateReqInput(text='tell me a secret story')", "bad request: tell me a secret story"
    )
    assert texts == ["obj=GenerateReqInput(text=prompt-1)", "bad request: prompt-1"]


def test_a_very_long_prompt_costs_no_more_than_a_long_one() -> None:
    long = "word " * 12_000
    assert through(SECRETS, f"obj=GenerateReqInput(text='{long}', rid='1')") == [
        "obj=GenerateReqInput(text=prompt-1, rid='1')"
    ]


def test_a_name_that_the_text_was_cut_within_is_replaced() -> None:
    long = "x " * 60
    texts = through(IDENTITIES, "ann-b@gpu-w07.acme.com:~$ ls", f"{long}from gpu-w07.ac", f"pu-w07 said {long}")
    assert texts[1] == f"{long}from host-1"
    assert texts[2] == f"host-1 said {long}"


def test_a_stand_in_that_was_cut_is_no_name() -> None:
    texts = ["user-1@gpu-w07:~$ ls", "/home/user-", "/home/use", "/home/user-1/run.py"]
    assert through(IDENTITIES, *texts) == ["user-1@host-1:~$ ls", *texts[1:]]


def test_overlapping_finds_leave_nothing_between_them() -> None:
    (text,) = through(IDENTITIES, "mailto:ann-b@gpu-w07.acme.com from ann-b@gpu-w07.acme.com:~$ ls")
    assert "ann-b" not in text
    assert "acme" not in text


def test_reading_twice_changes_nothing() -> None:
    once = through(IDENTITIES, "alice@gpu-w07:~$ curl http://10.20.30.41:30000")
    assert through(IDENTITIES, *once) == once


def test_what_is_left_of_it_is_found() -> None:
    book = StandIns(SECRETS | IDENTITIES)
    book.read("alice@gpu-w07:~$ HF_TOKEN=hf_x sglang --api-key topsecret-1")
    assert book.left_in("user-1@host-1:~$ HF_TOKEN=secret-1") == []
    assert book.left_in("as Alice, HF_TOKEN=hf_x, topsecret-1") == ["Alice", "hf_x", "topsecret-1"]
    assert book.left_in("hf_x by itself may be anything") == []


def test_what_was_used_is_counted_by_kind() -> None:
    book = StandIns(IDENTITIES)
    texts = ["alice@gpu-w07:~$ ls", "http://gpu-w07.acme.com"]
    for text in [*texts, "bob@gpu-w08:~$ ls"]:
        book.read(text)
    rewrite = book.rewriter(texts)
    assert [rewrite(text) for text in texts] == ["user-1@host-1:~$ ls", "http://host-1"]
    assert book.used == {"user": {"user-1": {"alice"}}, "host": {"host-1": {"gpu-w07", "gpu-w07.acme.com"}}}


def test_what_was_covered_before_a_line_was_cut_is_no_secret_of_its_own() -> None:
    covered = f"api_key='{COVER * 12}' and api_key='{COVER * 12}'"
    assert through(SECRETS, covered) == [covered]


def test_a_mail_address_of_first_and_last_name_names_an_account_and_one_of_a_role_does_not() -> None:
    assert through(IDENTITIES, "ada.byron@acme.example, info@acme.example", "owner=ada.byron: info") == [
        "mail-1, mail-2",
        "owner=user-1: info",
    ]
