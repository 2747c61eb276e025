"""Two templates -> how the one behaves differently from the other."""

from autoparser_cli.comparison.behaviour import compare_templates
from autoparser_cli.comparison.model import (
    Area,
    BehaviourComparison,
    Difference,
    RecordedDifference,
    RenderedPair,
)

__all__ = [
    "Area",
    "BehaviourComparison",
    "Difference",
    "RecordedDifference",
    "RenderedPair",
    "compare_templates",
]
