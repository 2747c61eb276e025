"""Renders: what is printed, what is refused and at which line, and what only other engines allow."""

from __future__ import annotations

import copy
import pickle
import re
import signal
from datetime import datetime
from typing import Any

import jinja2
import pytest
from jinja2.sandbox import ImmutableSandboxedEnvironment

from autoparser_cli.errors import RenderError, ResourceLimitError, TemplateSyntaxError
from autoparser_cli.templates import ChatTemplate, RenderInputs
from autoparser_cli.templates.environment import MAX_OUTPUT, STRICT

USER = {"role": "user", "content": "hi"}


def render(source: str, *messages: dict[str, Any], **inputs: Any) -> str:
    return ChatTemplate.from_source(source).render(RenderInputs(messages or [USER], **inputs))


def error_of(source: str, **inputs: Any) -> RenderError:
    with pytest.raises(RenderError) as caught:
        render(source, **inputs)
    return caught.value


def test_blocks_are_trimmed_and_the_final_newline_is_dropped() -> None:
    assert (
        render("{% for m in messages %}\n  {% if true %}\n{{ m.content }}\n{% endif %}\n{% endfor %}\n")
        == "hi\n"
    )


def test_tojson_escapes_neither_html_nor_unicode() -> None:
    text = render("{{ ' ' ~ (messages[0].content | tojson) }}", {"role": "user", "content": "<é> & 'q'"})
    assert text == " \"<é> & 'q'\""


@pytest.mark.parametrize(
    ("call", "text"),
    [
        ("tojson(ensure_ascii=true)", '{"a": "\\u00e9", "B": 1}'),
        ("tojson(separators=(',', ':'))", '{"a":"é","B":1}'),
        ("tojson(sort_keys=true)", '{"B": 1, "a": "é"}'),
        ("tojson(indent=1)", '{\n "a": "é",\n "B": 1\n}'),
    ],
)
def test_tojson_takes_the_options_of_json_dumps(call: str, text: str) -> None:
    assert render("{{ x | " + call + " }}", kwargs={"x": {"a": "é", "B": 1}}) == text


def test_the_generation_tag_prints_its_body() -> None:
    source = (
        "{% for m in messages %}{% generation %}{{ m.content }}{% set x = 1 %}!"
        "{% endgeneration %}{% endfor %}{{ x }}"
    )
    assert render(source) == "hi!"


def test_loop_controls_work() -> None:
    source = (
        "{% for i in range(9) %}{% if i == 1 %}{% continue %}{% endif %}{% if i == 3 %}"
        "{% break %}{% endif %}{{ i }}{% endfor %}"
    )
    assert render(source) == "02"


def test_dict_and_namespace_are_the_restricted_ones() -> None:
    assert render("{{ dict(a=1) }}{{ dict.fromkeys('ab', 0) }}{{ dict.mro is defined }}") == (
        "{'a': 1}{'a': 0, 'b': 0}False"
    )
    assert render("{% set ns = namespace(self=1, x=2) %}{% set ns.x = 3 %}{{ ns.x }}{{ ns.self }}") == "31"
    assert error_of("{{ namespace(_x=1) }}").kind == "SecurityError"
    assert error_of("{% set ns = namespace() %}{% set ns._x = 1 %}").kind == "SecurityError"


def test_absent_tools_and_documents_are_none_and_other_names_undefined() -> None:
    source = "{{ tools is none }}{{ documents is none }}{{ bos_token is defined }}{{ add_generation_prompt }}"
    assert render(source) == "TrueTrueFalseFalse"


def test_special_tokens_are_variables_and_keyword_arguments_win() -> None:
    template = ChatTemplate.from_source("{{ bos_token }}{{ eos_token }}", special_tokens={"bos_token": "<s>"})
    assert template.render(RenderInputs([USER])) == "<s>"
    assert (
        template.render(RenderInputs([USER], kwargs={"bos_token": "<b>", "eos_token": "</s>"})) == "<b></s>"
    )


def test_the_clock_is_frozen_and_can_be_set() -> None:
    source = "{{ strftime_now('%d %b %Y') }}"
    assert render(source) == render(source) == "15 Jan 2025"
    assert render(source, now=datetime(2031, 2, 3)) == "03 Feb 2031"


def test_variables_are_those_that_are_read_and_not_set() -> None:
    source = (
        "{% set a = 1 %}{{ a }}"
        "{% if enable_thinking %}{{ tools | tojson }}{{ strftime_now('') }}{% endif %}{{ raise_exception }}"
    )
    assert ChatTemplate.from_source(source).variables == {"enable_thinking", "tools"}


def test_the_tree_is_parsed_once_and_left_as_parsed_by_rendering() -> None:
    template = ChatTemplate.from_source("{{ 'a' ~ ('b' ~ 'c') }}{{ ('x' | upper) in messages }}")
    tree, before = template.tree, repr(template.tree)
    assert template.render(RenderInputs([USER])) == "abcFalse"
    assert template.tree is tree
    assert repr(tree) == before


# ---------------------------------------------------------------------------------------------- errors


def test_raise_exception_gives_message_line_and_kind() -> None:
    error = error_of("{% for m in messages %}\n\n{{ raise_exception('no ' ~ m.role) }}{% endfor %}")
    assert (str(error), error.line, error.kind) == ("no user", 3, "TemplateError")


def test_an_error_inside_a_macro_has_the_line_in_the_macro() -> None:
    assert error_of("{% macro f(x) %}\n{{ x.y.z }}\n{% endmacro %}\n\n{{ f(messages) }}").line == 2


@pytest.mark.parametrize(
    ("source", "kind"),
    [
        ("{{ nothing.at.all }}", "UndefinedError"),
        ("{{ 'a' + 1 }}", "TypeError"),
        ("{{ 1 // 0 }}", "ZeroDivisionError"),
        ("{{ nothing | tojson }}", "TypeError"),
        ("{% include '/etc/passwd' %}", "TypeError"),
        ("{{ messages.__class__.__mro__ }}", "SecurityError"),
        ("{{ ''.format.__globals__.x }}", "SecurityError"),
        ("{{ '{0.__class__.__mro__}'.format(messages) }}", "SecurityError"),
        ("{{ (messages | map(attribute='__class__') | list)[0].mro() }}", "SecurityError"),
        ("{{ strftime_now.__globals__.sys }}", "SecurityError"),
    ],
)
def test_what_a_template_may_not_do_is_a_render_error(source: str, kind: str) -> None:
    error = error_of(source)
    assert (error.kind, error.line, error.exit_code) == (kind, 1, 2)


@pytest.mark.parametrize(
    "source",
    [
        "{{ 'a' * 100000000 }}",
        "{{ 100000000 * [0] }}",
        "{{ 10 ** 100000000 }}",
        "{% for i in range(10000000) %}{% endfor %}",
        "{% for a in range(9999) %}{% for b in range(9999) %}{% endfor %}{% endfor %}",
        "{% for a in range(9999) recursive %}{{ loop(range(9999)) if loop.depth < 9 }}{% endfor %}",
        "{% for a in range(99) %}{% block b scoped %}{% for c in range(9999) %}{% endfor %}{% endblock %}{% endfor %}",
        "{% macro f(n) %}{{ f(n - 1) + f(n - 1) if n else '' }}{% endmacro %}{{ f(40) }}",
        "{% set n = namespace(t='ab') %}{% for i in range(99) %}{% set n.t = n.t + n.t %}{% endfor %}",
        "{% set n = namespace(t=[1]) %}{% for i in range(99) %}{% set n.t = n.t + n.t %}{% endfor %}",
        "{% set n = namespace(t=99) %}{% for i in range(99) %}{% set n.t = n.t * n.t %}{% endfor %}",
    ],
)
def test_a_bomb_is_a_resource_limit_error_with_its_line(source: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("autoparser_cli.templates.environment.MAX_STEPS", 20_000)
    error = error_of("\n" + source)
    assert isinstance(error, ResourceLimitError)
    assert error.line == 2


def test_a_macro_that_never_ends_is_a_render_error() -> None:
    assert error_of("{% macro f() %}{{ f() }}{% endmacro %}\n{{ f() }}").kind == "RecursionError"


def test_what_a_long_conversation_needs_is_far_from_the_limits() -> None:
    messages = [{"role": "user", "content": "x" * 100}] * 5000
    source = (
        "{% for m in messages %}{% for c in m.content %}{{ c }}{% endfor %}{{ loop.index + 1 }}{% endfor %}"
    )
    assert len(render(source, *messages)) > 500_000


def test_the_clock_stops_rounds_that_are_slow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("autoparser_cli.templates.environment.MAX_SECONDS", 0.05)
    error = error_of("{% for a in range(9999) %}{% set _ = range(999)|list|join %}{% endfor %}")
    assert isinstance(error, ResourceLimitError)
    assert error.kind == "TimeLimit"


@pytest.mark.parametrize(
    "source",
    [
        "{{ message.keys }}|{{ message.__class__ is defined }}",
        "{{ message.missing is defined }}|{{ message.content.missing is defined }}",
        "{{ message.content.upper() }}|{{ '{0.real}'.format(3) }}|{{ '{x}'.format_map({'x': 1}) }}",
        "{{ message.get('role') }}|{{ message['content'].strip }}|{{ message.content.__len__ }}",
        "{{ message.none_here.deeper }}",
        "{{ 'a' + 1 }}",
        "{{ 1 + 'a' }}|",
        "{{ '%s' % 'a' + 'b' }}|{{ 1.5 + 2 }}|{{ [1] + [2] }}|{{ [1] + (2,) }}",
        "{{ '{0.__class__}'.format(3) }}",
    ],
)
def test_short_ways_give_what_the_sandbox_gives(source: str) -> None:
    def outcome(environment: jinja2.Environment) -> str:
        try:
            text = environment.from_string(source).render(message={"role": "user", "content": "a b"})
        except Exception as error:
            return f"{type(error).__name__}: {error}"
        return re.sub("0x[0-9a-f]+", "", text)

    assert outcome(STRICT) == outcome(ImmutableSandboxedEnvironment(trim_blocks=True, lstrip_blocks=True))


def test_the_output_is_bounded() -> None:
    source = "{% for i in range(100000) %}{{ 'x' * 1000 }}{% endfor %}"
    with pytest.raises(ResourceLimitError, match=str(MAX_OUTPUT)):
        render(source)


def test_a_render_can_be_interrupted() -> None:
    class TooLong(BaseException):
        pass

    def stop(number: int, frame: object) -> None:
        raise TooLong

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, 0.02)
    try:
        with pytest.raises(TooLong):
            render("{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}")
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@pytest.mark.parametrize(
    ("source", "line"),
    [
        ("a\n{% if x %}", 2),
        ("\n\n{{ x | no_such_filter }}", 3),
        ("x\n{% break %}\ny", 2),
        ("{{ ", 1),
        ("{% x %}", 1),
    ],
)
def test_what_does_not_compile_names_the_line(source: str, line: int) -> None:
    with pytest.raises(TemplateSyntaxError) as caught:
        ChatTemplate.from_source(source, name="mine.jinja").render(RenderInputs([USER]))
    error = caught.value
    assert (error.name, error.line, error.source_line) == ("mine.jinja", line, source.split("\n")[line - 1])
    assert str(error).startswith(f"mine.jinja:{line}: ")


def test_an_unparsable_source_is_refused_before_any_render() -> None:
    with pytest.raises(TemplateSyntaxError):
        ChatTemplate.from_source("{% endfor %}")


def test_nesting_that_exhausts_the_parser_is_a_syntax_error() -> None:
    with pytest.raises(TemplateSyntaxError, match="nested too deeply"):
        ChatTemplate.from_source("{{ " + "(" * 5000 + ")" * 5000 + " }}")


# ------------------------------------------------------------------------- what only other engines allow


def test_changing_a_list_is_rendered_and_recorded_with_its_line() -> None:
    template = ChatTemplate.from_source("{% set x = [] %}\n{% set _ = x.append(3) %}\n{{ x }}")
    rendering = template.rendering(RenderInputs([USER]))
    assert rendering.text == "[3]"
    assert [(note.code, note.line) for note in rendering.liberties] == [("list.append", 2)]
    assert template.portability_warnings == rendering.liberties


def test_strict_rendering_refuses_what_transformers_refuses() -> None:
    template = ChatTemplate.from_source("{% set x = [] %}\n{% set _ = x.append(3) %}\n{{ x }}")
    with pytest.raises(RenderError) as caught:
        template.render_strict(RenderInputs([USER]))
    assert (caught.value.kind, caught.value.line) == ("SecurityError", 2)
    assert template.portability_warnings == ()


def test_tojson_of_a_generator_is_rendered_and_recorded() -> None:
    template = ChatTemplate.from_source("{{ messages | map(attribute='role') | tojson }}")
    assert template.render(RenderInputs([USER])) == '["user"]'
    assert [note.code for note in template.portability_warnings] == ["tojson(generator)"]


def test_a_warning_is_recorded_once_over_many_renders() -> None:
    template = ChatTemplate.from_source(
        "{% set d = {} %}{% set _ = d.update(a=1) %}{% set _ = d.update(b=2) %}{{ d }}"
    )
    for _ in range(3):
        assert template.render(RenderInputs([USER])) == "{'a': 1, 'b': 2}"
    assert [note.code for note in template.portability_warnings] == ["dict.update"]


def test_a_portable_template_has_no_warnings() -> None:
    template = ChatTemplate.from_source(
        "{% set x = [] %}{% set x = x + [1] %}{{ x }}{{ x.append is defined }}"
    )
    assert template.render(RenderInputs([USER])) == "[1]False"
    assert template.portability_warnings == ()


def test_the_permissive_sandbox_is_still_a_sandbox() -> None:
    source = "{% set x = [] %}{% set _ = x.append(1) %}{{ x.__class__.__mro__ }}"
    assert error_of(source).kind == "SecurityError"
    assert error_of("{% set x = [] %}{% set _ = x.append(1) %}\n{{ raise_exception('later') }}").line == 2


def test_the_callers_messages_are_never_changed() -> None:
    messages = [{"role": "user", "content": [{"type": "text", "text": "a"}], "tags": ["x"]}]
    tools = [{"type": "function", "function": {"name": "f"}}]
    before = copy.deepcopy((messages, tools))
    source = (
        "{% set _ = messages[0].content.append(1) %}{% set _ = messages[0].update(role='x') %}"
        "{% set _ = messages.pop() %}{% set _ = tools.clear() %}{% set _ = extra.clear() %}{{ messages }}"
    )
    extra = {"a": 1}
    assert render(source, *messages, tools=tools, kwargs={"extra": extra}) == "[]"
    assert (messages, tools) == before
    assert extra == {"a": 1}
    inputs = RenderInputs(messages, continue_final_message=True)
    assert ChatTemplate.from_source("{{ messages[0].content[0].text }}").render(inputs) == "a"
    assert messages == before[0]


def test_templates_and_their_errors_can_be_sent_to_another_process() -> None:
    template = ChatTemplate.from_source(
        "{{ bos_token }}{{ messages[0].content }}", special_tokens={"bos_token": "<s>"}
    )
    assert template.render(RenderInputs([USER])) == pickle.loads(pickle.dumps(template)).render(
        RenderInputs([USER])
    )
    error = pickle.loads(pickle.dumps(error_of("\n{{ 1 // 0 }}")))
    assert (error.kind, error.line) == ("ZeroDivisionError", 2)
    with pytest.raises(TemplateSyntaxError) as caught:
        ChatTemplate.from_source("\n{% if %}", name="t")
    sent = pickle.loads(pickle.dumps(caught.value))
    assert (str(sent), sent.name, sent.line) == (str(caught.value), "t", 2)
