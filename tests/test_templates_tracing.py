"""Which line of a template wrote which span of the render."""

from __future__ import annotations

from typing import Any

import pytest

from autoparser_cli.errors import RenderError
from autoparser_cli.templates import ChatTemplate, RenderInputs
from autoparser_cli.templates.tracing import trace

USER = {"role": "user", "content": "hi\nthere"}


def traced(source: str, *messages: dict[str, Any], **inputs: Any) -> list[tuple[str, int | None]]:
    template = ChatTemplate.from_source(source)
    given = RenderInputs(messages or [USER], **inputs)
    spans = trace(template, given)
    assert "".join(span.text for span in spans) == template.render(given)
    return [(span.text, span.line) for span in spans]


def test_text_moves_on_with_its_lines_and_values_stay_on_theirs() -> None:
    source = "<a>\n<b>{{ messages[0].content }}</b>\n{{ messages[0].role }}"
    assert traced(source) == [("<a>\n", 1), ("<b>hi\nthere</b>\n", 2), ("user", 3)]


def test_trimmed_blocks_do_not_shift_lines() -> None:
    source = (
        "{% if true %}\n  {%- if true %}\n\n  a\n  {%- endif %}\n{% endif %}\n"
        "  {%- set x = 1 %}\nb{# note\n\n #}c"
    )
    assert traced(source) == [("\n", 3), ("  a", 4), ("b", 8), ("c", 10)]


def test_a_loop_writes_from_its_lines_again_and_again() -> None:
    source = "{% for m in messages %}\n[{{ m.role }}]\n{% endfor %}"
    assert traced(source, USER, USER) == [("[user]\n[user]\n", 2)]


def test_an_expression_over_lines_has_its_first() -> None:
    assert traced("{{ 'a'\n ~ 'b' |\n upper }}") == [("aB", 1)]


def test_a_macro_has_its_own_lines_and_what_it_prints_of_the_caller_too() -> None:
    source = "{% macro tag(x) %}\n<{{ x }}\n>{% endmacro %}\n{{ tag('a') }}\n!"
    assert traced(source) == [("<a\n", 2), (">", 3), ("\n", 4), ("!", 5)]


def test_a_macro_whose_text_is_looked_at_is_the_callers() -> None:
    source = "{% macro f() %}\n abc \n{% endmacro %}{{ f() | length }}{{ f() | trim }}"
    assert traced(source) == [("6abc", 3)]


def test_one_region_that_cannot_be_marked_does_not_spoil_another() -> None:
    source = (
        "{% macro f() %}\nab{% endmacro %}\n{% macro g() %}\ncd{% endmacro %}\n{{ f() | length }}{{ g() }}"
    )
    assert traced(source)[-2:] == [("2", 5), ("cd", 4)]


def test_set_blocks_and_generation_blocks_have_their_lines() -> None:
    source = "{% set x %}\nab\n{% endset %}\n{% generation %}\ncd\n{% endgeneration %}\n{{ x }}"
    assert traced(source) == [("cd\n", 5), ("ab\n", 2)]


def test_a_continued_message_ends_inside_its_line() -> None:
    source = "{% for m in messages %}\n[{{ m.content }}]\n{% endfor %}"
    assert traced(source, USER, continue_final_message=True) == [("[hi\nthere", 2)]


def test_a_template_that_changes_lists_is_traced_too() -> None:
    source = "{% set x = [] %}{% set _ = x.append('a') %}\n\n{{ x[0] }}"
    assert traced(source) == [("\n", 2), ("a", 3)]


def test_text_that_holds_marks_has_no_lines() -> None:
    assert traced("{{ messages[0].content }}", {"content": "a\U0010f803b"}) == [("a\U0010f803b", None)]


def test_what_does_not_render_is_not_traced() -> None:
    with pytest.raises(RenderError, match="no"):
        traced("{{ raise_exception('no') }}")
