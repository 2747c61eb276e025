"""A run of case files -> JUnit XML, as CI systems read it: one suite a file, one test case a case."""

from __future__ import annotations

import re
from itertools import groupby
from typing import Final
from xml.etree import ElementTree

from autoparser_cli.cases.model import CaseResult, RunReport, Status

#: The element that says how a case ended, where it did not pass.
_ELEMENTS: Final = {
    Status.FAILED: "failure",
    Status.KNOWN: "skipped",
    Status.SKIPPED: "skipped",
    Status.INVALID: "error",
}

#: What XML 1.0 cannot hold, not even escaped.
_NOT_XML: Final = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def to_junit(report: RunReport) -> str:
    """Return the report as XML text."""
    root = ElementTree.Element("testsuites", name="autoparser test")
    by_file = groupby(report.results, key=lambda result: result.file)
    for file, results in by_file:
        _add_suite(root, file, list(results))
    ElementTree.indent(root)
    text: str = ElementTree.tostring(root, encoding="unicode", xml_declaration=False)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{text}\n'


def _add_suite(root: ElementTree.Element, file: str, results: list[CaseResult]) -> None:
    def count(*statuses: Status) -> str:
        return str(sum(result.status in statuses for result in results))

    suite = ElementTree.SubElement(
        root,
        "testsuite",
        name=clean_text(file),
        tests=str(len(results)),
        failures=count(Status.FAILED),
        errors=count(Status.INVALID),
        skipped=count(Status.SKIPPED, Status.KNOWN),
    )
    for result in results:
        _add_case(suite, result)


def _add_case(suite: ElementTree.Element, result: CaseResult) -> None:
    case = ElementTree.SubElement(
        suite, "testcase", name=clean_text(result.id), classname=clean_text(result.template or result.file)
    )
    element = _ELEMENTS.get(result.status)
    if element is None:
        return
    said = ElementTree.SubElement(case, element, message=clean_text(result.reason))
    if result.status is Status.FAILED:
        details = [("expected", result.expected), ("got", result.got), ("parse error", result.error)]
        said.text = clean_text("\n".join(f"{name}:\n{text}" for name, text in details if text))


def clean_text(text: str) -> str:
    """Replace what XML cannot hold by a visible escape."""
    return _NOT_XML.sub(lambda match: f"\\x{ord(match.group()):02x}", text)
