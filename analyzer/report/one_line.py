"""The verdict on one line, for scripts and chats."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analyzer.report.escape import visible
from analyzer.report.select import root_of
from analyzer.report.summary import cause, partial, sum_line

if TYPE_CHECKING:
    from analyzer.contract import Report

MOST = 2_000  # signs: more are no line to read


def render(report: Report) -> str:
    """Outcome, phase, finding with its status, the cause, the sum: `launch-hung in host-pool: …`."""
    verdict, root = report.verdict, root_of(report)
    phase = f" in {verdict.phase}" if verdict.phase else ""
    named = f" ({root.id})" if root else ""
    total = f" [{sum_line(root)}]" if sum_line(root) else ""
    said = f"{verdict.outcome}{phase}: {cause(report) or verdict.summary}{named}{total}"
    line = visible(partial(report) + said)
    return (line if len(line) <= MOST else f"{line[: MOST - 1]}…") + "\n"
