"""Outputs below a host's line are that host's; a banner's word is a host only where it must be one."""

from __future__ import annotations

import pytest

from analyzer.layers.sections import Sections, told
from tests.layers.entries import Line, all_of, said

RULE = "-" * 16


def hosts(text: str) -> list[tuple[str, str]]:
    return [found for found in said(all_of(Sections[Line](text.split("\n")), text)) if found[1]]


@pytest.mark.parametrize(
    "text",
    [
        "kube3 | CHANGED | rc=0 >>\na\n\nkube2 | FAILED | rc=1 >>\nb",
        "==> node1 <==\na\n\n==> node2 <==\nb",
        "### node1\na\n### node2 ###\nb",
        "==> node0.free.txt <==\na\n==> node1.free.txt <==\nb",
        "=== 192.0.2.1 ===\na\n=== 192.0.2.2 ===\nb",
        "---- host: dgx-01 ----\na\n---- host: dgx-02 ----\nb",
        f"{RULE}\nnode[1-3]\n{RULE}\na\n{RULE}\nnode4\n{RULE}\nb",
        f"{RULE}\nnode1,node3 (2)\n{RULE}\na\n{RULE}\nnode2\n{RULE}\nb",
        '$ for h in alpha beta; do echo "### $h"; ssh alpha free; done\n$ ssh alpha\n$ ssh beta\n### alpha\na\n### beta\nb',
        "### gpu-1.example.org\na\n### gpu-2.example.org\nb",
        "### alpha.acme.internal\na\n### beta.acme.internal\nb",
        "$ ssh -p 22 -o BatchMode=yes root@alpha free; ssh -tt -i ~/.ssh/a beta free\n### alpha\na\n### beta\nb",
        "$ pdsh -R ssh -w alpha free; clush -w beta free\n### alpha\na\n### beta\nb",
    ],
)  # fmt: skip
def test_lines_belong_to_the_host_above_them(text: str) -> None:
    assert told(text.split("\n"))
    found = hosts(text)
    assert [message for _, message in found] == ["a", "b"]
    assert len({host for host, _ in found}) == 2


@pytest.mark.parametrize(
    "text",
    [
        "### before\na\n### after\nb",
        "=== free ===\na\n=== nvidia-smi ===\nb",
        "### run-1\na\n### run-2\nb",
        "### gpu0\na\n### gpu1\nb",
        "### 09:12\na\n### 10:20\nb",
        "==> server.log <==\na\n==> router.log <==\nb",
        "==> node0.free.txt <==\na\n==> node0.ps.txt <==\nb",
        "==> /var/log/messages <==\na\n==> /var/log/syslog <==\nb",
        "### node1\na",  # one name may be that of a chapter
        f"{RULE}\nfree\n{RULE}\na\n{RULE}\nps\n{RULE}\nb",
        "name | value\na | CHANGED",
        "## torch.distributed.run\na\n## torch.distributed.launch\nb",
        "==> pod.a.yaml <==\na\n==> pod.b.yml <==\nb",
        "==> my.app.conf <==\na\n==> my.lib.py <==\nb",
        "$ ssh -p 22 alpha\n$ ssh -p 23 beta\n### 22\na\n### 23\nb",
        "$ pdsh -w alpha free; pdsh -w beta ps\n### free\na\n### ps\nb",
        "### Describe the bug\na\n### Environment\nb",
    ],
)
def test_other_banners_name_no_host(text: str) -> None:
    assert not told(text.split("\n"))


def test_a_prompt_ends_the_last_host_s_output() -> None:
    text = "kube3 | CHANGED | rc=0 >>\na\nroot@head:~# cat server.log\nb"
    assert hosts(text) == [("kube3", "a")]


def test_rules_that_frame_something_else_stay() -> None:
    text = f"{RULE}\nnode1\n{RULE}\na\n{RULE}\nnode2\n{RULE}\n{RULE}\n| x |\n{RULE}"
    assert hosts(text) == [("node1", "a"), ("node2", RULE), ("node2", "| x |"), ("node2", RULE)]


def test_a_name_of_many_thousand_signs_is_none() -> None:
    name = "node" + f"[{'1' * 200}]" * 200
    assert not told([f"### {name}", f"### {name}1"])
