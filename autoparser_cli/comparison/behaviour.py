"""Two templates with their analyses -> all that differs in what they do; their sources are not looked at."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from autoparser_cli.analysis.model import TemplateAnalysis
from autoparser_cli.comparison.conversations import Conversation, standard_conversations
from autoparser_cli.comparison.facts import differences
from autoparser_cli.comparison.model import BehaviourComparison, GrammarPair, RecordedDifference, RenderedPair
from autoparser_cli.errors import FormatError, RenderError
from autoparser_cli.templates import ChatTemplate
from autoparser_cli.templates.failure import source_context

#: Makes the grammar of an analysis for the standard tools; raises FormatError where there is none.
GrammarMaker = Callable[[TemplateAnalysis], str]


def compare_templates(
    old: ChatTemplate,
    new: ChatTemplate,
    analyses: tuple[TemplateAnalysis, TemplateAnalysis],
    *,
    make_grammar: GrammarMaker | None = None,
    recorded: Sequence[RecordedDifference] | None = None,
    recorded_tried: int = 0,
) -> BehaviourComparison:
    """Compare the facts of both `analyses`, the prompts, the grammars, and what was `recorded`."""
    conversations = standard_conversations(
        [switch for analysis in analyses for switch in analysis.switches],
        [markers for analysis in analyses for markers in _reasoning_markers(analysis)],
    )
    return BehaviourComparison(
        old=old.name,
        new=new.name,
        differences=differences(*analyses),
        rendered=tuple(render_pair(old, new, conversation) for conversation in conversations),
        grammar=_grammars(analyses, make_grammar),
        recorded=None if recorded is None else tuple(recorded),
        recorded_tried=recorded_tried,
    )


def _reasoning_markers(analysis: TemplateAnalysis) -> list[tuple[str, str]]:
    start, end = analysis.reasoning.start.strip(), analysis.reasoning.end.strip()
    return [(start, end)] if end else []


def render_pair(old: ChatTemplate, new: ChatTemplate, conversation: Conversation) -> RenderedPair:
    """Render a conversation with both templates."""
    text_old, error_old, lines_old = _attempt(old, conversation)
    text_new, error_new, lines_new = _attempt(new, conversation)
    return RenderedPair(conversation.name, text_old, text_new, error_old, error_new, lines_old, lines_new)


def _attempt(template: ChatTemplate, conversation: Conversation) -> tuple[str | None, str, tuple[str, ...]]:
    inputs = conversation.inputs
    chosen = template.for_tools(bool(inputs.tools))
    try:
        return chosen.render(inputs), "", ()
    except RenderError as error:
        place = f"line {error.line}: " if error.line is not None else ""
        return None, f"{place}{error}", tuple(source_context(chosen.source, error.line))


def _grammars(
    analyses: tuple[TemplateAnalysis, TemplateAnalysis], make_grammar: GrammarMaker | None
) -> GrammarPair:
    if make_grammar is None:
        return GrammarPair(None, None)
    old, new = (_grammar(analysis, make_grammar) for analysis in analyses)
    return GrammarPair(old, new)


def _grammar(analysis: TemplateAnalysis, make_grammar: GrammarMaker) -> str | None:
    try:
        return make_grammar(analysis)
    except FormatError:
        return None
