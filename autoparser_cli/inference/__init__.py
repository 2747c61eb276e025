"""A chat template -> its proved analysis."""

from __future__ import annotations

from dataclasses import replace

from autoparser_cli.analysis.candidates import infer
from autoparser_cli.analysis.model import TemplateAnalysis
from autoparser_cli.templates import ChatTemplate
from autoparser_cli.verification import prove

__all__ = ["analyze"]


def analyze(template: ChatTemplate, *, families: bool = True, cache: bool = False) -> TemplateAnalysis:
    """Infer the output format of a template and prove it by round trips."""
    inference = infer(template)
    return replace(inference.analysis, proof=prove(inference))
