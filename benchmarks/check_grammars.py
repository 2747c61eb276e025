"""Compile the grammars of all expected templates, and run recorded outputs and their mutations through
them.

python -m benchmarks.check_grammars [-k TEXT] [--engines lark,gbnf,llguidance,xgrammar] [--cases N]

For each template with a tool format: three tool sets (one string; twelve typed parameters; sixty tools) in
each dialect; then its confirmed recorded outputs, which each grammar must take where the parser does, and
mutations of them that the schema forbids, which the exact ones must refuse. Last, the reasoning budget's
first state.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

SHARED = Path(__file__).parent.parent.parent / "shared"

TYPED: dict[str, Any] = {
    "text": {"type": "string"},
    "count": {"type": "integer", "minimum": 0, "maximum": 100},
    "ratio": {"type": "number"},
    "flag": {"type": "boolean"},
    "unit": {"enum": ["celsius", "fahrenheit"]},
    "tags": {"type": "array", "items": {"type": "string"}, "maxItems": 5},
    "place": {
        "type": "object",
        "properties": {"x": {"type": "integer"}, "label": {"type": "string"}},
        "required": ["x"],
    },
    "limit": {"anyOf": [{"type": "integer"}, {"type": "null"}]},
    "either": {"oneOf": [{"type": "string"}, {"type": "number"}]},
    "tree": {"$ref": "#/$defs/node"},
    "day": {"type": "string", "format": "date"},
    "extra": {"type": "object", "additionalProperties": {"type": "number"}},
}
NODE = {
    "type": "object",
    "properties": {
        "value": {"type": "integer"},
        "next": {"anyOf": [{"$ref": "#/$defs/node"}, {"type": "null"}]},
    },
    "required": ["value"],
}


def tool(name: str, properties: dict[str, Any], required: list[str]) -> dict[str, Any]:
    """Return a tool."""
    schema = {"type": "object", "properties": properties, "required": required, "$defs": {"node": NODE}}
    return {"type": "function", "function": {"name": name, "parameters": schema}}


TOOL_SETS = {
    "one": [tool("search", {"query": {"type": "string"}}, ["query"])],
    "typed": [tool("measure", TYPED, ["text", "place"])],
    "sixty": [
        tool(f"tool_{n}", {f"{key}_{n}": value for key, value in TYPED.items()}, [f"text_{n}"])
        for n in range(60)
    ],
}


def mutations(output: str, call: dict[str, Any], schema: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Give outputs that are near to a recorded one, each with what is wrong; what cannot be built is left
    out.
    """
    name = call["name"]
    if output.count(name) == 1:
        yield "unknown tool", output.replace(name, name[:-1] + "_q")
        yield "cut name", output.replace(name, name[:-1])
    middle = output.find(name)
    yield "missing close", output[:-1].rstrip() if output[-1:] in ">]})|" else output[: max(middle, 1)]
    for key, value in call["arguments"].items():
        kind = schema.get("properties", {}).get(key, {}).get("type")
        written = json.dumps(value)
        if kind in ("integer", "number") and not isinstance(value, bool) and output.count(written) == 1:
            yield "wrong type", output.replace(written, '"x"')
            yield "no number", output.replace(written, "zz")
        if kind == "boolean" and output.count(written) == 1:
            yield "wrong type", output.replace(written, "7")
        if output.count(key) == 1:
            yield "undeclared key", output.replace(key, key + "_q")
    quoted = f'"{name}"'
    if output.count(quoted) == 1:
        yield "extra text in the call", output.replace(quoted, quoted + " so")


def main(arguments: list[str] | None = None) -> int:
    """Run everything; the exit code is 1 where something is not as it should be."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-k", default="", help="only templates whose name holds this")
    parser.add_argument("--engines", default="lark,gbnf,llguidance")
    parser.add_argument("--cases", type=int, default=6, help="recorded outputs a template")
    options = parser.parse_args(arguments)
    names = tuple(options.engines.split(","))
    if "xgrammar" in names:
        sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
        import engine_stubs

        engine_stubs.install()
    run = _Run(names, options.cases)
    for line in (SHARED / "expected" / "analysis.jsonl").read_text(encoding="utf-8").splitlines():
        expected = json.loads(line)
        if options.k in expected["template"]:
            run.template(expected)
    return run.report()


class _Run:
    def __init__(self, engines: tuple[str, ...], cases: int) -> None:
        self.engines = engines
        self.limit = cases
        self.counts: Counter[str] = Counter()
        self.cases: dict[str, list[dict[str, Any]]] = {}
        self.slowest = 0.0
        for line in (SHARED / "conformance" / "roundtrip.jsonl").open(encoding="utf-8"):
            case = json.loads(line)
            if case.get("confirmed") and case.get("tools"):
                self.cases.setdefault(Path(case["template"]).name, []).append(case)

    def template(self, expected: dict[str, Any]) -> None:
        """Check one template."""
        from autoparser_cli import ChatTemplate, analyze

        name = expected["template"]
        try:
            analysis = analyze(ChatTemplate.load(str(SHARED / "templates" / name)))
        except Exception as error:
            self._count("analysis", False, f"{name}: {error!r}")
            return
        self._budget(name, analysis, expected)
        if expected["tools"]["format"] == "NONE":
            return
        for label, tools in TOOL_SETS.items():
            for engine in self.engines:
                self._compiles(name, analysis, label, tools, engine)
        self._recorded(name, analysis)

    def _compiles(self, name: str, analysis: Any, label: str, tools: Any, engine: str) -> None:
        start = time.perf_counter()
        ok, _ = self._compiled(analysis, tools, engine, "required", f"{name} {label} {engine}")
        if engine == "lark":
            self.slowest = max(self.slowest, time.perf_counter() - start)
        self.counts[f"compile {engine} {'ok' if ok else 'FAILED'}"] += 1

    def _compiled(self, analysis: Any, tools: Any, engine: str, choice: str, where: str, **more: Any) -> Any:
        from autoparser_cli import build_parser
        from autoparser_cli.grammars.check import DIALECTS, Engine, compile_grammar
        from autoparser_cli.grammars.export import export

        try:
            parser = build_parser(analysis, tools, tool_choice=choice, **more)
            kind = Engine(engine)
            return True, compile_grammar(export(analysis, parser, DIALECTS[kind], whole_output=True), kind)
        except Exception as error:
            print(f"{where}: {type(error).__name__}: {str(error)[:300]}")
            return False, None

    def _recorded(self, name: str, analysis: Any) -> None:
        for case in self.cases.get(name, [])[: self.limit]:
            prompt = case.get("generation_prompt")
            more = {} if prompt is None else {"generation_prompt": prompt}
            for engine in self.engines:
                ok, grammar = self._compiled(
                    analysis, case["tools"], engine, "auto", f"{name} {case['id']}", **more
                )
                if ok:
                    self._case(name, analysis, case, engine, grammar, more)

    def _case(
        self, name: str, analysis: Any, case: dict[str, Any], engine: str, grammar: Any, more: dict[str, Any]
    ) -> None:
        from autoparser_cli import build_parser

        parser = build_parser(analysis, case["tools"], **more)
        output = case["output"]
        result = parser.parse(output)
        if result.error is not None or result.findings:
            self.counts["the parser refuses"] += 1
            return
        check = grammar.check(output)
        self._count(
            f"accept {engine}",
            check.accepted,
            f"{name} {case['id']} {engine} stops at {output[check.offset :][:60]!r}",
        )
        calls = case["expect"].get("tool_calls") or []
        if len(calls) != 1 or engine == "lark":
            return
        schemas = {entry["function"]["name"]: entry["function"]["parameters"] for entry in case["tools"]}
        call = {**calls[0], "arguments": _object(calls[0]["arguments"])}
        for what, changed in mutations(output, call, schemas.get(call["name"], {})):
            read = parser.parse(changed)
            if read.error is None and not read.findings and not read.repairs:
                continue  # still right, or no call any more
            taken = grammar.check(changed).accepted
            self._count(
                f"refuse {engine}",
                not taken,
                f"{name} {case['id']} {engine} takes {what}: {changed[-120:]!r}",
            )

    def _budget(self, name: str, analysis: Any, expected: dict[str, Any]) -> None:
        from autoparser_cli.grammars.export import budget_state

        start = expected["reasoning"]["start"].strip()
        end = expected["reasoning"]["end"].strip()
        prompt = expected["facts"].get("gen_prompt_default") or ""
        open_ = bool(start) and start in prompt and end not in prompt[prompt.rindex(start) :]
        found = budget_state(analysis, prompt).value
        self._count(
            "budget", found == ("COUNTING" if open_ else "IDLE"), f"{name}: budget {found} for {prompt!r}"
        )

    def _count(self, what: str, ok: bool, detail: str) -> None:
        self.counts[f"{what} {'ok' if ok else 'FAILED'}"] += 1
        if not ok:
            print(detail)

    def report(self) -> int:
        """Print the counts."""
        for what in sorted(self.counts):
            print(f"{what}: {self.counts[what]}")
        print(f"slowest Lark grammar, made and compiled: {self.slowest:.2f} s")
        return int(any("FAILED" in what for what in self.counts))


def _object(arguments: Any) -> dict[str, Any]:
    value = json.loads(arguments) if isinstance(arguments, str) else arguments
    return value if isinstance(value, dict) else {}


if __name__ == "__main__":
    sys.exit(main())
