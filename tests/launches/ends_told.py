"""A server's log that just goes on, what tools tell beside it, and whom a report then blames for a kill."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analyzer.vocabulary import Role
from tests.judging import accused, answer, read

if TYPE_CHECKING:
    from analyzer.contract import Report

LOG = """\
[2026-02-17 10:02:37] server_args=ServerArgs(model_path='/models/m', tp_size=1, port=30000)
[2026-02-17 10:03:00] Load weight begin. avail mem=78.00 GB
[2026-02-17 10:04:00] Load weight end. type=LlamaForCausalLM, dtype=torch.bfloat16, avail mem=62.00 GB, mem usage=16.00 GB.
[2026-02-17 10:05:00] The server is fired up and ready to roll!
[2026-02-17 10:06:00] Decode batch. #running-req: 3, #token: 512, token usage: 0.01, gen throughput (token/s): 90.00, #queue-req: 0
[2026-02-17 10:06:10] Decode batch. #running-req: 3, #token: 640, token usage: 0.01, gen throughput (token/s): 90.00, #queue-req: 0
"""

DESCRIBED = """
Name:             {pod}
Containers:
  {name}:
    Image:          {image}
    State:          Running
    Restart Count:  0
Events:  <none>


Name:             {other}
Containers:
  {inner}:
    Image:          {beside}
    State:          Waiting
      Reason:       CrashLoopBackOff
    Last State:     Terminated
      Reason:       OOMKilled
      Exit Code:    137
      Finished:     Tue, 17 Feb 2026 10:06:20 +0000
    Restart Count:  4
Events:
  Type     Reason     Age   From     Message
  ----     ------     ----  ----     -------
  Warning  Evicted    12m   kubelet  The node was low on resource: memory.
  Normal   Killing    12m   kubelet  Container {inner} failed liveness probe, will be restarted
"""

INSPECTED = """
[
    {{
        "Id": "3be1c0aa55",
        "State": {{
            "Status": "running",
            "Running": true,
            "OOMKilled": false,
            "ExitCode": 0
        }},
        "Name": "/{name}",
        "Config": {{
            "Image": "{image}"
        }}
    }},
    {{
        "Id": "77e1c0aa55",
        "State": {{
            "Status": "exited",
            "Running": false,
            "OOMKilled": true,
            "ExitCode": 137,
            "FinishedAt": "2026-02-17T10:06:20Z"
        }},
        "Name": "/{other}",
        "Config": {{
            "Image": "{beside}"
        }}
    }}
]
"""

DOCKER_EVENTS = """
2026-02-17T10:06:19.000000000Z container oom 4b2f7d9e8c (image={image}, name={name})
2026-02-17T10:06:20.000000000Z container die 4b2f7d9e8c (execDuration=99, exitCode=137, image={image}, name={name})
"""

JOURNAL = """
Feb 17 10:06:20 h systemd[1]: {unit}: A process of this unit has been killed by the OOM killer.
Feb 17 10:06:20 h systemd[1]: {unit}: Main process exited, code=killed, status=9/KILL
Feb 17 10:06:20 h systemd[1]: {unit}: Failed with result 'oom-kill'.
"""

SACCT = """
JobID           JobName      State ExitCode                 End
{mine}           {name}    RUNNING      0:0             Unknown
88212         prep-data OUT_OF_ME+    0:125 2026-02-17T10:06:20
"""

KILLS = {"host-oom-kill", "killed-by-unknown-sender", "job-limit-reached", "probe-killed", "stopped-on-request"}


def judged(**files: str) -> Report:
    return answer([read(name.replace("_", "."), text.lstrip("\n").encode()) for name, text in files.items()])


def blamed(text: str) -> set[str]:
    """The kills that a report finds, and that are more than a guess, beside the log of a server that goes on."""
    report = judged(server_log=LOG, told_txt=text)
    assert KILLS.isdisjoint(f.id for f in report.findings if f.role == Role.ROOT and f.status == "hypothesis")
    return set(accused(report) & KILLS)
