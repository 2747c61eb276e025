"""A lint report -> JUnit XML: one suite a file, one failed test case a finding, a passed one for a clean
file.

What could not be evaluated is an error, never a passed test.
"""

from __future__ import annotations

from xml.etree import ElementTree

from autoparser_cli.linting.report import FileReport, LintReport
from autoparser_cli.linting.rule import Violation
from autoparser_cli.reports.junit import clean_text
from autoparser_cli.reports.lint_text import listed_codes


def lint_to_junit(report: LintReport) -> str:
    """Return the report as XML text."""
    root = ElementTree.Element("testsuites", name="autoparser lint")
    for text in report.missing:
        _add_suite(root, FileReport(text.split(":", 1)[0], error=text))
    for file in report.files:
        _add_suite(root, file)
    ElementTree.indent(root)
    text = ElementTree.tostring(root, encoding="unicode", xml_declaration=False)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{text}\n'


def _add_suite(root: ElementTree.Element, file: FileReport) -> None:
    errors = [f"internal error: {file.internal}"] if file.internal else [file.error] if file.error else []
    errors += [f"{listed_codes(gap.codes)}: {gap.reason}" for gap in file.not_evaluated if not gap.optional]
    skipped = [f"{listed_codes(gap.codes)}: {gap.reason}" for gap in file.not_evaluated if gap.optional]
    clean = not file.violations and not errors
    suite = ElementTree.SubElement(
        root,
        "testsuite",
        name=clean_text(file.path),
        tests=str(len(file.violations) + len(errors) + len(skipped) + clean),
        failures=str(len(file.violations)),
        errors=str(len(errors)),
        skipped=str(len(skipped)),
    )
    for item in file.violations:
        _add_failure(suite, item)
    for kind, texts in (("error", errors), ("skipped", skipped)):
        for text in texts:
            ElementTree.SubElement(
                _add_case(suite, file.path, "not evaluated"), kind, message=clean_text(text)
            )
    if clean:
        _add_case(suite, file.path, "clean")


def _add_failure(suite: ElementTree.Element, item: Violation) -> None:
    case = _add_case(suite, item.path, f"{item.code} {item.name}:{item.line}")
    failure = ElementTree.SubElement(
        case, "failure", message=clean_text(item.message), type=item.severity.value
    )
    failure.text = clean_text(f"{item.path}:{item.line}: {item.message}\n{item.instead}")


def _add_case(suite: ElementTree.Element, path: str, name: str) -> ElementTree.Element:
    return ElementTree.SubElement(suite, "testcase", name=clean_text(name), classname=clean_text(path))
