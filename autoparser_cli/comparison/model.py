"""What a comparison of two templates finds; `to_dict` is the JSON of `autoparser diff OLD NEW`.

Everything is frozen; nothing here computes but what can be read off the fields.
"""

from __future__ import annotations

from enum import Enum
from typing import Any

from autoparser_cli.comparison.grammars import rule_blocks, same_rules
from autoparser_cli.diffing.lines import Place, first_difference, unified_diff
from autoparser_cli.frozen import frozen

#: JSON types; tuples stand for lists. None is a thing that is not there.
Value = Any


class Area(Enum):
    """What a difference is about, in the order shown."""

    REASONING = "reasoning"
    CONTENT = "content"
    TOOLS = "tools"
    TURN = "turn"
    GENERATION_PROMPT = "generation_prompt"
    SWITCHES = "switches"
    CAPABILITIES = "capabilities"
    PRESERVED_TOKENS = "preserved_tokens"
    WARNINGS = "warnings"


@frozen
class Difference:
    """One fact about the old template and what it is of the new one; None where there is no such thing."""

    area: Area
    field: str
    old: Value
    new: Value

    def to_dict(self) -> dict[str, Any]:
        """Return JSON types."""
        return {"area": self.area.value, "field": self.field, "old": self.old, "new": self.new}


@frozen
class RenderedPair:
    """One conversation as both templates render it; a render that raised is None, its error beside it.

    `lines_old` and `lines_new` are the numbered lines of the template around the one that raised.
    """

    conversation: str
    old: str | None
    new: str | None
    error_old: str = ""
    error_new: str = ""
    lines_old: tuple[str, ...] = ()
    lines_new: tuple[str, ...] = ()

    @property
    def differs(self) -> bool:
        """Tell whether the prompts differ, or only one template takes the conversation.

        What two templates say when both refuse is worded for people and makes no difference.
        """
        return self.old != self.new

    @property
    def first_difference(self) -> Place | None:
        """Return where the prompts begin to differ; None where they do not, or one is missing."""
        if self.old is None or self.new is None:
            return None
        return first_difference(self.old, self.new)

    def to_dict(self) -> dict[str, Any]:
        """Return JSON types; the diff is in unified form."""
        place = self.first_difference
        both = self.old is not None and self.new is not None
        return {
            "conversation": self.conversation,
            "differs": self.differs,
            "error_old": self.error_old or None,
            "error_new": self.error_new or None,
            "lines_old": list(self.lines_old),
            "lines_new": list(self.lines_new),
            "line": place.line if place else None,
            "column": place.column if place else None,
            "diff": list(unified_diff(self.old or "", self.new or "")) if both else None,
        }


@frozen
class RecordedDifference:
    """A recorded output that the new template's parser reads otherwise than the old one's."""

    case: str
    passed_old: bool
    passed_new: bool
    detail: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Return JSON types."""
        return {
            "case": self.case,
            "passed_old": self.passed_old,
            "passed_new": self.passed_new,
            "detail": self.detail,
        }


@frozen
class GrammarPair:
    """The GBNF grammars of both templates for the standard tools; None where there is none."""

    old: str | None
    new: str | None

    @property
    def differs(self) -> bool:
        """Tell whether the grammars accept different outputs, as far as their rules tell."""
        if self.old is None or self.new is None:
            return self.old != self.new
        return not same_rules(self.old, self.new)

    def to_dict(self) -> dict[str, Any]:
        """Return JSON types; the diff has the lines of each rule that differs."""
        diff: list[str] = []
        for block in rule_blocks(self.old or "", self.new or ""):
            for sign, lines in (("-", block.left), ("+", block.right)):
                diff += [sign + line.text.removesuffix("\n") for line in lines]
        return {"differs": self.differs, "diff": diff}


@frozen
class BehaviourComparison:
    """All that differs between two templates; `recorded` is None where no case file was given."""

    old: str
    new: str
    differences: tuple[Difference, ...]
    rendered: tuple[RenderedPair, ...]
    grammar: GrammarPair
    recorded: tuple[RecordedDifference, ...] | None = None
    recorded_tried: int = 0

    @property
    def same(self) -> bool:
        """Tell whether both templates behave the same, in all that was compared."""
        return not (
            self.differences
            or self.grammar.differs
            or self.recorded
            or any(pair.differs for pair in self.rendered)
        )

    def to_dict(self) -> dict[str, Any]:
        """Return JSON types."""
        recorded = None
        if self.recorded is not None:
            recorded = {
                "tried": self.recorded_tried,
                "differences": [difference.to_dict() for difference in self.recorded],
            }
        return {
            "old": self.old,
            "new": self.new,
            "same": self.same,
            "differences": [difference.to_dict() for difference in self.differences],
            "rendered": [pair.to_dict() for pair in self.rendered],
            "grammar": self.grammar.to_dict(),
            "recorded": recorded,
        }
