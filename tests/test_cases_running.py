"""Cases are run template by template, in processes or not, and reported in the order of their files."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest

from autoparser_cli.cases.known import read_known
from autoparser_cli.cases.model import RunReport, Status, TemplateRef
from autoparser_cli.cases.running import RunOptions, run_paths
from autoparser_cli.errors import CaseError
from tests.stub_engine import StubEngine, load_stub


def entry(name: str, template: str = "stub", content: str = "Hi", **more: Any) -> dict[str, Any]:
    return {"id": name, "template_inline": template, "output": "Hi", "expect": {"content": content}, **more}


def write(tmp_path: Path, *cases: dict[str, Any]) -> Path:
    file = tmp_path / "a.jsonl"
    file.write_text("\n".join(map(json.dumps, cases)))
    return file


def statuses(report: RunReport) -> dict[str, str]:
    return {result.id: result.status.value for result in report.results}


MIXED = (
    entry("one"),
    entry("wrong", content="Ho"),
    entry("broken", "broken"),
    {"id": "other", "kind": "benchmark"},
    entry("two", "cut"),
    entry("three"),
)


@pytest.mark.parametrize("jobs", [1, 2])
def test_results_stand_in_the_order_of_the_file(tmp_path: Path, jobs: int) -> None:
    report = run_paths([write(tmp_path, *MIXED)], RunOptions(jobs=jobs), loader=load_stub)
    assert list(statuses(report).items()) == [
        ("one", "passed"),
        ("wrong", "failed"),
        ("broken", "invalid"),
        ("other", "skipped"),
        ("two", "failed"),
        ("three", "passed"),
    ]
    assert report.exit_code == 2


def test_a_template_that_takes_too_long_fails_its_own_cases_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("autoparser_cli.inference.limits.MAX_SECONDS", 1.0)
    slow = "{{ messages[0].content }}{{ ([range(100000)] * 99999) | map('sum') | sum }}"
    prompted = {"messages": [{"role": "user", "content": "Hi"}]}
    file = write(
        tmp_path, entry("slow", slow, **prompted), entry("two", "{{ messages[0].content }}", **prompted)
    )
    report = run_paths([file], RunOptions(jobs=1))
    assert statuses(report) == {"slow": "failed", "two": "passed"}
    assert "longer than 1 s" in report.results[0].reason


def test_each_template_is_loaded_once(tmp_path: Path) -> None:
    loaded: list[TemplateRef] = []

    def load(ref: TemplateRef) -> StubEngine:
        loaded.append(ref)
        return StubEngine()

    run_paths([write(tmp_path, entry("a"), entry("b", "other"), entry("c"))], RunOptions(jobs=1), loader=load)
    assert [ref.source for ref in loaded] == ["stub", "other"]


@pytest.mark.parametrize(
    ("cases", "code"),
    [([entry("a")], 0), ([entry("a"), entry("b", content="Ho")], 1), ([entry("a"), {"id": "b"}], 2)],
)
def test_the_exit_code_tells_passed_failed_and_could_not_run(
    tmp_path: Path, cases: list[dict[str, Any]], code: int
) -> None:
    assert run_paths([write(tmp_path, *cases)], RunOptions(jobs=1), loader=load_stub).exit_code == code


def test_selecting_nothing_is_not_a_success(tmp_path: Path) -> None:
    report = run_paths([write(tmp_path, entry("a"))], RunOptions(select=("zzz",)), loader=load_stub)
    assert (report.results, report.exit_code) == ((), 2)


@pytest.mark.parametrize(
    ("select", "found"),
    [(("ONE",), ["one"]), (("kind=benchmark",), ["other"]), (("slow",), ["two"]), (("t", "slow"), ["two"])],
)
def test_cases_are_selected_by_id_kind_and_tag(
    tmp_path: Path, select: tuple[str, ...], found: list[str]
) -> None:
    file = write(tmp_path, entry("one"), entry("two", tags=["slow"]), {"id": "other", "kind": "benchmark"})
    report = run_paths([file], RunOptions(select=select, jobs=1), loader=load_stub)
    assert list(statuses(report)) == found


def test_fail_fast_stops_at_the_first_failure_and_counts_the_rest(tmp_path: Path) -> None:
    file = write(tmp_path, entry("a"), entry("b", content="Ho"), entry("c"), entry("d", "other"))
    report = run_paths([file], RunOptions(fail_fast=True, jobs=1), loader=load_stub)
    assert statuses(report) == {"a": "passed", "b": "failed"}
    assert report.unrun == 2


def write_known(tmp_path: Path, *entries: dict[str, str]) -> Path:
    path = tmp_path / "known.jsonl"
    path.write_text("\n".join(map(json.dumps, entries)))
    return path


def known_entry(name: str) -> dict[str, str]:
    return {"id": name, "file": "a.jsonl", "reason": "the case is wrong", "instead": "Hi"}


def test_a_known_disagreement_is_counted_apart_and_only_while_it_fails(tmp_path: Path) -> None:
    known = read_known(write_known(tmp_path, known_entry("wrong"), known_entry("right")))
    file = write(tmp_path, entry("right"), entry("wrong", content="Ho"), entry("after"))
    report = run_paths([file], RunOptions(known=known, fail_fast=True, jobs=1), loader=load_stub)
    assert statuses(report) == {"right": "passed", "wrong": "known", "after": "passed"}
    assert report.count(Status.FAILED) == 0
    assert report.exit_code == 0


@pytest.mark.parametrize(
    "bad", [{"id": "x"}, {**known_entry("x"), "reason": " "}, {**known_entry("x"), "more": "y"}]
)
def test_a_known_disagreement_needs_a_reason_and_what_is_given_instead(
    tmp_path: Path, bad: dict[str, str]
) -> None:
    with pytest.raises(CaseError, match=r"known\.jsonl:2"):
        read_known(write_known(tmp_path, known_entry("ok"), bad))


def test_the_projects_own_list_stays_small() -> None:
    tests = Path(__file__).parent
    shared = tests.parent.parent / "shared" / "conformance"
    entries = read_known(tests / "known_disagreements.jsonl")
    if not shared.exists():
        pytest.skip("the shared cases are not beside the project")
    for file in shared.glob("*.jsonl"):
        ids = {json.loads(line)["id"] for line in file.read_text(encoding="utf-8").split("\n") if line}
        set_aside = {known.id for known in entries if known.file == file.name}
        assert set_aside <= ids
        assert len(set_aside) <= math.ceil(0.02 * len(ids))


def test_the_json_report_has_the_counts_and_each_case(tmp_path: Path) -> None:
    report = run_paths([write(tmp_path, *MIXED)], RunOptions(jobs=1), loader=load_stub).to_dict()
    assert {name: report[name] for name in ("passed", "failed", "skipped", "invalid")} == {
        "passed": 2,
        "failed": 2,
        "skipped": 1,
        "invalid": 1,
    }
    wrong = report["cases"][1]
    assert (wrong["id"], wrong["status"], wrong["reason"]) == ("wrong", "failed", "content differs")
    assert wrong["file"].endswith("a.jsonl")


def test_progress_counts_up_to_all_cases(tmp_path: Path) -> None:
    seen: list[tuple[int, int]] = []
    run_paths(
        [write(tmp_path, entry("a"), entry("b", "other"))],
        RunOptions(jobs=1),
        loader=load_stub,
        progress=lambda done, total: seen.append((done, total)),
    )
    assert seen == [(1, 2), (2, 2)]
