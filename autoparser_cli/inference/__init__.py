"""A chat template -> its proved analysis."""

from __future__ import annotations

from dataclasses import replace

from autoparser_cli.analysis.candidates import infer
from autoparser_cli.analysis.model import TemplateAnalysis
from autoparser_cli.families import with_family
from autoparser_cli.templates import ChatTemplate
from autoparser_cli.verification import prove

__all__ = ["analyze"]


def analyze(template: ChatTemplate, *, families: bool = True, cache: bool = False) -> TemplateAnalysis:
    """Infer the output format of a template and prove it by round trips.

    A family's word is taken where it proves as much as the pure inference.
    """
    inference = infer(template)
    proof = prove(inference)
    found = with_family(inference) if families else None
    if found is not None and (proved := prove(found)).passed >= proof.passed:
        inference, proof = found, proved
    return replace(inference.analysis, proof=proof)
