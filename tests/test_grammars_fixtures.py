"""The recorded output of every fixture is taken by its grammars: those for its tools, and those for calls of any tool."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import pytest
from grammar_runs import ENGINES

from autoparser_cli import ChatTemplate, TemplateAnalysis, analyze, build_parser
from autoparser_cli.grammars.check import DIALECTS, Engine, compile_grammar
from autoparser_cli.grammars.export import export
from autoparser_cli.grammars.syntax_tree import syntaxes_of

FIXTURES = Path(__file__).parent.parent / "fixtures"
NAMES = sorted(
    path.parent.name for path in FIXTURES.glob("*/tools.json") if (path.parent / "output.txt").exists()
)
#: What the grammars do not take though the parser does.
NOT_TAKEN = {
    ("name-is-tag", "its tools"): "a text ends where `<` stands, whatever name follows",
    ("value-a-line", "its tools"): "a value that nothing closes ends where the next field could begin",
    ("value-a-line", "any tool"): "a value that nothing closes ends where the next field could begin",
}


@cache
def analysis_of(name: str) -> TemplateAnalysis:
    return analyze(ChatTemplate.load(str(FIXTURES / name / "template.jinja")), cache=False)


@pytest.mark.parametrize("engine", ENGINES, ids=lambda engine: engine.value)
@pytest.mark.parametrize("known", ["its tools", "any tool"])
@pytest.mark.parametrize("name", NAMES)
def test_what_the_parser_reads_the_grammars_take(name: str, known: str, engine: Engine) -> None:
    folder, analysis = FIXTURES / name, analysis_of(name)
    if analysis.calls is None:
        pytest.skip("the template has no calls")
    if (name, known) in NOT_TAKEN:
        pytest.skip(NOT_TAKEN[name, known])
    tools = json.loads((folder / "tools.json").read_text()) if known == "its tools" else None
    parser = build_parser(analysis, tools)
    output = (folder / "output.txt").read_text(encoding="utf-8")
    result = parser.parse(output)
    if result.error is not None or result.repairs or result.findings:
        pytest.skip("the parser says more of it than the message")
    exported = export(analysis, parser, DIALECTS[engine], whole_output=True)
    check = compile_grammar(exported, engine).check(output)
    assert check.accepted, output[check.offset :][:60]
    if check.said is not None:
        assert check.said.differences(result.message, syntaxes_of(parser.grammar)) == ()
