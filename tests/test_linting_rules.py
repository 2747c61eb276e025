"""Each lint rule finds what it is for, leaves near things alone, and explains itself."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path

import pytest

from autoparser_cli.linting.engines import ENGINES
from autoparser_cli.linting.rule import GROUPS, Hit, NotEvaluatedError, Rule
from autoparser_cli.linting.rules import all_rules
from autoparser_cli.linting.subject import Subject
from autoparser_cli.templates import ChatTemplate
from tests import lint_examples_rendering, lint_examples_source
from tests.lint_templates import SOUND, changed

EXAMPLES = {**lint_examples_rendering.EXAMPLES, **lint_examples_source.EXAMPLES}
RULES = {rule.code: rule for rule in all_rules()}

#: Rules that look at files beside the template, at the analysis alone, or at comments: tested elsewhere.
ELSEWHERE = {
    "AP101",
    "AP102",
    "AP106",
    "AP301",
    "AP302",
    "AP303",
    "AP304",
    "AP305",
    "AP901",
    "AP902",
    "AP903",
}


def find(code: str, source: str) -> list[Hit]:
    if code == "AP214" and importlib.util.find_spec("minijinja") is None:
        pytest.skip("minijinja is not installed")
    subject = Subject(ChatTemplate("test.jinja", source), tuple(ENGINES))
    return list(RULES[code].check(subject))


def cases(kind: str) -> list[object]:
    return [
        pytest.param(code, source, id=f"{code}-{number}")
        for code, examples in EXAMPLES.items()
        for number, source in enumerate(getattr(examples, kind))
    ]


@pytest.mark.parametrize(("code", "source"), cases("wrong"))
def test_a_rule_finds_what_it_is_for(code: str, source: str) -> None:
    assert find(code, source)


@pytest.mark.parametrize(("code", "source"), cases("right"))
def test_a_rule_leaves_near_things_alone(code: str, source: str) -> None:
    try:
        assert find(code, source) == []
    except NotEvaluatedError as gap:
        pytest.fail(f"not evaluated: {gap}")


def test_every_rule_has_three_examples_of_each_kind() -> None:
    assert set(EXAMPLES) | ELSEWHERE == set(RULES)
    for code, examples in EXAMPLES.items():
        assert len(examples.wrong) >= 3, code
        assert len(examples.right) >= 3, code


@pytest.mark.parametrize("code", sorted(set(RULES) - ELSEWHERE - {"AP214"}))
def test_no_rule_finds_anything_in_a_sound_template(code: str) -> None:
    assert find(code, SOUND) == []


@pytest.mark.parametrize("rule", all_rules(), ids=lambda rule: rule.code)
def test_a_rule_explains_itself(rule: Rule) -> None:
    assert re.fullmatch(r"AP\d\d\d", rule.code)
    assert rule.code[2] in GROUPS
    assert re.fullmatch(r"[a-z]+(-[a-z]+)*", rule.name)
    for text in (rule.summary, rule.why, rule.instead):
        assert text == text.strip() and text[-1] in ".`)", text
    assert rule.example


def test_names_are_unique() -> None:
    assert len({rule.name for rule in RULES.values()}) == len(RULES)


def test_hits_point_at_the_line() -> None:
    (hit,) = find("AP202", "{# one #}\n{# two #}\n  {{ messages.0.role }}\n")
    assert (hit.line, hit.column) == (3, 14)
    (hit,) = find("AP201", "\n{% if false %}{{ [].append(1) }}{% endif %}")
    assert (hit.line, hit.column) == (2, 20)
    hits = find(
        "AP003",
        (
            "{% for m in messages %}\n{% if m.role == 'developer' %}\n{{ raise_exception('no') }}\n{% "
            "endif %}{% endfor %}"
        ),
    )
    assert [hit.line for hit in hits] == [3]


def test_a_render_rule_tells_the_line_that_printed() -> None:
    source = (
        "{% for m in messages %}\n<|{{ m.role }}|>\n{{ m.content }}\n{% for c in m.tool_calls or [] "
        "%}{{ c.function.name }} {{ c.function.arguments | tojson }}{% endfor %}{% endfor %}"
    )
    (hit,) = find("AP006", source)
    assert hit.line == 3


@pytest.mark.parametrize(
    ("code", "old", "new", "marked"),
    [
        (
            "AP010",
            "<|end|>\n{%- endfor -%}",
            "<|end|>\n{%- endfor -%}\n{{ messages[0].content }}",
            "messages[0]",
        ),
        (
            "AP019",
            "<|assistant|>{%- endif -%}",
            "<|assistant|>\n{%- else -%}\n<|eos|>{%- endif -%}",
            "<|eos|>",
        ),
        (
            "AP020",
            "<|assistant|>{%- endif -%}",
            "<|assistant|>\n{%- else -%}\n<|eos|>{%- endif -%}",
            "<|eos|>",
        ),
        (
            "AP103",
            "{{ call.function.arguments | tojson }}",
            "\n{%- for k, v in call.function.arguments.items() -%}\n<p={{ k }}>\n{{ v }}\n</p>\n{% endfor %}",
            "{{ v }}",
        ),
        (
            "AP107",
            "<think>{{ message.reasoning_content }}</think>",
            "\n{{ message.reasoning_content }}\n",
            "reasoning",
        ),
    ],
)
def test_what_two_renders_show_has_a_line(code: str, old: str, new: str, marked: str) -> None:
    source = changed(old, new)
    hit = find(code, source)[0]
    assert hit.line is not None
    assert marked in source.split("\n")[hit.line - 1]


def test_engines_that_are_not_asked_for_are_not_told_of() -> None:
    source = "{{ messages.0.role }}{{ {} | tojson(ensure_ascii=False) }}{{ [].append(1) }}"
    subject = Subject(ChatTemplate("test.jinja", source), ("minijinja",))
    assert list(RULES["AP202"].check(subject)) == []
    assert list(RULES["AP201"].check(subject)) == []
    assert len(list(RULES["AP209"].check(subject))) == 1


def test_the_page_of_rules_is_up_to_date() -> None:
    from autoparser_cli.reports.rules_page import rules_page

    page = Path(__file__).parent.parent / "docs" / "rules.md"
    assert page.read_text(encoding="utf-8") == rules_page(all_rules()), "write it with `make docs`"
