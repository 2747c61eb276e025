"""A chat template -> the inference that proves best, as an analysis with its proof, warnings and evidence."""

from __future__ import annotations

import logging
from dataclasses import replace
from itertools import islice

from autoparser_cli.analysis.candidates import Inference, infer_all
from autoparser_cli.analysis.comparing import LazyEvidence
from autoparser_cli.analysis.model import Evidence, Proof, TemplateAnalysis
from autoparser_cli.families import with_family
from autoparser_cli.templates import ChatTemplate
from autoparser_cli.verification import check_markers, prove

_LOG = logging.getLogger(__name__)

#: How many shapes of messages are tried where the likeliest does not prove whole.
_MOST_CANDIDATES = 3


def proved_analysis(template: ChatTemplate, *, families: bool) -> TemplateAnalysis:
    """Infer and prove; a family's word is taken where it proves as much as the pure inference."""
    inference, proof = _best_proved(template)
    found = with_family(inference) if families else None
    if found is not None and (proved := prove(found)).passed >= proof.passed:
        inference, proof = found, _logged(proved)
        _LOG.info("family: %s", found.analysis.family)
    warnings = (*inference.analysis.warnings, *check_markers(inference))
    return replace(inference.analysis, proof=proof, warnings=warnings, evidence=_evidence(inference))


def _best_proved(template: ChatTemplate) -> tuple[Inference, Proof]:
    """Take the first inference that proves whole, or else the one of which most parses back."""
    best: tuple[Inference, Proof] | None = None
    for inference in islice(infer_all(template), _MOST_CANDIDATES):
        proof = _logged(prove(inference))
        if best is None or proof.passed > best[1].passed:
            best = inference, proof
        if proof.passed == proof.tried:
            break
    assert best is not None, "there is always one inference"
    return best


def _logged(proof: Proof) -> Proof:
    for step in proof.steps:
        _LOG.debug("proof, %s: %s", step.name, "passed" if step.passed else step.detail)
    _LOG.info("proof: %d of %d rendered messages parse back equal", proof.passed, proof.tried)
    return proof


def _evidence(inference: Inference) -> LazyEvidence:
    def collect() -> tuple[Evidence, ...]:
        # Few commands show the evidence.
        from autoparser_cli.analysis.evidence import collect_evidence

        inference.renderer.start_clock()
        return collect_evidence(inference.renderer, inference.text, inference.calls, inference.analysis)

    return LazyEvidence(collect)
