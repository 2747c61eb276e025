"""The page of a run shows what failed and where it differs first, then honest counts."""

from __future__ import annotations

import io

from autoparser_cli.cases.model import CaseResult, RunReport, Status
from autoparser_cli.reports.console.cases import score_lines, show_report
from autoparser_cli.reports.console.screen import Screen


def result(name: str, status: Status, template: str = "t.jinja", **more: object) -> CaseResult:
    kind = "lint" if status is Status.SKIPPED else "parse"
    return CaseResult(name, "dir/a.jsonl", "dir/a.jsonl:7", template, kind, status, **more)  # type: ignore[arg-type]


FAILED = result(
    "two",
    Status.FAILED,
    reason="content differs",
    expected="content: Hi there",
    got="content: Hi, there",
    error="at offset 3: expected 'x'; found 'y'",
)
REPORT = RunReport(
    (
        result("one", Status.PASSED),
        FAILED,
        result("k", Status.KNOWN, "u.jinja", reason="the case is wrong"),
        result("s", Status.SKIPPED, ""),
    )
)


def page(report: RunReport, *, details: bool = True) -> str:
    stream = io.StringIO()
    show_report(Screen(stream), report, details=details)
    return stream.getvalue()


def test_a_failure_shows_its_place_its_reason_and_the_first_difference() -> None:
    text = page(REPORT)
    assert "failed: two" in text
    assert "dir/a.jsonl:7, template t.jinja" in text
    assert "content: Hi▶ there" in text
    assert "content: Hi▶, there" in text
    assert "parse error: at offset 3: expected 'x'; found 'y'" in text
    assert "the case is wrong" not in text


def test_known_disagreements_count_as_failed_in_the_share_and_apart_in_the_counts() -> None:
    assert score_lines(REPORT) == ["a.jsonl  1 / 3  33.3 %  (1 known, 1 skipped)"]
    text = page(REPORT, details=False)
    assert "1 passed, 1 failed, 1 skipped, 1 known disagreement" in text
    assert "skipped, since their kind is not judged: lint 1" in text
    assert "failed: two" not in text


def test_almost_all_is_not_shown_as_all() -> None:
    results = tuple(result(str(number), Status.PASSED) for number in range(2999))
    assert score_lines(RunReport((*results, FAILED))) == ["a.jsonl  2999 / 3000  99.9 %"]


def test_prompts_have_a_line_of_their_own() -> None:
    checked = result("p", Status.PASSED, prompt_checked=True, prompt_ok=True)
    wrong = result("q", Status.FAILED, prompt_checked=True)
    assert score_lines(RunReport((checked, wrong)))[1].split() == [
        "prompts",
        "end",
        "as",
        "recorded",
        "1",
        "/",
        "2",
    ]


def test_templates_with_failures_come_first_and_the_others_are_counted() -> None:
    text = page(RunReport((FAILED, *(result(f"c{n}", Status.PASSED, f"{n}.jinja") for n in range(30)))))
    assert "30 of 31 templates" in text
    assert "7.jinja" not in text


def test_a_text_that_ends_early_is_marked_at_its_end() -> None:
    short = result("x", Status.FAILED, reason="r", expected="content: Hi", got="content: Hi there")
    assert "content: Hi▶\n" in page(RunReport((short,)))


def test_control_characters_of_an_output_do_not_reach_the_terminal() -> None:
    odd = result("x\x1b[2J", Status.FAILED, reason="r", expected="a", got="\x1b[2Jb")
    assert "\x1b" not in page(RunReport((odd,)))


def test_a_run_that_stopped_early_says_how_much_is_left() -> None:
    assert "stopped at the first failure: 9 not run" in page(RunReport((FAILED,), unrun=9))
