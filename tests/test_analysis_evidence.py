"""The evidence of an analysis: what each probe compared, whether it decided anything, and what is concluded in words."""

from __future__ import annotations

import pickle
import time
from dataclasses import replace
from pathlib import Path

import pytest

from autoparser_cli.analysis.comparing import LazyEvidence
from autoparser_cli.analysis.model import Evidence, TemplateAnalysis
from autoparser_cli.analysis.probes import PROBES
from autoparser_cli.diffing.split import DiffSplit
from autoparser_cli.inference import analyze
from autoparser_cli.templates import ChatTemplate

FIXTURES = Path(__file__).parent.parent / "fixtures"
METHOD = frozenset({"R1", "R2", "R3", "C1", "T1", "T2", "T3", "T5", "T6", "T7"})


def analysis(name: str) -> TemplateAnalysis:
    return analyze(ChatTemplate.load(FIXTURES / name / "template.jinja"))


def entries(found: TemplateAnalysis, probe: str) -> list[Evidence]:
    return [entry for entry in found.evidence if entry.probe == probe]


@pytest.mark.parametrize("name", sorted(path.parent.name for path in FIXTURES.glob("*/template.jinja")))
def test_every_probe_of_the_method_is_there_and_none_is_unknown(name: str) -> None:
    found = analysis(name)
    run = {entry.probe for entry in found.evidence}
    wanted: set[str] | frozenset[str] = METHOD if found.calls is not None else {"R1", "R2", "T1"}
    if found.tools.format.mode.value == "TAG_WITH_TAGGED":
        wanted = {*wanted, "A1", "A2"}
    assert wanted <= run <= PROBES.keys()


@pytest.mark.parametrize("name", ["json-flat", "tag-tagged", "reasoning-tagged"])
def test_each_comparison_holds_together(name: str) -> None:
    for entry in analysis(name).evidence:
        assert entry.split.left_text == entry.left
        assert entry.split.right_text == entry.right
        assert entry.question
        assert entry.conclusion
        if not entry.decided:
            assert entry.left == entry.right or entry.probe in ("R3", "R4", "S1")


def test_probes_come_in_the_order_of_the_table_and_no_reasoning_decides_nothing() -> None:
    found = analysis("json-flat").evidence
    order = [list(PROBES).index(entry.probe) for entry in found]
    assert order == sorted(order)
    assert not any(entry.decided for entry in found if entry.probe in ("R1", "R3", "R4"))


def test_calls_are_compared_with_the_tools_on_both_sides() -> None:
    (entry,) = entries(analysis("json-flat"), "T1")
    assert "zfunctionone" in entry.split.prefix
    assert "zfunctionone" in entry.split.right


@pytest.mark.parametrize(
    ("name", "probe", "words"),
    [
        ("json-flat", "T1", "the function's name stands inside JSON: JSON_NATIVE"),
        ("json-flat", "T3", "the name stands in the field `name`"),
        ("json-flat", "T5", "the comma of JSON separates two arguments"),
        ("json-flat", "R1", "reasoning is not shown"),
        ("json-flat", "C1", "nothing wraps content: PLAIN"),
        ("tag-tagged", "A1", "an argument's name stands between '<arg=' and '>'"),
        ("tag-tagged", "T3", "the name stands behind '<call>\\n<fn='"),
        ("reasoning-tagged", "R1", "reasoning stands between '<think_step>\\n' and '\\n</think_step>\\n\\n'"),
        ("reasoning-tagged", "R5", "reasoning is read from `reasoning_content`"),
    ],
)
def test_conclusions_are_in_words(name: str, probe: str, words: str) -> None:
    (entry,) = entries(analysis(name), probe)
    assert words in entry.conclusion


def test_each_type_of_value_is_compared() -> None:
    found = entries(analysis("tag-tagged"), "A3")
    assert {entry.right_name for entry in found} == {
        f"value: {kind}" for kind in ("string", "number", "boolean", "null", "array", "object")
    }


SWITCHED = """{% for m in messages %}<{{ m.role }}>{{ m.content }}</{{ m.role }}>
{% endfor %}{% if add_generation_prompt %}<assistant>{% if mood == 'grim' %}(frowns){% endif %}{% endif %}"""


def test_each_value_of_a_switch_is_compared_in_a_conversation_that_it_changes() -> None:
    found = analyze(ChatTemplate.from_source(SWITCHED, "t"))
    assert [switch.name for switch in found.switches] == ["mood"]
    entry = next(entry for entry in entries(found, "S1") if "grim" in entry.right_name)
    assert (entry.left_name, entry.right_name) == ("mood not set", 'mood="grim"')
    assert entry.split.right == "(frowns)"
    assert entry.decided


IN_MESSAGE = """{% for m in messages %}<{{ m.role }}>{{ m.content }}</{{ m.role }}>
{% endfor %}{% if add_generation_prompt %}<assistant>{% if '/quick' in messages[-1].content %}(nods){% endif %}{% endif %}"""


def test_a_text_in_a_message_is_compared_with_none() -> None:
    (entry,) = entries(analyze(ChatTemplate.from_source(IN_MESSAGE, "t")), "S1")
    assert (entry.left_name, entry.right_name) == ('without "/quick"', '"/quick" in a message')
    assert entry.right.endswith("(nods)")
    assert entry.decided


REFUSING = """{% for m in messages %}{% if m.role == 'system' %}
{{ raise_exception('no system here') }}{% endif %}<{{ m.role }}>{{ m.content }}</{{ m.role }}>
{% endfor %}"""


def test_a_refusal_is_told_with_its_line() -> None:
    (entry,) = entries(analyze(ChatTemplate.from_source(REFUSING, "t")), "P2")
    assert (entry.error_left, entry.error_right) == ("", "line 2: no system here")
    assert entry.decided
    assert entry.right == ""


def test_a_template_that_refuses_everything_has_evidence_of_that() -> None:
    found = analyze(ChatTemplate.from_source("{{ raise_exception('never') }}", "t"))
    assert found.evidence
    assert all(entry.error_left == entry.error_right == "line 1: never" for entry in found.evidence)
    assert not any(entry.decided for entry in found.evidence)


def test_a_template_without_calls_says_so() -> None:
    (entry,) = entries(analyze(ChatTemplate.from_source(SWITCHED, "t")), "T1")
    assert entry.conclusion == "no call is rendered: NONE"


ENTRY = Evidence("R1", "?", "l", "r", "a", "b", DiffSplit("", "a", "b", ""), "c")


def test_evidence_is_made_when_it_is_looked_at_and_once() -> None:
    made: list[int] = []

    def collect() -> tuple[Evidence, ...]:
        made.append(1)
        return (ENTRY,)

    lazy = LazyEvidence(collect)
    assert pickle.loads(pickle.dumps(lazy)) == ()
    assert not made
    assert "not looked at" in repr(lazy)
    assert (len(lazy), lazy[0], lazy[:1]) == (1, ENTRY, (ENTRY,))
    assert lazy == (ENTRY,)
    assert lazy == LazyEvidence(lambda: (ENTRY,))
    assert lazy != ()
    assert hash(lazy) == hash((ENTRY,))
    assert made == [1]
    assert pickle.loads(pickle.dumps(lazy)) == (ENTRY,)


def test_analyses_are_equal_where_their_evidence_is() -> None:
    found = analysis("json-flat")
    assert found == replace(found, evidence=tuple(found.evidence))
    assert found != replace(found, evidence=())


def test_evidence_can_be_looked_at_long_after_the_analysis(monkeypatch: pytest.MonkeyPatch) -> None:
    found = analysis("json-flat")
    now = time.monotonic()
    monkeypatch.setattr("autoparser_cli.analysis.conversations.time.monotonic", lambda: now + 3_600)
    assert len(found.evidence) > 10
