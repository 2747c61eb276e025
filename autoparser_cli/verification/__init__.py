"""Render, parse back, compare: an analysis proves itself on turns that it has not used."""

from autoparser_cli.verification.proof import prove

__all__ = ["prove"]
