"""Render, parse back, compare: an analysis proves itself on turns that it has not used, and checks its own markers."""

from autoparser_cli.verification.proof import prove
from autoparser_cli.verification.self_checks import check_markers

__all__ = ["check_markers", "prove"]
