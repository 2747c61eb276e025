"""Cases about a generated grammar -> what of their facts does not hold.

The grammar is read by our own reader of GBNF, which refuses what samplers refuse. What a case says in free
words (notes, what a message mentions) is passed over.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from autoparser_cli.cases.comparing import Mismatch, compare
from autoparser_cli.cases.engine import Engine
from autoparser_cli.cases.expectations import read_parsed
from autoparser_cli.cases.model import Case
from autoparser_cli.errors import AutoparserError
from autoparser_cli.messages import read_tools

if TYPE_CHECKING:
    from autoparser_cli.grammars.check import CompiledGrammar
    from autoparser_cli.grammars.export import ExportedGrammar

_RULE = re.compile(r"^([^\s#]+) ::=", re.MULTILINE)


def check_grammar(case: Case, engine: Engine) -> None:
    """Write the case's grammars, read them, and compare the facts. Raise Mismatch."""
    facts = case.more.facts
    from_trigger = engine.grammar(case, whole=False)
    whole = engine.grammar(case, whole=True)
    loaded = {"from a trigger": _load(from_trigger), "of the whole output": _load(whole)}
    for exported in (from_trigger, whole):
        for name, check in _TEXT_CHECKS.items():
            if name in facts:
                check(case, facts[name], exported)
    _check_samples(loaded["of the whole output"], facts)
    _check_samples(loaded["from a trigger"], {"accept": facts.get("accept_after_reasoning", ())})
    check_parsed(case, engine)


def check_parsed(case: Case, engine: Engine) -> None:
    """Compare what the case's output parses to, where it says so. Raise Mismatch."""
    wanted = case.more.facts.get("parsed")
    if wanted is not None and case.output is not None:
        found = engine.parser(case).parse(case.output)
        compare(case, read_parsed(wanted, "expect_more.parsed"), found.message, what="parsed: ")


def _load(exported: ExportedGrammar) -> CompiledGrammar:
    from autoparser_cli.grammars.check import compile_grammar
    from autoparser_cli.grammars.dialects import Engine as GrammarEngine

    try:
        return compile_grammar(exported, GrammarEngine.GBNF)
    except AutoparserError as error:
        raise Mismatch("the grammar does not load", "a grammar that loads", str(error)) from None


def _check_samples(grammar: CompiledGrammar, facts: Mapping[str, Any]) -> None:
    for name, wanted in (("accept", True), ("reject", False)):
        for sample in facts.get(name, ()):
            found = grammar.check(sample)
            if found.accepted is not wanted:
                raise Mismatch(f"the grammar must {name} a sample", sample, f"stopped at {found.offset}")


def _check_rules(case: Case, wanted: Any, exported: ExportedGrammar) -> None:
    names = _RULE.findall(exported.text)
    doubled = sorted({name for name in names if names.count(name) > 1})
    if wanted and doubled:
        raise Mismatch("rules are defined more than once", "", ", ".join(doubled))


def _check_rule_names(case: Case, wanted: Any, exported: ExportedGrammar) -> None:
    odd = [name for name in _RULE.findall(exported.text) if not re.search(wanted, name)]
    if odd:
        raise Mismatch("rules have names that are not allowed", wanted, ", ".join(odd))


def _check_tools(case: Case, wanted: Any, exported: ExportedGrammar) -> None:
    for tool in read_tools(list(case.tools)):
        if not re.search(rf"(?<![\w-]){re.escape(tool.name)}(?![\w-])", exported.text):
            raise Mismatch("a tool cannot be called", tool.name, exported.text)


def _check_forbidden(case: Case, wanted: Any, exported: ExportedGrammar) -> None:
    for text in wanted:
        if text in exported.text:
            raise Mismatch(f"the grammar has {text!r}", "", exported.text)


def _check_tokens(case: Case, wanted: Any, exported: ExportedGrammar) -> None:
    missing = [token for token in wanted if token not in exported.preserved_tokens]
    if missing:
        raise Mismatch(
            "preserved tokens are missing", ", ".join(missing), ", ".join(exported.preserved_tokens)
        )


def _check_notes(case: Case, wanted: Any, exported: ExportedGrammar) -> None:
    """Compare the places that the notes are about (`tool.parameter`), not their words."""
    said = " ".join(exported.notes)
    for text in wanted:
        for place in re.findall(r"\b\w+\.\w+\b", text):
            if place not in said:
                raise Mismatch(f"nothing is said about {place}", text, said)


_TEXT_CHECKS: dict[str, Callable[[Case, Any, ExportedGrammar], None]] = {
    "every_rule_defined_once": _check_rules,
    "rule_name_pattern": _check_rule_names,
    "every_tool_callable": _check_tools,
    "forbidden_in_gbnf": _check_forbidden,
    "preserved_tokens_include": _check_tokens,
    "diagnostics": _check_notes,
}
