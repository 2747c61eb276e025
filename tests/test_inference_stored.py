"""Stored analyses: exactly the same value comes back, and nothing else is ever made of a text."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from autoparser_cli.analysis import model
from autoparser_cli.analysis.model import Switch, TemplateAnalysis
from autoparser_cli.inference import analyze
from autoparser_cli.inference.stored import DamagedError, from_text, to_text
from autoparser_cli.templates import ChatTemplate


def analysis_of(path: Path) -> TemplateAnalysis:
    analysis = analyze(ChatTemplate.load(path))
    return replace(analysis, evidence=())


TEMPLATES = sorted((Path(__file__).parent.parent / "fixtures").glob("*/template.jinja"))


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.parent.name)
def test_an_analysis_comes_back_equal(path: Path) -> None:
    analysis = analysis_of(path)
    read = from_text(to_text(analysis), TemplateAnalysis, model)
    assert read == analysis
    assert to_text(read) == to_text(analysis)


def test_json_values_keep_their_types() -> None:
    values = (True, 1, 1.0, None, "\ud800 é", {"a": [1, {"b": ()}]}, [], (1, (2,)))
    stored = replace(analysis_of(TEMPLATES[0]), switches=(Switch("x", {"k": 1}, values, ()),))
    assert repr(from_text(to_text(stored), TemplateAnalysis, model).switches) == repr(stored.switches)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "null",
        "[]",
        "3",
        "{",
        '{"TemplateAnalysis": []}',
        '{"TemplateAnalysis": 3}',
        '{"Var": "NAME"}',
        '{"Var": "NO_SUCH"}',
        '{"NoSuchClass": []}',
        '{"TemplateAnalysis": [], "Var": "NAME"}',
        '{"__builtins__": []}',
        '{"dataclass": []}',
        '{"Any": []}',
        "[" * 100_000,
    ],
)
def test_another_text_is_damaged(text: str) -> None:
    with pytest.raises(DamagedError):
        from_text(text, TemplateAnalysis, model)


def test_a_field_too_few_is_damaged() -> None:
    whole = json.loads(to_text(analysis_of(TEMPLATES[0])))
    whole["TemplateAnalysis"].pop()
    with pytest.raises(DamagedError, match="fields"):
        from_text(json.dumps(whole), TemplateAnalysis, model)


def test_only_classes_of_the_model_are_made() -> None:
    for name in ("ChatTemplate", "Path", "eval", "Enum", "object", "type"):
        with pytest.raises(DamagedError):
            from_text(json.dumps({name: []}), TemplateAnalysis, model)


def test_the_whole_value_is_an_analysis() -> None:
    assert isinstance(
        from_text(to_text(analysis_of(TEMPLATES[0])), TemplateAnalysis, model), TemplateAnalysis
    )
