"""Compile the grammars of all expected templates, and run printed and recorded outputs and their mutations through them.

python -m benchmarks.check_grammars [-k TEXT] [--engines lark,gbnf,llguidance,xgrammar] [--cases N] [--only MEASURE,...]

The measures, each a figure at the end:
- `compile`: three tool sets (one string; twelve typed parameters; sixty tools of twelve), and no tools, in every dialect;
- `accept`: recorded outputs and a printed call with twelve arguments are taken where the parser takes them, and
  Lark's tree says what the parser says; recorded outputs also by the grammars for calls of any tool;
- `refuse`: mutations of both that the format or the schema forbids are refused by the exact engines;
- `speed`: Lark's grammar of sixty tools, and its parse of 100 KB; `size`: GBNF with 48 optional parameters;
- `budget`: the reasoning budget's first state for every recorded end of a prompt;
- `response`: response templates, run by transformers on recorded outputs (not a grammar: failures are only counted).
Times are those of the processor, so that a busy machine does not change them.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from benchmarks.grammar_samples import (
    OPTIONAL_TOOLS,
    TOOL_SETS,
    TYPED_ARGUMENTS,
    printed_turn,
    wrong_arguments,
    wrong_texts,
)

ROOT = Path(__file__).parent.parent
SHARED = ROOT.parent / "shared"
MEASURES = ("compile", "accept", "refuse", "speed", "size", "budget", "response")
EXACT = ("gbnf", "llguidance", "xgrammar")
LARK_SECONDS, LARK_MILLISECONDS, GBNF_BYTES = 5.0, 30.0, 65536
LONG = 100_000


def main(arguments: list[str] | None = None) -> int:
    """Run everything; the exit code is 1 where something is not as it should be."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("-k", default="", help="only templates whose name holds this")
    parser.add_argument("--engines", default="lark,gbnf,llguidance")
    parser.add_argument("--cases", type=int, default=100, help="recorded outputs a template")
    parser.add_argument("--only", default=",".join(MEASURES), help="measures, with commas between")
    options = parser.parse_args(arguments)
    engines = tuple(options.engines.split(","))
    if "xgrammar" in engines:
        sys.path.insert(0, str(ROOT / "tests"))
        import engine_stubs

        engine_stubs.install()
    run = _Run(engines, options.cases, frozenset(options.only.split(",")))
    for line in (SHARED / "expected" / "analysis.jsonl").read_text(encoding="utf-8").splitlines():
        expected = json.loads(line)
        if options.k in expected["template"]:
            start = time.process_time()
            run.template(expected)
            print(f"{expected['template']}: {time.process_time() - start:.1f} s", file=sys.stderr)
    return run.report()


@dataclass(slots=True)
class _Subject:
    """A template with its analysis."""

    name: str
    template: Any
    analysis: Any
    any_tool: dict[tuple[str, str | None], Any] = field(default_factory=dict)

    def parser(self, tools: Any, prompt: str | None = "", **options: Any) -> Any:
        from autoparser_cli import build_parser

        return build_parser(self.analysis, tools, prompt, **options)

    def grammar(self, engine: str, parser: Any) -> Any:
        """Return the compiled grammar of the whole output."""
        from autoparser_cli.grammars.check import compile_grammar
        from autoparser_cli.grammars.dialects import DIALECTS, Engine
        from autoparser_cli.grammars.export import export

        kind = Engine(engine)
        return compile_grammar(export(self.analysis, parser, DIALECTS[kind], whole_output=True), kind)


class _Run:
    def __init__(self, engines: tuple[str, ...], cases: int, only: frozenset[str]) -> None:
        self.engines = engines
        self.exact = tuple(engine for engine in engines if engine in EXACT)
        self.limit = cases
        self.only = only
        self.counts: Counter[str] = Counter()
        self.most: dict[str, float] = {}
        self.skipped: list[str] = []

    def template(self, expected: dict[str, Any]) -> None:
        """Check one template."""
        from autoparser_cli import ChatTemplate, analyze
        from autoparser_cli.errors import AutoparserError

        name = expected["template"]
        template = ChatTemplate.load(str(SHARED / "templates" / name))
        subject = _Subject(name, template, analyze(template))
        if "budget" in self.only:
            self.budget(subject, expected)
        if expected["tools"]["format"] == "NONE":
            return
        steps: dict[str, Callable[[_Subject], None]] = {
            "speed": self.speed,  # before a grammar is known
            "compile": self.compiles,
            "size": self.size,
            "response": self.response,
        }
        try:
            for measure in (*steps,):
                if measure in self.only:
                    steps[measure](subject)
            if self.only & {"accept", "refuse"}:
                self.printed(subject)
                self.recorded(subject)
        except AutoparserError as error:
            self.count("export", False, f"{name}: {error}")

    def count(self, what: str, ok: bool, detail: str) -> bool:
        """Count something that is, or is not, as it should be."""
        self.counts[f"{what} {'ok' if ok else 'FAILED'}"] += 1
        if not ok:
            print(detail, flush=True)
        return ok

    def compiles(self, subject: _Subject) -> None:
        """Compile every dialect for every tool set."""
        for label, tools in {**TOOL_SETS, "any": None}.items():
            parser = subject.parser(tools, tool_choice="required")
            for engine in self.engines:
                problem = _problem(lambda engine=engine, parser=parser: subject.grammar(engine, parser))
                self.count(f"compile {engine}", not problem, f"{subject.name} {label} {engine}: {problem}")
            self.other_dialects(subject, label, tools)

    def other_dialects(self, subject: _Subject, label: str, tools: Any) -> None:
        """Compile the lazy GBNF, the structural tag and the JSON Schema, or count the reason why there is none."""
        from autoparser_cli.errors import FormatError
        from autoparser_cli.grammars.check import compile_before_printing, compile_grammar
        from autoparser_cli.grammars.dialects import Dialect, Engine
        from autoparser_cli.grammars.export import export

        for dialect in (Dialect.GBNF, Dialect.STRUCTURAL_TAG, Dialect.JSON_SCHEMA):
            what = "lazy gbnf" if dialect is Dialect.GBNF else dialect.value
            try:
                exported = export(subject.analysis, subject.parser(tools, None), dialect)
                compile_before_printing(exported)
                if dialect is Dialect.STRUCTURAL_TAG and "xgrammar" in self.engines:
                    compile_grammar(exported, Engine.XGRAMMAR)
            except FormatError as error:
                self.counts[f"compile {what}: refused with a reason ({error})"] += 1
            except Exception as error:
                self.count(f"compile {what}", False, f"{subject.name} {label} {what}: {str(error)[:300]}")
            else:
                self.count(f"compile {what}", True, "")

    def printed(self, subject: _Subject) -> None:
        """Run a printed call with twelve arguments, and what is wrong in turn."""
        tools = TOOL_SETS["typed"]
        prompt = subject.analysis.generation_prompt
        header, prefix = subject.analysis.turn.header, subject.parser(tools, prompt).prefix
        whole = printed_turn(subject.template, header, tools, "measure", TYPED_ARGUMENTS) or ""
        if not whole.startswith(prefix):
            prompt, prefix = "", ""

        def printed(arguments: Any) -> str | None:
            text = printed_turn(subject.template, header, tools, "measure", arguments)
            return None if text is None else text.removeprefix(prefix)

        parser = subject.parser(tools, prompt)
        output = printed(TYPED_ARGUMENTS)
        result = parser.parse(output) if output else None
        calls = result.message.tool_calls if result else ()
        if not calls or json.loads(calls[0].arguments) != TYPED_ARGUMENTS:
            self.skipped.append(
                f"{subject.name}: its twelve arguments do not come back, so there is no printed call"
            )
            return
        if trouble := _trouble(result):
            self.skipped.append(f"{subject.name} printed: {trouble}")
            return
        assert output is not None
        where = f"{subject.name} printed"
        must_call = subject.parser(tools, prompt, tool_choice="required")
        grammars = {engine: subject.grammar(engine, must_call) for engine in self.engines}
        if not self.accepted(where, output, parser, grammars):
            return
        wrong = [(what, printed(arguments)) for what, arguments in wrong_arguments()]
        known = frozenset(repair.name for repair in result.repairs)
        for what, text in [*wrong, *wrong_texts(output, "measure")]:
            self.refused(f"{where} {what}", text, parser, grammars, tools, known)

    def recorded(self, subject: _Subject) -> None:
        """Run the recorded outputs of a template, and mutations of those with one call."""
        grammars: dict[tuple[str, str, str, str], Any] = {}

        def known(engine: str, case: dict[str, Any], choice: str) -> Any:
            prompt = case.get("generation_prompt")
            key = (engine, json.dumps(case.get("tools")), repr(prompt), choice)
            if key not in grammars:
                parser = subject.parser(case["tools"], prompt, tool_choice=choice)
                grammars[key] = subject.grammar(engine, parser)
            return grammars[key]

        for case in _recorded_cases().get(subject.name, [])[: self.limit]:
            self.without_tools(subject, case)
            parser = subject.parser(case["tools"], case.get("generation_prompt"))
            output, calls = case["output"], case["expect"].get("tool_calls") or []
            where = f"{subject.name} {case['id'].rpartition('/')[2]}"
            result = parser.parse(output)
            if trouble := _trouble(result):
                self.skipped.append(f"{where}: {trouble}")
                continue
            self.accepted(where, output, parser, {name: known(name, case, "auto") for name in self.engines})
            if len(calls) != 1 or "refuse" not in self.only:
                continue
            must_call = {name: known(name, case, "required") for name in self.exact}
            repairs = frozenset(repair.name for repair in result.repairs)
            for what, text in wrong_texts(output, calls[0]["name"]):
                self.refused(f"{where} {what}", text, parser, must_call, case["tools"], repairs)

    def without_tools(self, subject: _Subject, case: dict[str, Any]) -> None:
        """Run a recorded output through the grammars of calls of any tool, where a parser without tools takes it."""
        prompt = case.get("generation_prompt")
        parser = subject.parser(None, prompt)
        if "accept" not in self.only or _trouble(parser.parse(case["output"])):
            return
        for engine in self.engines:
            if (engine, prompt) not in subject.any_tool:
                subject.any_tool[engine, prompt] = subject.grammar(engine, parser)
        grammars = {engine: subject.any_tool[engine, prompt] for engine in self.engines}
        where = f"{subject.name} {case['id'].rpartition('/')[2]} without tools"
        self.accepted(where, case["output"], parser, grammars, "accept, any tool,")

    def accepted(
        self, where: str, output: str, parser: Any, grammars: dict[str, Any], counted: str = "accept"
    ) -> bool:
        """Run an output that every grammar takes; Lark's tree must say what the parser says."""
        from autoparser_cli.grammars.syntax_tree import syntaxes_of

        taken = True
        for engine, grammar in grammars.items():
            check = grammar.check(output)
            detail = (
                f"{where} {engine} stops at {output[check.offset :][:60]!r}; expected {check.expected[:6]}"
            )
            taken &= self.count(f"{counted} {engine}", check.accepted, detail)
            if check.said is not None:
                message = parser.parse(output).message
                found = check.said.differences(message, syntaxes_of(parser.grammar))
                self.count("the tree's message", not found, f"{where}: {found} not as in {message}")
        return taken

    def refused(
        self,
        where: str,
        text: str | None,
        parser: Any,
        grammars: dict[str, Any],
        tools: Any,
        repairs: frozenset[str] = frozenset(),
    ) -> None:
        """Run a mutation, where the format or the schema forbids it; `repairs` are those of its origin."""
        if text is None or "refuse" not in self.only or not _forbidden(text, parser, tools, repairs):
            return
        for engine in self.exact:
            taken = grammars[engine].check(text).accepted
            self.count(f"refuse {engine}", not taken, f"{where} {engine} takes {text[-300:]!r}")

    def speed(self, subject: _Subject) -> None:
        """Time Lark's grammar of sixty tools, and its parse of 100 KB in a value and in content."""
        parser = subject.parser(TOOL_SETS["sixty"], tool_choice="required")
        start = time.process_time()
        subject.grammar("lark", parser)
        self.bound("Lark, 60 tools, seconds", subject, time.process_time() - start, LARK_SECONDS)
        tools = TOOL_SETS["one"]
        grammar = subject.grammar("lark", subject.parser(tools))
        line = "Some words, a < b, and a line {of} text.\n"
        arguments = {"query": (line * (LONG // len(line)))[:LONG] + "."}
        output = printed_turn(subject.template, subject.analysis.turn.header, tools, "search", arguments)
        for what, text in (("value", output), ("content", arguments["query"])):
            if text is None or not grammar.check(text).accepted:
                self.skipped.append(f"{subject.name}: no 100 KB {what} to time")
                continue
            best = min(_seconds(lambda text=text: grammar.check(text)) for _ in range(3))
            self.bound(f"Lark, 100 KB {what}, milliseconds", subject, best * 1000, LARK_MILLISECONDS)

    def size(self, subject: _Subject) -> None:
        """Measure GBNF for 48 optional parameters."""
        from autoparser_cli.grammars.dialects import Dialect
        from autoparser_cli.grammars.export import export

        parser = subject.parser(OPTIONAL_TOOLS, tool_choice="required")
        text = export(subject.analysis, parser, Dialect.GBNF).text
        self.bound("GBNF, 48 optional parameters, bytes", subject, len(text.encode()), GBNF_BYTES)

    def response(self, subject: _Subject) -> None:
        """Run the response template of a template on its recorded outputs, and count families that are read whole."""
        from transformers.utils.chat_parsing import parse_response

        from autoparser_cli.errors import FormatError
        from autoparser_cli.grammars.response_template import response_template

        try:
            template = response_template(subject.analysis)
        except FormatError as error:
            self.counts[f"response template refused with a reason ({error})"] += 1
            return
        wrong = []
        cases = _recorded_cases().get(subject.name, [])
        for case in cases:
            try:
                prefix = case.get("generation_prompt") or ""
                read = parse_response(case["output"], template, prefix=prefix, tools=case["tools"])
            except ValueError as error:
                wrong.append(f"{case['id']}: {str(error)[:80]}")
                continue
            if not _same_message(read, case["expect"]):
                wrong.append(case["id"])
        self.counts["response template, outputs read"] += len(cases) - len(wrong)
        self.counts["response template, outputs not read"] += len(wrong)
        self.counts[f"response template, families {'not ' if wrong else ''}read whole"] += 1
        if wrong:
            print(f"response template: {wrong}", flush=True)

    def bound(self, what: str, subject: _Subject, value: float, most: float) -> None:
        """Keep the largest value of a measure."""
        self.most[what] = max(self.most.get(what, 0), value)
        self.count(what, value < most, f"{subject.name}: {what}: {value:.1f}")

    def budget(self, subject: _Subject, expected: dict[str, Any]) -> None:
        """Compare the first state for each end of a prompt that the facts record."""
        from autoparser_cli.grammars.export import budget_state

        start, end = (expected["reasoning"][key].strip() for key in ("start", "end"))
        for key, prompt in expected["facts"].items():
            if not key.startswith("gen_prompt") or prompt is None:
                continue
            open_ = bool(start) and start in prompt and end not in prompt[prompt.rindex(start) :]
            wanted, found = "COUNTING" if open_ else "IDLE", budget_state(subject.analysis, prompt).value
            what = f"budget {'default' if key == 'gen_prompt_default' else 'with other variables'}"
            self.count(what, found == wanted, f"{subject.name}: {found} for {key} {prompt!r}")

    def report(self) -> int:
        """Print the figures."""
        for line in self.skipped:
            print(f"skipped: {line}")
        for what in sorted(self.counts):
            print(f"{what}: {self.counts[what]}")
        for what, value in self.most.items():
            print(f"most: {what}: {value:.1f}")
        return int(any("FAILED" in what for what in self.counts))


@cache
def _recorded_cases() -> dict[str, list[dict[str, Any]]]:
    cases: dict[str, list[dict[str, Any]]] = {}
    for line in (SHARED / "conformance" / "roundtrip.jsonl").open(encoding="utf-8"):
        case = json.loads(line)
        if case.get("confirmed") and case.get("tools"):
            cases.setdefault(Path(case["template"]).name, []).append(case)
    return cases


def _same_message(read: dict[str, Any], expect: dict[str, Any]) -> bool:
    """Compare what transformers read with what a case expects; white space at the ends of a text does not count."""
    texts = (("content", "content"), ("thinking", "reasoning_content"))
    if any((read.get(own) or "").strip() != (expect.get(key) or "").strip() for own, key in texts):
        return False
    calls = [
        (call["function"]["name"], call["function"]["arguments"]) for call in read.get("tool_calls") or []
    ]
    return calls == [(call["name"], call["arguments"]) for call in expect.get("tool_calls") or []]


def _trouble(result: Any) -> str:
    """Tell what the parser has to say of an output, but for white space and a last marker that engines strip."""
    said = [finding.message for finding in result.findings]
    said += [
        repair.name for repair in result.repairs if repair.name not in ("white-space", "missing-section-end")
    ]
    return "; ".join(["the parser refuses it"] if result.error is not None else said)


def _problem(action: Callable[[], Any]) -> str:
    try:
        action()
    except Exception as error:
        return f"{type(error).__name__}: {str(error)[:400]}"
    return ""


def _seconds(action: Callable[[], Any]) -> float:
    start = time.process_time()
    action()
    return time.process_time() - start


def _forbidden(text: str, parser: Any, tools: Any, repairs: frozenset[str]) -> bool:
    """Tell whether the format, as the parser has it, or a schema forbids an output."""
    result = parser.parse(text)
    if {repair.name for repair in result.repairs} - repairs or not result.message.tool_calls:
        return True
    if result.error is not None or result.findings:
        return True
    return not all(_valid(call, tools) for call in result.message.tool_calls)


def _valid(call: Any, tools: Any) -> bool:
    import jsonschema

    schemas: Iterator[Any] = (
        entry["function"]["parameters"] for entry in tools if entry["function"]["name"] == call.name
    )
    checker = jsonschema.FormatChecker()
    return any(
        jsonschema.Draft202012Validator(schema, format_checker=checker).is_valid(json.loads(call.arguments))
        for schema in schemas
    )


if __name__ == "__main__":
    sys.exit(main())
