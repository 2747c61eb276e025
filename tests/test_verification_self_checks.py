"""Markers that cannot be right are told: probe text, tags without counterpart, what the template neither prints nor strips."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from autoparser_cli.analysis.candidates import Inference, infer_all
from autoparser_cli.analysis.model import CallFormat, Joint, TaggedCall, TurnPart, Var
from autoparser_cli.templates import ChatTemplate
from autoparser_cli.verification.self_checks import check_markers, marker_places, unbalanced_tag

TAGGED = """\
{%- for m in messages %}<|{{ m.role }}|>
{%- if m.role == 'assistant' and m.reasoning_content %}<muse>{{ m.reasoning_content }}</muse>{% endif %}
{{- m.content or '' }}
{%- for call in m.tool_calls or [] %}<call><fn>{{ call.function.name }}</fn>
{%- for key, value in call.function.arguments.items() %}<arg key="{{ key }}">{{ value }}</arg>{% endfor %}</call>
{%- endfor %}<|end|>{% endfor %}
{%- if add_generation_prompt %}<|assistant|>{% endif %}"""

STRIPPING = """\
{%- for m in messages %}<|{{ m.role }}|>{{ m.content.split('</muse>')[-1] }}<|end|>{% endfor %}
{%- if add_generation_prompt %}<|assistant|><muse>{% endif %}"""


@pytest.fixture(scope="module")
def tagged() -> Inference:
    return next(infer_all(ChatTemplate.from_source(TAGGED)))


def changed(inference: Inference, **fields: Any) -> Inference:
    return replace(inference, analysis=replace(inference.analysis, **fields))


def call_format(inference: Inference) -> CallFormat:
    assert inference.analysis.calls is not None
    return inference.analysis.calls


def codes(inference: Inference) -> list[str]:
    return [warning.code for warning in check_markers(inference)]


def test_a_right_analysis_has_no_warning(tagged: Inference) -> None:
    assert isinstance(call_format(tagged).body, TaggedCall)
    assert codes(tagged) == []


def test_every_literal_of_a_tagged_call_is_looked_at(tagged: Inference) -> None:
    texts = "".join(text for _, literals in marker_places(tagged.analysis) for text in literals)
    for marker in (
        "<muse>",
        "</muse>",
        "<call>",
        "<fn>",
        "</fn>",
        '<arg key="',
        "</arg>",
        "</call>",
        "<|end|>",
    ):
        assert marker in texts


@pytest.mark.parametrize("needle", ["zfunctionone", "zcallAAA1", "47113", "Zcontentanswertext"])
def test_probe_text_in_a_marker_is_told_with_its_place(tagged: Inference, needle: str) -> None:
    calls = replace(call_format(tagged), separator=f"<next {needle}")
    (warning,) = check_markers(changed(tagged, calls=calls))
    assert warning.code == "probe-text-in-marker"
    assert "calls.separator" in warning.message
    assert needle in warning.message


def test_probe_text_inside_the_body_of_a_call_is_found(tagged: Inference) -> None:
    calls = call_format(tagged)
    assert isinstance(calls.body, TaggedCall)
    body = replace(calls.body, body=("zargalpha", Var.NAME, *calls.body.body[1:]))
    assert "probe-text-in-marker" in codes(changed(tagged, calls=replace(calls, body=body)))


def test_probe_text_in_a_joint_is_found(tagged: Inference) -> None:
    joint = Joint(TurnPart.CONTENT, TurnPart.CALLS, "zgadgettwo")
    turn = replace(tagged.analysis.turn, joints=(*tagged.analysis.turn.joints, joint))
    assert codes(changed(tagged, turn=turn)) == ["probe-text-in-marker"]


def test_a_close_without_its_opening_is_told(tagged: Inference) -> None:
    calls = replace(call_format(tagged), per_call_end=("</call></fn>",))
    (warning,) = check_markers(changed(tagged, calls=calls))
    assert warning.code == "unbalanced-markers"
    assert "</fn>" in warning.message


def test_reasoning_closed_by_another_tag_is_told(tagged: Inference) -> None:
    reasoning = replace(tagged.analysis.reasoning, end="</call>")
    assert codes(changed(tagged, reasoning=reasoning)) == ["unbalanced-markers"]


def test_reasoning_without_an_opening_is_fine(tagged: Inference) -> None:
    assert codes(changed(tagged, reasoning=replace(tagged.analysis.reasoning, start=""))) == []


def test_a_marker_that_is_never_rendered_is_told_once(tagged: Inference) -> None:
    content = replace(tagged.analysis.content, start="<say>", end="<say>")
    (warning,) = check_markers(changed(tagged, content=content))
    assert warning.code == "marker-not-rendered"
    assert "<say>" in warning.message


def test_a_marker_that_is_only_stripped_is_fine() -> None:
    stripping = next(infer_all(ChatTemplate.from_source(STRIPPING)))
    assert stripping.analysis.reasoning.end == "</muse>"
    assert codes(stripping) == []


def test_a_marker_that_is_neither_stripped_is_told() -> None:
    stripping = next(infer_all(ChatTemplate.from_source(STRIPPING)))
    reasoning = replace(stripping.analysis.reasoning, end="</think>")
    assert "marker-not-rendered" in codes(changed(stripping, reasoning=reasoning))


def test_a_family_may_know_what_is_not_rendered(tagged: Inference) -> None:
    content = replace(tagged.analysis.content, start="<say>", end="</say>")
    assert codes(changed(tagged, content=content, family="some")) == []


@pytest.mark.parametrize(
    "text",
    [
        "",
        "plain",
        "<a></a>",
        "<a x='1'><b/></a>",
        "<|open|><|close|>",
        "<a><b></b></a>",
        "[A]x[/A]",
        "<think>",
        "<a>1 < 2</a>",
    ],
)
def test_balanced_texts(text: str) -> None:
    assert unbalanced_tag(text) == ""


@pytest.mark.parametrize(
    ("text", "tag"),
    [
        ("</a>", "</a>"),
        ("<a></b>", "</b>"),
        ("<a></a></a>", "</a>"),
        ("<a><a></a>", "<a>"),
        ("[/A]", "[/A]"),
        ("<a><b></a></b>", "</b>"),
    ],
)
def test_unbalanced_texts(text: str, tag: str) -> None:
    assert unbalanced_tag(text) == tag
