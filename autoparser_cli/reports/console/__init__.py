"""Results -> pages for a terminal, and the same text without boxes and colour for everything else."""

from autoparser_cli.reports.console.analysis import show_analysis, show_summary
from autoparser_cli.reports.console.evidence import show_evidence
from autoparser_cli.reports.console.parse import (
    show_near_misses,
    show_place,
    show_result,
    show_step,
    show_syntax_tree,
    show_trace,
    show_tree,
)
from autoparser_cli.reports.console.screen import Screen, marker_text, plain_text, visible

__all__ = [
    "Screen",
    "marker_text",
    "plain_text",
    "show_analysis",
    "show_evidence",
    "show_near_misses",
    "show_place",
    "show_result",
    "show_step",
    "show_summary",
    "show_syntax_tree",
    "show_trace",
    "show_tree",
    "visible",
]
