"""Recorded outputs are read with an old and a new template; what the two read differently is listed."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import pytest
from stub_engine import ANALYSIS, StubEngine

from autoparser_cli.cases.model import Case, ExpectedMessage, TemplateRef
from autoparser_cli.cases.replaying import replay, replay_cases
from autoparser_cli.errors import CaseError
from autoparser_cli.templates import ChatTemplate


def case(name: str, output: str, content: str = "hi", **changes: object) -> Case:
    return Case(
        id=name,
        file="f.jsonl",
        where="f.jsonl:1",
        template=TemplateRef(source="t"),
        output=output,
        expect=ExpectedMessage(content=content),
        **changes,  # type: ignore[arg-type]
    )


def test_outputs_that_both_read_are_no_difference() -> None:
    found = replay_cases([case("a", "hi"), case("b", "hi")], [StubEngine(), StubEngine()])
    assert (found.tried, found.differences) == (2, ())


def test_an_output_that_no_longer_parses_is_listed() -> None:
    found = replay_cases([case("a", "hi")], [StubEngine(), StubEngine(flaw="crash")])
    assert [(entry.case, entry.passed_old, entry.passed_new) for entry in found.differences] == [
        ("a", True, False)
    ]
    assert found.differences[0].detail


def test_an_output_that_parses_now_is_listed_with_what_was_wrong() -> None:
    found = replay_cases([case("a", "hi")], [StubEngine(flaw="crash"), StubEngine()])
    assert [(entry.passed_old, entry.passed_new) for entry in found.differences] == [(False, True)]
    assert found.differences[0].detail


def test_an_output_that_fails_with_both_alike_is_no_difference() -> None:
    assert replay_cases([case("a", "hi", content="bye")], [StubEngine(), StubEngine()]).differences == ()


@dataclass(frozen=True)
class _Prompted(StubEngine):
    """Remembers the prompt that a case came with."""

    def parser(self, case: Case, *, lenient: bool = False) -> object:
        SEEN.append(case.generation_prompt)
        return super().parser(case, lenient=lenient)


SEEN: list[str | None] = []


def test_the_new_template_gets_its_own_prompt() -> None:
    SEEN.clear()
    replay_cases([case("a", "hi", generation_prompt="<bot>")], [_Prompted(), _Prompted()])
    assert set(SEEN[: len(SEEN) // 2]) == {"<bot>"}
    assert set(SEEN[len(SEEN) // 2 :]) == {None}


def write(folder: Path, *entries: dict[str, object]) -> Path:
    path = folder / "cases.jsonl"
    path.write_text("".join(json.dumps(entry) + "\n" for entry in entries))
    return path


def test_cases_of_other_templates_are_refused_when_there_are_no_others(tmp_path: Path) -> None:
    entry = {"id": "a", "template_inline": "{{ other }}", "output": "hi", "expect": {"content": "hi"}}
    template = ChatTemplate.from_source("{{ messages }}")
    with pytest.raises(CaseError, match="no output in it was recorded"):
        replay([write(tmp_path, entry)], (template, template), (ANALYSIS, ANALYSIS))


def test_a_broken_case_is_an_error(tmp_path: Path) -> None:
    template = ChatTemplate.from_source("{{ messages }}")
    with pytest.raises(CaseError):
        replay([write(tmp_path, {"id": "a"})], (template, template), (ANALYSIS, ANALYSIS))
