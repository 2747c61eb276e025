"""Where nothing can be inferred a warning says why; what a template needs is found, supplied and named."""

from __future__ import annotations

from dataclasses import replace

import pytest

from autoparser_cli.analysis.candidates import infer_all
from autoparser_cli.analysis.conversations import PROBE_TOOLS, Conventions
from autoparser_cli.analysis.model import AnalysisWarning, TemplateAnalysis
from autoparser_cli.analysis.supplies import SUPPLY_SHAPES, shape_name, supply
from autoparser_cli.templates import ChatTemplate

CALLS = """\
{%- for call in m.tool_calls or [] %}<call>{{ {'name': call.function.name, 'arguments': call.function.arguments} | tojson }}</call>
{%- endfor %}"""
TURNS = "{%- for m in messages %}<|{{ m.role }}|>{{ m.content or '' }}" + CALLS + "<|end|>{% endfor %}"
PLAIN = "{%- for m in messages %}<|{{ m.role }}|>{{ m.content }}<|end|>{% endfor %}"


def analysis(source: str) -> TemplateAnalysis:
    return next(infer_all(ChatTemplate.from_source(source))).analysis


def warnings(source: str) -> dict[str, AnalysisWarning]:
    return {warning.code: warning for warning in analysis(source).warnings}


def test_a_usual_template_has_no_warning() -> None:
    assert warnings(TURNS) == {}


# ------------------------------------------------------------------------------------------------- calls not found


def test_a_template_that_knows_no_tools_says_so() -> None:
    assert list(warnings(PLAIN)) == ["tools-ignored"]


def test_tools_that_are_only_listed_are_told() -> None:
    assert list(warnings("{{ tools | tojson if tools }}" + PLAIN)) == ["calls-not-rendered"]


def test_calls_described_in_prose_are_told_with_the_markers_named_there() -> None:
    prose = (
        "{% if tools %}You have tools: {{ tools | tojson }} For each call write one JSON object between "
        "<tool_call> and </tool_call> and nothing else behind it, please.{% endif %}"
    )
    (warning,) = warnings(prose + PLAIN).values()
    assert warning.code == "calls-in-prose"
    assert "<tool_call> </tool_call>" in warning.message


def test_a_template_that_raises_on_calls_is_told_with_its_message_and_line() -> None:
    source = "{%- for m in messages %}<|{{ m.role }}|>\n{%- if m.tool_calls %}{{ raise_exception('No calls here') }}{% endif %}{{ m.content }}<|end|>{% endfor %}"
    (warning,) = warnings(source).values()
    assert (warning.code, warning.line) == ("calls-refused", 2)
    assert "No calls here" in warning.message


def test_a_call_without_its_arguments_is_told() -> None:
    source = PLAIN.replace(
        "<|end|>", "{% for call in m.tool_calls or [] %}{{ call.function.name }}{% endfor %}<|end|>"
    )
    assert list(warnings(source)) == ["calls-unreadable"]


def test_a_template_that_renders_nothing_usual_is_told_with_its_message() -> None:
    (warning,) = warnings("{{ messages.get('query') }}").values()
    assert warning.code == "does-not-render"
    assert "get" in warning.message


# --------------------------------------------------------------------------------------------------- unusual shapes


@pytest.mark.parametrize(
    ("source", "code"),
    [
        (
            "{% if messages[0].role != 'system' %}{{ raise_exception('no') }}{% endif %}" + TURNS,
            "needs-system",
        ),
        ("{% if not tools %}{{ raise_exception('no') }}{% endif %}" + TURNS, "needs-tools"),
        (TURNS.replace("m.content or ''", "m.content[0].text"), "needs-parts"),
        ("{% for t in tools or [] %}{{ t.name + t.description }}{% endfor %}" + TURNS, "flat-tools"),
    ],
)
def test_an_unusual_shape_is_found_and_told(source: str, code: str) -> None:
    assert list(warnings(source)) == [code]


def test_answers_that_are_not_printed_are_told() -> None:
    source = "{% for m in messages if m.role == 'user' %}{{ m.content }}{% endfor %}"
    assert "answers-not-rendered" in warnings(source)


def test_answers_that_are_printed_otherwise_are_told() -> None:
    source = PLAIN.replace("m.content", r"m.content.replace('\n\n', '\n')")
    assert "answers-changed" in warnings(source)


# ----------------------------------------------------------------------------------------------- needed variables


def test_variables_that_must_be_texts_are_supplied_and_named() -> None:
    source = "{{ 'Today is ' + today + ' in ' + place }}" + TURNS
    found = analysis(source)
    assert found.supplied_variables == ("place", "today")
    (warning,) = found.warnings
    assert warning.code == "needs-variables"
    assert "`place` (as text), `today` (as text)" in warning.message
    assert found.calls is not None


def test_a_variable_that_must_be_a_list_is_supplied_as_one() -> None:
    source = (
        "{% if options | length < 1 or options is string %}{{ raise_exception('no') }}{% endif %}" + TURNS
    )
    (warning,) = analysis(source).warnings
    assert "`options` (as a list of tools)" in warning.message


def test_variables_of_different_shapes_are_supplied() -> None:
    source = "{{ 'At ' + place }}{% for o in options.items() %}{{ o[0] }}{% endfor %}" + TURNS
    (warning,) = analysis(source).warnings
    assert "`options` (as an object)" in warning.message
    assert "`place` (as text)" in warning.message


def test_a_variable_that_is_not_needed_is_not_supplied() -> None:
    assert analysis("{{ 'At ' + place }}{{ mood }}" + TURNS).supplied_variables == ("place",)


def test_calls_that_need_a_variable_are_found() -> None:
    source = (
        "{%- for m in messages %}<|{{ m.role }}|>{{ m.content or '' }}{% if with_calls %}"
        + CALLS
        + "{% endif %}<|end|>{% endfor %}"
    )
    found = analysis(source)
    assert found.calls is not None
    assert found.supplied_variables == ("with_calls",)


def test_nothing_is_supplied_where_nothing_helps() -> None:
    tried: list[Conventions] = []

    def never(candidate: Conventions) -> bool:
        tried.append(candidate)
        return False

    assert supply(Conventions(), ("one",), never) is None
    assert [dict(candidate.kwargs)["one"] for candidate in tried] == [shape for _, shape in SUPPLY_SHAPES]


def test_what_is_passed_already_is_left_alone() -> None:
    passed = Conventions(kwargs=(("one", 1),))
    assert supply(passed, ("one",), lambda _: True) is None
    found = supply(passed, ("one", "two"), lambda candidate: "two" in dict(candidate.kwargs))
    assert found == replace(passed, kwargs=(("one", 1), ("two", True)), supplied=("two",))


@pytest.mark.parametrize(
    ("value", "name"), [("Zvariabletext", "text"), (True, "true"), (list(PROBE_TOOLS), "a list of tools")]
)
def test_shapes_have_names(value: object, name: str) -> None:
    assert shape_name(value) == name


def test_a_template_for_single_messages_says_that_it_refuses_answers() -> None:
    source = "{% if messages | length > 1 %}{{ raise_exception('one message') }}{% endif %}{{ messages[0].content }}"
    assert "one message" in warnings(source)["answers-refused"].message
    assert "answers-refused" not in warnings(
        "{% for m in messages %}<{{ m.role }}>{{ m.content }}{% endfor %}"
    )
