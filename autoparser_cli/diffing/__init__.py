"""Two renders -> what differs between them: markers, splits, and lines for people."""

from autoparser_cli.diffing.segments import Segment, is_marker, marker_spans, markers, segment
from autoparser_cli.diffing.split import (
    Comparison,
    DiffSplit,
    common_prefix_length,
    compare_variants,
    split_diff,
)

__all__ = [
    "Comparison",
    "DiffSplit",
    "Segment",
    "common_prefix_length",
    "compare_variants",
    "is_marker",
    "marker_spans",
    "markers",
    "segment",
    "split_diff",
]
