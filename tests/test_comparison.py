"""Two templates are compared by what they do: nothing that differs is missed, and nothing else is listed."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from wire_formats import ARRAY_WITH_IDS, HERMES, THINKING_TAGS

from autoparser_cli.analysis.model import (
    AnalysisWarning,
    Evidence,
    GenerationPrompt,
    Proof,
    ProofStep,
    ReasoningFields,
    Switch,
    TemplateAnalysis,
)
from autoparser_cli.comparison import Area, RenderedPair, compare_templates
from autoparser_cli.comparison.changes import refusals, text_changes
from autoparser_cli.comparison.conversations import standard_conversations
from autoparser_cli.comparison.facts import differences, facts
from autoparser_cli.diffing.lines import Place
from autoparser_cli.diffing.split import DiffSplit
from autoparser_cli.errors import FormatError
from autoparser_cli.templates import ChatTemplate

FIXTURES = Path(__file__).parent.parent / "fixtures"
THINKING = Switch("enable_thinking", None, (True, False), (True,))


def listed(old: TemplateAnalysis, new: TemplateAnalysis) -> dict[str, tuple[object, object]]:
    return {difference.field: (difference.old, difference.new) for difference in differences(old, new)}


@pytest.mark.parametrize("analysis", [HERMES, THINKING_TAGS, ARRAY_WITH_IDS])
def test_an_analysis_does_not_differ_from_itself(analysis: TemplateAnalysis) -> None:
    assert differences(analysis, analysis) == ()


def test_evidence_proof_name_and_lines_are_no_behaviour() -> None:
    evidence = Evidence("R1", "?", "a", "b", "x", "y", DiffSplit("", "x", "y", ""), "nothing")
    old = replace(HERMES, warnings=(AnalysisWarning("W1", "line 3 does it", 3),))
    new = replace(
        HERMES,
        template="other.jinja",
        evidence=(evidence,),
        proof=Proof((ProofStep("s", False),)),
        warnings=(AnalysisWarning("W1", "line 5 does it", 5),),
    )
    assert differences(old, new) == ()


def test_every_marker_that_differs_is_listed_with_both_texts() -> None:
    new = replace(HERMES, reasoning=replace(THINKING_TAGS.reasoning, end="</thought>"))
    assert listed(HERMES, new) == {
        "reasoning.mode": ("NONE", "TAG_BASED"),
        "reasoning.start": ("", "<think>"),
        "reasoning.end": ("", "</thought>"),
        "reasoning.field": ("", "reasoning_content"),
    }


def test_white_space_between_parts_is_behaviour() -> None:
    joints = tuple(replace(joint, text=f"{joint.text}\n") for joint in HERMES.turn.joints[:1])
    new = replace(HERMES, turn=replace(HERMES.turn, joints=joints + HERMES.turn.joints[1:]))
    assert listed(HERMES, new) == {"turn.START→CONTENT": ("", "\n")}


def test_call_formats_differ_in_layout_and_arguments() -> None:
    found = listed(HERMES, THINKING_TAGS)
    assert found["calls.layout"][1] == (
        "<tool_call>\n<function={NAME}>\n{ARGUMENTS}</function>\n</tool_call>{SEPARATOR \n}"
    )
    assert found["calls.argument.string"] == (None, "<parameter=KEY>\nVALUE\n</parameter>\n")
    assert found["calls.key_order"] == (["name", "arguments"], None)


def test_no_calls_against_calls_lists_the_whole_format() -> None:
    found = listed(replace(HERMES, calls=None), HERMES)
    assert found["calls.parallel"] == (None, True)
    assert all(old is None for old, _ in found.values())


def test_switches_prompts_tokens_and_capabilities_are_compared() -> None:
    new = replace(
        HERMES,
        switches=(THINKING,),
        generation_prompt="<bot>",
        generation_prompts=(
            GenerationPrompt("<bot><think>", (("enable_thinking", False),)),
            GenerationPrompt("<bot>", after_tool=True),
        ),
        preserved_tokens=("<a>",),
        supplied_variables=("date",),
        capabilities=replace(HERMES.capabilities, supports_tools=True),
    )
    assert listed(HERMES, new) == {
        "generation_prompt": (HERMES.generation_prompt, "<bot>"),
        "generation_prompt (enable_thinking=false)": (None, "<bot><think>"),
        "generation_prompt (after a tool result)": (None, "<bot>"),
        "switches.enable_thinking": (
            None,
            {"default": None, "values": [True, False], "unset_acts_like": [True]},
        ),
        "supplied_variables": (None, ["date"]),
        "capabilities.supports_tools": (False, True),
        'preserved_tokens["<a>"]': (None, "<a>"),
    }


def test_differences_come_by_area() -> None:
    new = replace(
        HERMES, generation_prompt="x", reasoning=ReasoningFields(start="<r>"), preserved_tokens=("<r>",)
    )
    areas = [difference.area for difference in differences(HERMES, new)]
    assert areas == [Area.REASONING, Area.GENERATION_PROMPT, Area.PRESERVED_TOKENS]


def test_a_changed_default_of_a_switch_is_a_difference() -> None:
    old, new = (replace(HERMES, switches=(replace(THINKING, default=value),)) for value in (True, False))
    assert list(listed(old, new)) == ["switches.enable_thinking"]


def test_facts_are_named_once() -> None:
    names = [name for _, name in facts(THINKING_TAGS)]
    assert len(names) == len(set(names))


def test_conversations_have_names_of_their_own() -> None:
    names = [conversation.name for conversation in standard_conversations((THINKING, THINKING))]
    assert len(names) == len(set(names))
    assert "user, enable_thinking=false" in names


def test_a_switch_inside_a_message_is_tried_in_a_message() -> None:
    switch = Switch("text of a message", None, ("/no_think",), (), in_message=True)
    found = [
        conversation for conversation in standard_conversations((switch,)) if "no_think" in conversation.name
    ]
    assert [conversation.inputs.messages[0]["content"] for conversation in found] == [
        "What is the weather in Paris? /no_think",
        "/no_think",
    ]
    assert not any(conversation.inputs.kwargs for conversation in found)


def compare(old: str, new: str) -> dict[str, bool]:
    templates = ChatTemplate.from_source(old, "old"), ChatTemplate.from_source(new, "new")
    comparison = compare_templates(*templates, (HERMES, HERMES))
    return {pair.conversation: pair.differs for pair in comparison.rendered}


SOURCE = (FIXTURES / "reasoning-tagged" / "template.jinja").read_text(encoding="utf-8")


def test_a_template_spaced_anew_behaves_the_same() -> None:
    spaced = SOURCE.replace("{%- ", "{%-    ").replace("    {{-", "\n\n  {{-").replace("{%- for", "\n{%- for")
    assert spaced != SOURCE
    assert not any(compare(SOURCE, spaced).values())


@pytest.mark.parametrize("path", sorted(FIXTURES.glob("*/template.jinja")), ids=lambda path: path.parent.name)
def test_each_fixture_behaves_as_itself(path: Path) -> None:
    template = ChatTemplate.load(path)
    assert compare_templates(template, template, (HERMES, HERMES)).same


def test_one_character_of_a_marker_shows_in_the_conversations_that_have_it() -> None:
    differing = compare(SOURCE, SOURCE.replace("</call>", "</call >"))
    assert differing["call"]
    assert differing["two calls"]
    assert not differing["user"]
    assert not differing["content"]


def test_a_conversation_that_only_one_template_takes_is_a_difference() -> None:
    strict = "{{ raise_exception('no tools') if tools }}" + SOURCE
    templates = ChatTemplate.from_source(SOURCE, "old"), ChatTemplate.from_source(strict, "new")
    comparison = compare_templates(*templates, (HERMES, HERMES))
    assert not comparison.same
    pair = next(pair for pair in comparison.rendered if pair.conversation == "tools")
    assert pair.new is None
    assert pair.error_new == "line 1: no tools"
    assert pair.lines_new[0].startswith("> 1 | {{ raise_exception('no tools')")
    assert pair.to_dict()["lines_old"] == []
    assert pair.first_difference is None
    assert pair.to_dict()["diff"] is None


def test_two_refusals_in_other_words_are_no_difference() -> None:
    assert not RenderedPair("c", None, None, "no", "never").differs


def test_grammars_differ_or_are_missing() -> None:
    def grammar(analysis: TemplateAnalysis) -> str:
        if analysis.calls is None:
            raise FormatError("none")
        return "root"

    template = ChatTemplate.from_source(SOURCE, "t")
    without = replace(HERMES, calls=None)
    one = compare_templates(template, template, (HERMES, without), make_grammar=grammar)
    assert (one.grammar.old, one.grammar.new, one.grammar.differs) == ("root", None, True)
    assert not compare_templates(template, template, (without, without), make_grammar=grammar).grammar.differs


def test_each_change_is_shown_once_with_its_conversations() -> None:
    pairs = [
        RenderedPair("one", "a\nb\n", "a\nB\n"),
        RenderedPair("two", "x\nb\n", "x\nB\n"),
        RenderedPair("three", "b\nc\n", "b\nd\n"),
        RenderedPair("four", "b\n", None, "", "broken"),
        RenderedPair("five", "b\n", None, "", "broken"),
        RenderedPair("six", None, None, "broken", "broken"),
        RenderedPair("same", "b\n", "b\n"),
    ]
    changes = text_changes(pairs)
    assert [change.conversations for change in changes] == [("one", "two"), ("three",)]
    assert [change.place for change in changes] == [Place(2, 1), Place(2, 1)]
    assert [(found.error_new, found.conversations) for found in refusals(pairs)] == [
        ("broken", ("four", "five"))
    ]


def test_json_tells_where_the_texts_part() -> None:
    entry = RenderedPair("c", "ab\ncd", "ab\nce").to_dict()
    assert (entry["line"], entry["column"], entry["differs"]) == (2, 2, True)
    assert entry["diff"] == [" ab", "-cd", "+ce"]


def test_a_change_shown_before_is_not_shown_again_beside_a_new_one() -> None:
    pairs = [
        RenderedPair("one", "<a>some words\n", "<b>some words\n"),
        RenderedPair("two", "<a>some words\n<c>more words\n", "<b>some words\n<d>more words\n"),
    ]
    first, second = text_changes(pairs)
    assert first.conversations == ("one", "two")
    assert second.conversations == ("two",)
    runs = [run for block in second.blocks for line in block.left for run in line.runs if run.changed]
    assert [run.text for run in runs if not run.known] == ["<c>"]
    assert [run.text for run in runs if run.known] == ["<a>"]
    assert second.place == Place(1, 2)


@pytest.mark.parametrize(
    ("old", "new"),
    [("json-flat", "tag-tagged"), ("reasoning-tagged", "reasoning-delimiter"), ("json-array", "json-nested")],
)
def test_every_conversation_that_differs_is_named_with_a_change(old: str, new: str) -> None:
    templates = [ChatTemplate.load(FIXTURES / name / "template.jinja") for name in (old, new)]
    pairs = compare_templates(*templates, (HERMES, HERMES)).rendered
    named = {name for change in text_changes(pairs) for name in change.conversations}
    named |= {name for refusal in refusals(pairs) for name in refusal.conversations}
    assert named == {pair.conversation for pair in pairs if pair.differs}


@pytest.mark.parametrize(
    "marker", ["<|turn assistant|>", "<|done|>", "<call>", "</call>", "<think_step>", "Tools:"]
)
def test_every_marker_of_a_fixture_is_missed_when_it_changes(marker: str) -> None:
    assert marker in SOURCE
    assert any(compare(SOURCE, SOURCE.replace(marker, f"{marker}!")).values())
