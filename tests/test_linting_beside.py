"""The rules that read the files beside a template, or the analysis alone."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from autoparser_cli.analysis.model import Proof, ProofStep, TemplateAnalysis
from autoparser_cli.linting.config import LintConfig
from autoparser_cli.linting.engines import ENGINES
from autoparser_cli.linting.rule import NotEvaluatedError
from autoparser_cli.linting.rules import all_rules
from autoparser_cli.linting.runner import lint
from autoparser_cli.linting.subject import Subject
from autoparser_cli.templates import ChatTemplate
from tests.lint_templates import SOUND

TOKENS = ("<|system|>", "<|user|>", "<|assistant|>", "<|end|>")
DECODER = {str(number): {"content": token, "special": True} for number, token in enumerate(TOKENS)}


def messages(folder: Path, code: str, source: str = SOUND, **files: Any) -> list[str]:
    (folder / "chat_template.jinja").write_text(source)
    for name, content in files.items():
        (folder / f"{name}.json").write_text(content if isinstance(content, str) else json.dumps(content))
    report = lint([folder / "chat_template.jinja"], LintConfig(select=(code,)), jobs=1)
    return [item.message for item in report.violations]


# ------------------------------------------------------------------------------------------------ AP301


@pytest.mark.parametrize(
    "files",
    [
        {"tokenizer_config": {"added_tokens_decoder": {"1": {"content": "<|user|>"}}}},
        {"tokenizer": {"added_tokens": [{"id": 1, "content": "<|user|>"}], "model": {"vocab": {"a": 1}}}},
        {"added_tokens": {"<|user|>": 1}},
    ],
)
def test_a_token_that_is_not_in_the_vocabulary_is_found(tmp_path: Path, files: Mapping[str, Any]) -> None:
    source = "{% for m in messages %}<|user|>{{ m.content }}<|end|>{{ '<|end|>' }}{% endfor %}"
    assert messages(tmp_path, "AP301", source, **files) == ["<|end|> is not a token of the vocabulary"]


@pytest.mark.parametrize(
    "files",
    [
        {},
        {"tokenizer_config": {"added_tokens_decoder": DECODER}},
        {"tokenizer": {"added_tokens": [{"content": token} for token in TOKENS]}},
        {"added_tokens": {"<|user|>": 1}, "tokenizer": {"model": {"vocab": dict.fromkeys(TOKENS, 1)}}},
        {"tokenizer": "not JSON"},
    ],
)
def test_a_known_vocabulary_and_none_are_left_alone(tmp_path: Path, files: Mapping[str, Any]) -> None:
    assert messages(tmp_path, "AP301", **files) == []


# ------------------------------------------------------------------------------------------------ AP305


@pytest.mark.parametrize(
    ("tokens", "expected"),
    [
        (TOKENS, ["</think>", "</tool_call>", "<think>", "<tool_call>"]),
        ((*TOKENS, "<think>", "</think>"), ["</tool_call>", "<tool_call>"]),
        ((*TOKENS, "<think>", "</think>", "<tool_call>"), ["</tool_call>"]),
        ((*TOKENS, "<think>", "</think>", "<tool_call>", "</tool_call>"), []),
    ],
)
def test_a_marker_that_is_no_token_is_found(
    tmp_path: Path, tokens: tuple[str, ...], expected: list[str]
) -> None:
    found = messages(tmp_path, "AP305", added_tokens=dict.fromkeys(tokens, 1))
    assert sorted(found) == [f"{token} is not one token of the vocabulary" for token in expected]


@pytest.mark.parametrize(
    ("source", "files"),
    [
        (SOUND, {}),
        # A special token by its form is AP301's.
        (
            SOUND.replace("<tool_call>", "<|call|>").replace("<think>", "<|think|>"),
            {"added_tokens": {"</think>": 1, "</tool_call>": 2}},
        ),
        (
            "{% for m in messages %}{{ m.role }}: {{ m.content }}\n{% endfor %}",
            {"added_tokens": {"<|user|>": 1}},
        ),
    ],
)
def test_markers_of_no_format_or_without_a_vocabulary_are_left_alone(
    tmp_path: Path, source: str, files: Mapping[str, Any]
) -> None:
    assert messages(tmp_path, "AP305", source, **files) == []


# ------------------------------------------------------------------------------------------------ AP302

PLAIN = "{% for m in messages %}{{ m.role }}: {{ m.content }}\n{% endfor %}"


@pytest.mark.parametrize(
    "source",
    [
        PLAIN,
        PLAIN + "{{ bos_token }}",
        "</s>" + PLAIN,
        "{% if false %}</s>{% endif %}" + PLAIN,
    ],
)
def test_a_missing_stop_token_is_found(tmp_path: Path, source: str) -> None:
    assert messages(tmp_path, "AP302", source, tokenizer_config={"eos_token": "</s>"})


@pytest.mark.parametrize(
    "stops",
    [{"eos_token_id": 7}, {"eos_token_id": [7, 8]}, {"eos_token_id": 0}],
)
def test_a_turn_whose_end_no_server_stops_at_is_found(tmp_path: Path, stops: Mapping[str, Any]) -> None:
    config = {"eos_token": "</s>", "added_tokens_decoder": DECODER}
    (message,) = messages(tmp_path, "AP302", tokenizer_config=config, generation_config=stops)
    assert message.endswith("the text goes on with <|end|>")


@pytest.mark.parametrize(
    ("source", "files"),
    [
        (PLAIN, {}),
        (PLAIN.replace("\n", "</s>\n"), {"tokenizer_config": {"eos_token": "</s>"}}),
        (PLAIN.replace("\n", "{{ eos_token }}"), {"tokenizer_config": {"eos_token": {"content": "</s>"}}}),
        # Where nothing tells what else servers stop at, any special token may be it.
        (SOUND, {"tokenizer_config": {"eos_token": "</s>", "added_tokens_decoder": DECODER}}),
        (
            SOUND,
            {
                "tokenizer_config": {"eos_token": "</s>", "added_tokens_decoder": DECODER},
                "generation_config": {"eos_token_id": [7, 3]},
            },
        ),
    ],
)
def test_a_stop_token_that_is_there_is_enough(tmp_path: Path, source: str, files: Mapping[str, Any]) -> None:
    assert messages(tmp_path, "AP302", source, **files) == []


# ----------------------------------------------------------------------------------------- AP303, AP304


@pytest.mark.parametrize(
    ("config", "count"),
    [
        ({"response_schema": {}}, 1),
        ({"response_schema": {"x-regex": "."}}, 1),
        ({"response_schema": None}, 1),
        ({}, 0),
        ({"response_template": {}}, 0),
        ({"response_schema": {}, "response_template": {}}, 0),
    ],
)
def test_a_response_schema_is_found(tmp_path: Path, config: Mapping[str, Any], count: int) -> None:
    assert len(messages(tmp_path, "AP303", tokenizer_config=config)) == count


@pytest.mark.parametrize(
    ("fields", "count"),
    [
        ({"tool_calls": {"open": "<tools>", "close": "</tool_call>"}}, 1),
        ({"tool_calls": {"open": ["[CALL]", "[call]"]}}, 1),
        ({"thinking": {"open": "<|think|>", "close": "</|think|>"}}, 2),
        ({"tool_calls": {"open": "<tool_call>\n", "close": "\n</tool_call>"}}, 0),
        ({"tool_calls": {"open": ["[CALL]", "<tool_call>"]}, "content": {}}, 0),
        ({"thinking": {"open_pattern": "<nowhere>", "close": "</think>"}}, 0),
        ("not fields", 0),
    ],
)
def test_a_response_template_that_disagrees_is_found(tmp_path: Path, fields: object, count: int) -> None:
    config = {"response_template": {"version": 1, "fields": fields}}
    assert len(messages(tmp_path, "AP304", tokenizer_config=config)) == count


# ------------------------------------------------------------------------------------- AP101, AP102, AP106


def hits(code: str, source: str = SOUND, **changes: Any) -> list[str]:
    """Judge with the template's own analysis, in which some fields are changed."""
    subject = Subject(ChatTemplate("test.jinja", source), tuple(ENGINES))
    analysis: TemplateAnalysis = replace(subject.analysis, **changes)
    subject.__dict__["analysis"] = analysis
    rule = next(rule for rule in all_rules() if rule.code == code)
    return [hit.message for hit in rule.check(subject)]


PASSED = ProofStep("content", True)


def failing(number: int, line: int | None = None) -> ProofStep:
    return ProofStep(f"step {number}", False, f"'{number}' became 'b'", line)


@pytest.mark.parametrize("failed", [1, 2, 5])
def test_turns_that_do_not_come_back_are_found(failed: int) -> None:
    (message,) = hits("AP101", proof=Proof((PASSED, *map(failing, range(failed)))))
    assert message.startswith(
        f"{failed} of {failed + 1} turns {'do' if failed > 1 else 'does'} not come back"
    )
    assert "step 0" in message and message.endswith(": '0' became 'b'")


def test_turns_are_found_at_the_line_that_wrote_the_difference() -> None:
    subject = Subject(ChatTemplate("test.jinja", SOUND), tuple(ENGINES))
    proof = Proof((PASSED, failing(1, 3), failing(2, 7), failing(3, 3)))
    subject.__dict__["analysis"] = replace(subject.analysis, proof=proof)
    found = list(next(rule for rule in all_rules() if rule.code == "AP101").check(subject))
    assert [(hit.line, hit.message[:10]) for hit in found] == [(3, "2 of 4 tur"), (7, "1 of 4 tur")]


def test_a_template_that_loses_quotes_is_found_where_it_does(tmp_path: Path) -> None:
    source = SOUND.replace(
        "{{ call.function.arguments | tojson }}",
        "{{ call.function.arguments | tojson | replace('\\\\n', ' ') }}",
    )
    (tmp_path / "a.jinja").write_text(source)
    (found,) = lint([tmp_path / "a.jinja"], LintConfig(select=("AP101",)), jobs=1).violations
    assert "'every type'" in found.message
    assert "replace" in source.split("\n")[found.line - 1]


def test_a_format_that_was_not_understood_at_all_is_not_evaluated() -> None:
    with pytest.raises(NotEvaluatedError, match="none of 2 turns comes back"):
        hits("AP101", proof=Proof((ProofStep("one", False), ProofStep("two", False))))


def test_a_proof_of_nothing_is_not_evaluated() -> None:
    with pytest.raises(NotEvaluatedError, match="no assistant's turn shows whole"):
        hits("AP101", proof=Proof())


@pytest.mark.parametrize("proof", [Proof((PASSED,)), Proof((PASSED, PASSED)), Proof((PASSED,) * 9)])
def test_a_whole_proof_is_left_alone(proof: Proof) -> None:
    assert hits("AP101", proof=proof) == []


@pytest.mark.parametrize("old", [" | tojson", "<tool_call>", "</tool_call>"])
def test_calls_without_a_format_are_found(old: str) -> None:
    assert hits("AP102", SOUND.replace(old, old, 1), calls=None)


@pytest.mark.parametrize(
    "source",
    [
        SOUND,
        "{% for m in messages %}{{ m.content }}{% endfor %}",
        SOUND.replace("message.tool_calls or []", "[]"),
    ],
)
def test_a_format_and_no_calls_are_left_alone(source: str) -> None:
    assert hits("AP102", source) == []


@pytest.mark.parametrize("marker", ["<zfunctionone>", "zcallAAA1", "=47113;"])
def test_a_probe_in_a_marker_is_found(marker: str) -> None:
    assert hits("AP106", preserved_tokens=("<tool_call>", marker))


@pytest.mark.parametrize("markers", [(), ("<tool_call>", "</tool_call>"), ("<function=", "4711")])
def test_markers_without_a_probe_are_left_alone(markers: tuple[str, ...]) -> None:
    assert hits("AP106", preserved_tokens=markers) == []
