"""Chat templates -> their proved analyses: under limits, on all cores, kept in a cache."""

from autoparser_cli.inference.analyzing import Outcome, analyze, analyze_many

__all__ = ["Outcome", "analyze", "analyze_many"]
