"""Of two servers on one host, a kernel's record is of the one whose container its control group names."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from analyzer.events import OomKill
from analyzer.launches.control_groups import ids_of, job_of, named_in
from analyzer.vocabulary import Role
from tests.build import where
from tests.judging import answer, read
from tests.launches.ends_told import LOG

if TYPE_CHECKING:
    from analyzer.contract import Report

A, B, C = "a1b2c3d4e5f6" + "0" * 52, "b1b2c3d4e5f6" + "1" * 52, "c1b2c3d4e5f6" + "2" * 52
UID = "0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0"

PATHS = (
    "/docker/{}",
    "/system.slice/docker-{}.scope",
    "/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod0f1e2d3c_4b5a_6978_8796_a5b4c3d2e1f0.slice/cri-containerd-{}.scope",
    "/kubepods/besteffort/pod0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0/{}",
    "/machine.slice/libpod-{}.scope/container",
    "/system.slice/containerd.service/kubepods-pod0f1e2d3c.slice:cri-containerd:{}",
)


def kernel(path: str, name: str = "sglang::schedul") -> str:
    at = "Feb 17 10:06:20 h kernel: "
    return (
        f"{at}oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null),cpuset=x,mems_allowed=0-1,oom_memcg={path},"
        f"task_memcg={path},task={name},pid=2233,uid=0\n"
        f"{at}Memory cgroup out of memory: Killed process 2233 ({name}) total-vm:9kB, anon-rss:8kB, file-rss:0kB, "
        "shmem-rss:0kB, UID:0 pgtables:0kB oom_score_adj:0\n"
    )


def docker_ps(*rows: tuple[str, str, str], command: str = '"python3 -m sglang.la…"') -> str:
    head = ("CONTAINER ID", "IMAGE", "COMMAND", "CREATED", "STATUS", "PORTS", "NAMES")
    cells = [head, *((id_, image, command, "2 hours ago", "Up 2 hours", "", name) for id_, image, name in rows)]
    widths = [max(map(len, column)) + 3 for column in zip(*cells, strict=True)]
    return "\n".join("".join(map(str.ljust, row, widths)).rstrip() for row in cells)


def inspected(id_: str, name: str, port: int) -> str:
    words = ["-m", "sglang.launch_server", "--model-path", "/models/m", "--port", str(port)]
    args = ",\n".join(f'            "{word}"' for word in words)
    return f"""[
    {{
        "Id": "{id_}",
        "Path": "python3",
        "Args": [
{args}
        ],
        "State": {{
            "Status": "running",
            "Running": true,
            "OOMKilled": false,
            "ExitCode": 0
        }},
        "Name": "/{name}",
        "Config": {{
            "Image": "lmsysorg/sglang:v0.5.9"
        }}
    }}
]
"""


def described(pod: str, id_: str) -> str:
    return f"""
Name:             {pod}
Containers:
  main:
    Container ID:   containerd://{id_}
    Image:          lmsysorg/sglang:v0.5.9
    State:          Running
    Restart Count:  0
"""


def crictl_ps() -> str:
    head = "CONTAINER           IMAGE               CREATED             STATE               NAME                ATTEMPT             POD ID              POD"
    rows = (
        f"{id_[:13]}       lmsysorg/sglang     2 hours ago         Running             main                0                   93fe2bd3ac0ff       {pod}"
        for id_, pod in ((A, "sglang-a"), (B, "sglang-b"))
    )
    return "\n".join([head, *rows])


def objects() -> str:
    pods = ""
    for pod, id_ in (("sglang-a", A), ("sglang-b", B)):
        pods += (
            f"---\napiVersion: v1\nkind: Pod\nmetadata:\n  name: {pod}\nspec:\n  containers:\n  - name: main\n"
            "    image: lmsysorg/sglang:v0.5.9\nstatus:\n  containerStatuses:\n"
            f"  - name: main\n    containerID: containerd://{id_}\n    restartCount: 0\n"
        )
    return pods


SGLANG = "lmsysorg/sglang:v0.5.9"
BOTH = docker_ps((A[:12], SGLANG, "sglang-a"), (B[:12], SGLANG, "sglang-b"))
LISTINGS = {
    "docker ps": BOTH,
    "podman ps --no-trunc": docker_ps((A, SGLANG, "sglang-a"), (B, SGLANG, "sglang-b")),
    "docker inspect": inspected(A, "sglang-a", 30000) + inspected(B, "sglang-b", 30001),
    "kubectl describe": described("sglang-a", A) + "\n\n" + described("sglang-b", B),
    "crictl ps": crictl_ps(),
    "kubectl get -o yaml": objects(),
}


def judged(
    path: str, listing: str, log: str = "sglang-a.log", text: str = LOG, name: str = "sglang::schedul"
) -> Report:
    files = {log: text, "dmesg.txt": kernel(path, name), "listing.txt": listing.lstrip("\n")}
    return answer([read(source, held.encode()) for source, held in files.items()])


def status(report: Report) -> str | None:
    """How firmly the kill is the server's; `None` where it is not blamed on it at all."""
    return next((f.status for f in report.findings if f.id == "host-oom-kill" and f.role != Role.BYSTANDER), None)


@pytest.mark.parametrize("listing", LISTINGS.values(), ids=LISTINGS)
@pytest.mark.parametrize("path", PATHS)
def test_the_kill_in_the_other_container_is_not_the_server_s(path: str, listing: str) -> None:
    assert status(judged(path.format(B), listing)) is None
    assert status(judged(path.format(A), listing)) == "established"


def test_where_nothing_tells_which_of_two_servers_wrote_the_log_the_kill_is_nobody_s() -> None:
    report = judged(PATHS[0].format(A), BOTH, log="server.log")
    assert status(report) is None
    asked = next(u for u in report.unknown if u.id == "host-oom-kill")
    assert "docker ps" in " ".join(c.command for c in asked.confirm)


def test_a_record_without_a_container_is_one_server_s_of_two_at_most_by_its_name() -> None:
    assert status(judged("/", BOTH)) == status(judged("/", BOTH, log="server.log")) == "supported"


def test_a_container_that_no_tool_lists_is_perhaps_the_server_s_own_as_it_was_before() -> None:
    one = docker_ps((A[:12], SGLANG, "sglang-a"))
    assert status(judged(PATHS[0].format(C), one, log="server.log")) == "supported"
    assert status(judged(PATHS[0].format(C), one)) is None, "the server's own is listed, and has another id"


def test_a_pod_s_container_has_another_id_after_each_restart() -> None:
    assert status(judged(PATHS[3].format(C), described("sglang-a", A))) == "supported"


@pytest.mark.parametrize(("id_", "expected"), [(A, "established"), (B, None)])
def test_a_log_may_be_called_by_its_container_s_id(id_: str, expected: str | None) -> None:
    for log in (f"containers/{A}/{A}-json.log", f"llm-0_prod_main-{A}.log"):
        assert status(judged(PATHS[0].format(id_), "", log=log)) == expected
        assert status(judged(PATHS[0].format(id_), BOTH.replace("sglang-", "llm-"), log=log)) == expected


@pytest.mark.parametrize(("id_", "expected"), [(A, "established"), (B, None)])
def test_compose_marks_its_lines_by_the_service(id_: str, expected: str | None) -> None:
    text = "".join(f"sglang-a-1  | {line}\n" for line in LOG.splitlines())
    names = docker_ps((A[:12], SGLANG, "shop-sglang-a-1"), (B[:12], SGLANG, "shop-sglang-b-1"))
    assert status(judged(PATHS[1].format(id_), names, log="compose.log", text=text)) == expected


@pytest.mark.parametrize(("id_", "expected"), [(A, "established"), (B, None)])
def test_the_command_line_that_the_log_agrees_with_is_the_server_s(id_: str, expected: str | None) -> None:
    listing = inspected(A, "one", 30000) + inspected(B, "two", 30001)
    assert status(judged(PATHS[0].format(id_), listing, log="server.log")) == expected
    ps = docker_ps((A, SGLANG, "one"), command='"python3 -m sglang.launch_server --model-path /models/m"')
    ps += "\n" + docker_ps((B, SGLANG, "two"), command='"sglang serve --model-path /models/other"').partition("\n")[2]
    assert status(judged(PATHS[0].format(id_), ps, log="server.log")) == expected


def test_in_its_own_container_python_is_the_server_s_for_certain() -> None:
    assert status(judged(PATHS[0].format(A), BOTH, name="python3")) == "established"
    assert status(judged(PATHS[0].format(A), BOTH, name="postgres")) is None


@pytest.mark.parametrize(
    ("path", "ids", "job"),
    [
        ("/system.slice/sshd.service", [], ""),
        (f"/system.slice/{A[:60]}.service", [], ""),  # shorter than any id
        (f"/docker/{A}", [A], ""),
        (f"/docker/{C}/kubelet/kubepods/pod{UID}/{A}", [A, C, UID.replace("-", "")], ""),
        ("/system.slice/slurmstepd.scope/job_4170/step_batch/user/task_0", [], "job 4170"),
        ("/slurm/uid_1000/job_4170/step_0", [], "job 4170"),
    ],
)
def test_a_path_s_ids_are_read_innermost_first(path: str, ids: list[str], job: str) -> None:
    kill = OomKill(where=where(1), pid=7, task_cgroup=path)
    assert (ids_of(kill), job_of(kill)) == (ids, job)


def test_a_name_without_a_whole_id_names_no_container() -> None:
    assert named_in(f"logs/{A}-json.log") == [A]
    assert named_in(f"logs/{A[:12]}.log") == named_in(f"logs/{A}{A}.log") == []


@pytest.mark.parametrize(("job", "expected"), [("4170", "established"), ("4171", None)])
def test_a_job_s_record_is_that_job_s(job: str, expected: str | None) -> None:
    path = f"/system.slice/slurmstepd.scope/job_{job}/step_0/user/task_0"
    assert status(judged(path, "", log="slurm-4170.out")) == expected
