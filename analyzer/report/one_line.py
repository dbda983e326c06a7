"""The verdict on one line, for scripts and chats."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analyzer.report.escape import visible
from analyzer.report.select import root_of
from analyzer.report.summary import cause, sum_line

if TYPE_CHECKING:
    from analyzer.contract import Report


def render(report: Report) -> str:
    """Outcome, phase, finding with its status, the cause, the sum: `launch-hung in host-pool: …`."""
    verdict, root = report.verdict, root_of(report)
    phase = f" in {verdict.phase}" if verdict.phase else ""
    named = f" ({root.id})" if root else ""
    total = f" [{sum_line(root)}]" if sum_line(root) else ""
    return visible(f"{verdict.outcome}{phase}: {cause(report) or report.verdict.summary}{named}{total}") + "\n"
