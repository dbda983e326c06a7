"""Of a path, what lies there stays readable; whose it is does not."""

from __future__ import annotations

from analyzer.redact.folders import folders
from analyzer.redact.forms import shipped

KEPT = shipped().kept


def test_a_public_path_hides_nothing() -> None:
    assert folders("/models/Kimi-K2.5", KEPT, whole=True) == {}
    assert folders("/root/.cache/huggingface/hub/models--a--b/snapshots/1f", KEPT, whole=True) == {}
    assert folders("/root/sglang/python/sglang/srt/server.py", KEPT, whole=False) == {}


def test_the_last_part_of_a_model_s_path_stays() -> None:
    found = folders("/mnt/Acme/team-x/Kimi-K2.5", KEPT, whole=True)
    acme, team = ("folder", "acme"), ("folder", "team-x")
    assert found == {
        "/mnt/acme": ("", "/", "mnt", "/", acme),
        "/mnt/acme/team-x": ("", "/", "mnt", "/", acme, "/", team),
    }


def test_below_a_home_the_first_known_folder_ends_what_is_private() -> None:
    found = folders("/home/alice/acme/sglang/python/sglang/srt/secretive/x.py", KEPT, whole=False)
    assert found == {"/home/alice/acme": ("", "/", "home", "/", ("user", "alice"), "/", ("folder", "acme"))}


def test_the_home_itself_is_the_user_s_affair() -> None:
    assert folders("/home/alice/run.py", KEPT, whole=False) == {}
    assert folders("/home/alice/.cache/x/y", KEPT, whole=False) == {}


def test_a_path_without_end_is_not_followed_for_ever() -> None:
    assert len(folders("/home/alice" + "/a" * 30_000, KEPT, whole=False)) < 40
