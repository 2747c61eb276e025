"""The JUnit report can be read by CI, whatever stands in outputs."""

from __future__ import annotations

from xml.etree import ElementTree

from autoparser_cli.cases.model import CaseResult, RunReport, Status
from autoparser_cli.reports.junit import to_junit


def result(name: str, status: Status, file: str = "a.jsonl", **more: str) -> CaseResult:
    return CaseResult(name, file, f"{file}:1", "t.jinja", "parse", status, **more)  # type: ignore[arg-type]


def test_each_file_is_a_suite_with_its_counts() -> None:
    report = RunReport(
        (
            result("one", Status.PASSED),
            result(
                "two", Status.FAILED, reason="content differs", expected="a", got="b", error="at offset 3"
            ),
            result("three", Status.SKIPPED, reason="not judged"),
            result("four", Status.KNOWN, reason="the case is wrong"),
            result("five", Status.INVALID, "b.jsonl", reason="b.jsonl:1: no output"),
        )
    )
    root = ElementTree.fromstring(to_junit(report))
    suites = {suite.get("name"): suite.attrib for suite in root}
    assert suites["a.jsonl"] == {
        "name": "a.jsonl",
        "tests": "4",
        "failures": "1",
        "errors": "0",
        "skipped": "2",
    }
    assert suites["b.jsonl"]["errors"] == "1"
    failure = root.find(".//testcase[@name='two']/failure")
    assert failure is not None
    assert failure.get("message") == "content differs"
    assert failure.text == "expected:\na\ngot:\nb\nparse error:\nat offset 3"
    assert root.find(".//testcase[@name='five']/error") is not None
    assert len(root.findall(".//testcase[@name='one']/*")) == 0


def test_what_xml_cannot_hold_is_escaped() -> None:
    odd = "\x00<a>&\x1b[31m \ud800 \uffff \U0001f600"
    text = to_junit(RunReport((result(odd, Status.FAILED, reason=odd, got=odd),)))
    case = ElementTree.fromstring(text.encode("utf-8")).find(".//testcase")
    assert case is not None
    assert case.get("name") == "\\x00<a>&\\x1b[31m \\xd800 \\xffff \U0001f600"
