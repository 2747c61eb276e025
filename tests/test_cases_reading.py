"""Case files are read whole, and what is wrong in one case leaves the others alone."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from autoparser_cli.cases.reading import read_cases
from autoparser_cli.errors import CaseError

GOOD: dict[str, Any] = {"id": "good", "template_inline": "{{ messages }}", "output": "Hi", "expect": {}}
SHARED = Path(__file__).parent.parent.parent / "shared" / "conformance"


def write_lines(path: Path, *cases: object) -> Path:
    path.write_text("\n".join(case if isinstance(case, str) else json.dumps(case) for case in cases))
    return path


def without(key: str) -> dict[str, Any]:
    return {name: value for name, value in {**GOOD, "id": "bad"}.items() if name != key}


@pytest.mark.parametrize(
    ("bad", "said"),
    [
        (without("output"), "no `output`"),
        (without("expect"), "neither `expect` nor `expect_error`"),
        (without("template_inline"), "one of `template` and `template_inline`"),
        ({**GOOD, "id": "bad", "template": "a.jinja"}, "one of `template` and `template_inline`"),
        ({**without("template_inline"), "template": "gone.jinja"}, "gone.jinja does not exist"),
        ({**GOOD, "id": "bad", "expct": {}}, "unknown key `expct`"),
        ({**GOOD, "id": "bad", "expect": {"contents": ""}}, "unknown key `expect.contents`"),
        ({**GOOD, "id": "bad", "options": {"reasoning": 1}}, "unknown key `options.reasoning`"),
        ({**GOOD, "id": "bad", "options": {"tool_choice": "maybe"}}, "options.tool_choice"),
        ({**GOOD, "id": "bad", "output": 3}, "`output` must be text, not 3"),
        ({**GOOD, "id": "bad", "tools": "none"}, "must be a list of tools"),
        ({**GOOD, "id": "bad", "messages": []}, "`messages` must be a list"),
        ({**GOOD, "id": "bad", "chunks": ["H"]}, "`chunks` put together are not `output`"),
        ({**GOOD, "id": "bad", "output_hex": "xyz"}, "`output_hex` is not hexadecimal"),
        ({**GOOD, "id": "bad", "expect_error": {"accept": ["crash"]}}, "`expect_error.accept`"),
        ({**GOOD, "id": "bad", "expect": {"tool_calls": [{"arguments": {}}]}}, "tool_calls[0].name"),
        ({**GOOD, "id": "bad", "expect": {"tool_calls": [{"name": "f", "arguments": "{"}]}}, "not JSON"),
        ({**GOOD, "id": "bad", "expect_more": {"lenent": {}}}, "unknown key `expect_more.lenent`"),
        ({**GOOD, "id": "good"}, "the id good stands in this file twice"),
        ([1], "a case must be an object, not list"),
        ("{", "not JSON"),
        ({"output": ""}, "no `id`"),
    ],
)
def test_a_bad_case_is_named_by_line_and_the_others_are_read(tmp_path: Path, bad: object, said: str) -> None:
    file = write_lines(tmp_path / "cases.jsonl", GOOD, "", bad, {**GOOD, "id": "last"})
    cases, invalid = read_cases([file])
    assert [case.id for case in cases] == ["good", "last"]
    assert [result.where for result in invalid] == [f"{file}:3"]
    assert said in invalid[0].reason
    assert f"{file}:3" in invalid[0].reason


def test_kinds_that_are_not_judged_need_nothing_but_an_id(tmp_path: Path) -> None:
    file = write_lines(tmp_path / "a.jsonl", {"id": "x", "kind": "benchmark", "whatever": 1})
    cases, invalid = read_cases([file])
    assert ([case.kind for case in cases], invalid) == (["benchmark"], [])


def test_unicode_line_separators_inside_a_case_do_not_end_its_line(tmp_path: Path) -> None:
    file = tmp_path / "a.jsonl"
    file.write_text(json.dumps({**GOOD, "output": "a\u2028b"}, ensure_ascii=False), encoding="utf-8")
    cases, invalid = read_cases([file])
    assert (cases[0].output, invalid) == ("a\u2028b", [])


def test_an_output_in_bytes_has_replacement_characters_for_what_is_not_utf8(tmp_path: Path) -> None:
    file = write_lines(tmp_path / "a.jsonl", {**GOOD, "output_hex": "41a342"})
    assert read_cases([file])[0][0].output == "A\ufffdB"


def test_a_yaml_file_beside_a_template_has_defaults_lines_and_no_need_to_name_it(tmp_path: Path) -> None:
    (tmp_path / "mine.jinja").write_text("{{ messages }}")
    file = tmp_path / "mine.cases.yaml"
    file.write_text(
        "template_kwargs: {enable_thinking: true}\n"
        "cases:\n"
        "  - id: one\n"
        "    output: Hi\n"
        "    expect: {content: Hi}\n"
        "  - id: two\n"
        "    output: Ho\n"
    )
    cases, invalid = read_cases([tmp_path])
    assert cases[0].template.path == (tmp_path / "mine.jinja").resolve()
    assert cases[0].template_kwargs == {"enable_thinking": True}
    assert cases[0].where == f"{file}:3"
    assert [result.where for result in invalid] == [f"{file}:6"]


def test_a_json_file_may_be_a_list(tmp_path: Path) -> None:
    file = tmp_path / "some.json"
    file.write_text(json.dumps([GOOD, {**GOOD, "id": "b"}]))
    cases, _ = read_cases([file])
    assert [case.where for case in cases] == [f"{file}, case 1", f"{file}, case 2"]


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("a.json", "{", "is not JSON"),
        ("a.json", "3", "neither a list of cases"),
        ("a.yaml", "a: [", "is not YAML"),
        ("a.txt", "x", "is not a case file"),
        ("a.jsonl", "\n", "has no cases"),
    ],
)
def test_a_file_that_is_none_is_one_invalid_result(tmp_path: Path, name: str, text: str, said: str) -> None:
    (tmp_path / name).write_text(text)
    cases, invalid = read_cases([tmp_path / name])
    assert cases == []
    assert len(invalid) == 1
    assert said in invalid[0].reason


def test_bytes_that_are_not_utf8_are_one_invalid_result(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_bytes(b"\xff\xfe")
    assert "is not UTF-8" in read_cases([tmp_path / "a.jsonl"])[1][0].reason


def test_a_path_that_is_not_there_cannot_be_run(tmp_path: Path) -> None:
    with pytest.raises(CaseError, match="no such file"):
        read_cases([tmp_path / "gone"])


def test_other_json_in_a_folder_is_not_taken_for_cases(tmp_path: Path) -> None:
    (tmp_path / "tokenizer_config.json").write_text("{}")
    with pytest.raises(CaseError, match="no case file"):
        read_cases([tmp_path])


@pytest.mark.skipif(not SHARED.exists(), reason="the shared cases are not beside the project")
def test_every_recorded_case_is_understood() -> None:
    cases, invalid = read_cases([SHARED])
    assert invalid == []
    assert len(cases) == 3298
