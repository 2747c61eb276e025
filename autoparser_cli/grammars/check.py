"""Grammars, compiled and run on samples: by Lark, by our own reader of GBNF, by llguidance and by xgrammar.

llguidance and xgrammar are optional and are imported only here, when asked for; neither needs a model: the
vocabulary is the 256 bytes.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Protocol

from autoparser_cli.errors import InputError
from autoparser_cli.frozen import frozen
from autoparser_cli.grammars.dialects import DIALECTS, Dialect, Engine
from autoparser_cli.grammars.export import ExportedGrammar, UncompiledGrammarError
from autoparser_cli.grammars.gbnf_engine import GbnfError, read_gbnf
from autoparser_cli.grammars.lark import compile_lark
from autoparser_cli.grammars.syntax_tree import TreeMessage, read_tree
from autoparser_cli.messages import ToolCall

MAX_EXPECTED = 12


@frozen
class SampleCheck:
    """What an engine says of one sample.

    `offset` is where it stopped fitting (its length where it fits, or where only more text is missing).
    `truncated`: it fits as far as it goes, and `expected` are ways to go on. `tree` is the syntax tree and
    `said` what it says, where the engine makes one.
    """

    accepted: bool
    truncated: bool
    offset: int
    expected: tuple[str, ...] = ()
    tree: Any = None
    said: TreeMessage | None = None


class CompiledGrammar(Protocol):
    """A grammar that an engine has compiled."""

    def check(self, sample: str) -> SampleCheck:
        """Run one sample."""


def compile_grammar(exported: ExportedGrammar, engine: Engine) -> CompiledGrammar:
    """Compile a grammar in an engine.

    Raises UncompiledGrammarError with the rule, InputError where the engine is absent.
    """
    compilers: dict[Engine, Callable[[ExportedGrammar], CompiledGrammar]] = {
        Engine.LARK: _LarkGrammar,
        Engine.GBNF: _GbnfGrammar,
        Engine.LLGUIDANCE: _LlguidanceGrammar,
        Engine.XGRAMMAR: _XgrammarGrammar,
    }
    return compilers[engine](exported)


def with_cuts(check: SampleCheck, sample: str, exact: Callable[[], CompiledGrammar]) -> SampleCheck:
    """Tell a sample that ends too early from a wrong one, also where it ends inside a terminal of Lark's.

    `exact` gives a grammar of the same outputs that is read by the character.
    """
    if check.accepted or check.truncated or not exact().check(sample).truncated:
        return check
    return replace(check, truncated=True, offset=len(sample))


def compile_before_printing(exported: ExportedGrammar) -> None:
    """Compile a grammar in the engine that its dialect is for, or in ours. Raises as `compile_grammar` does.

    A JSON Schema is checked against the standard; the grammars inside a structural tag are read as GBNF; the
    patterns of a response template are compiled.
    """
    if exported.dialect is Dialect.JSON_SCHEMA:
        _check_schema(exported.text)
    elif exported.dialect is Dialect.STRUCTURAL_TAG:
        _check_structural_tag(exported.text)
    elif exported.dialect is Dialect.RESPONSE_TEMPLATE:
        _check_patterns(json.loads(exported.text))
    else:
        engines = {dialect: engine for engine, dialect in reversed(DIALECTS.items())}
        compile_grammar(exported, engines[exported.dialect])


def _check_schema(text: str) -> None:
    import jsonschema

    try:
        jsonschema.Draft202012Validator.check_schema(json.loads(text))
    except (ValueError, jsonschema.SchemaError) as error:
        raise UncompiledGrammarError("JSON Schema", str(error)[:400]) from error


def _check_structural_tag(text: str) -> None:
    import jsonschema

    format_ = json.loads(text)["format"]
    for tag in format_["tags"]:
        if not any(tag["begin"].startswith(trigger) for trigger in format_["triggers"]):
            raise UncompiledGrammarError("structural tag", f"no trigger begins {tag['begin']!r}")
        content = tag["content"]
        try:
            if content["type"] == "grammar":
                read_gbnf(content["grammar"])
            else:
                jsonschema.Draft202012Validator.check_schema(content["json_schema"])
        except (GbnfError, jsonschema.SchemaError) as error:
            raise UncompiledGrammarError("structural tag", str(error)[:400]) from error


def _check_patterns(value: Any) -> None:
    """Compile every pattern in a response template."""
    for key, item in value.items() if isinstance(value, dict) else ():
        if key.endswith("_pattern"):
            try:
                re.compile(item, re.DOTALL)
            except re.error as error:
                raise UncompiledGrammarError("response template", f"{key} {item!r}: {error}") from None
        _check_patterns(item)


def schema_problems(calls: Sequence[ToolCall], schemas: Mapping[str, Any]) -> tuple[str, ...]:
    """Say what the schemas forbid in the arguments of calls: what a grammar had to leave to this check."""
    import jsonschema
    from referencing.exceptions import Unresolvable

    problems: list[str] = []
    for call in calls:
        schema = schemas.get(call.name, True)
        validator = jsonschema.Draft202012Validator(schema, format_checker=jsonschema.FormatChecker())
        try:
            errors = list(validator.iter_errors(json.loads(call.arguments)))
        except (ValueError, Unresolvable, jsonschema.exceptions.UnknownType):
            continue  # a schema that cannot be applied is none of the sample's faults
        for error in errors[:MAX_EXPECTED]:
            place = ".".join(map(str, (call.name, *error.absolute_path)))
            problems.append(f"{place}: {error.message[:200]}")
    return tuple(problems)


def place_of(sample: str, offset: int) -> tuple[int, int]:
    """Return line and column (1-based) of an offset."""
    line = sample.count("\n", 0, offset) + 1
    return line, offset - (sample.rfind("\n", 0, offset) + 1) + 1


def _offset(error: Any) -> int:
    return int(getattr(error, "pos_in_stream", 0) or 0)


class _LarkGrammar:
    def __init__(self, exported: ExportedGrammar) -> None:
        import lark

        self._shown = dict(exported.shown)
        self._keys = dict(exported.keys)
        try:
            self._parser = compile_lark(exported.text)
        except lark.exceptions.LarkError as error:
            raise UncompiledGrammarError("Lark", str(error)[:400]) from error

    def check(self, sample: str) -> SampleCheck:
        """Parse one sample into a tree, or find where it stops fitting and what could stand there."""
        from lark.exceptions import UnexpectedCharacters, UnexpectedToken

        interactive = self._parser.parse_interactive(sample)
        try:
            for token in interactive.lexer_thread.lex(interactive.parser_state):
                interactive.feed_token(token)
        except UnexpectedCharacters as error:
            return SampleCheck(False, False, _offset(error), self._named(error.allowed or ()))
        except UnexpectedToken as error:
            return SampleCheck(False, False, _offset(error), self._named(error.accepts or error.expected))
        accepts = interactive.accepts()
        if "$END" not in accepts:
            return SampleCheck(False, True, len(sample), self._named(accepts))
        tree = interactive.feed_eof()
        return SampleCheck(True, False, len(sample), tree=tree, said=read_tree(tree, self._keys))

    def _named(self, terminals: Any) -> tuple[str, ...]:
        names = [
            self._shown.get(str(name), str(name)) for name in sorted(map(str, terminals)) if name != "$END"
        ]
        if "$END" in terminals:
            names.append("end of output")
        return tuple(dict.fromkeys(names))[:MAX_EXPECTED]


class _GbnfGrammar:
    def __init__(self, exported: ExportedGrammar) -> None:
        try:
            self._grammar = read_gbnf(exported.text)
        except GbnfError as error:
            raise UncompiledGrammarError("GBNF", error) from error

    def check(self, sample: str) -> SampleCheck:
        """Run one sample; GBNF has no names to expect."""
        match = self._grammar.match(sample)
        whole = match.offset == len(sample)
        return SampleCheck(whole and match.complete, whole and not match.complete, match.offset)


class _LlguidanceGrammar:
    def __init__(self, exported: ExportedGrammar) -> None:
        try:
            from llguidance import LLMatcher, LLTokenizer
        except ImportError:
            raise InputError(
                "llguidance is not installed", hint="pip install 'autoparser-cli[llguidance]'"
            ) from None
        self._matcher = LLMatcher
        self._tokenizer = LLTokenizer("byte")
        self._grammar = LLMatcher.grammar_from_lark(exported.text)
        error = LLMatcher(self._tokenizer, self._grammar, log_level=0).get_error()
        if error:
            raise UncompiledGrammarError("llguidance", error[:400])

    def check(self, sample: str) -> SampleCheck:
        """Run one sample, byte by byte."""
        data = sample.encode("utf-8", "surrogatepass")
        matcher = self._matcher(self._tokenizer, self._grammar, log_level=0)
        count = matcher.try_consume_tokens(list(data))
        whole = count == len(data)
        accepted = whole and matcher.is_accepting()
        return SampleCheck(accepted, whole and not accepted, _characters(data, count))


class _XgrammarGrammar:
    def __init__(self, exported: ExportedGrammar) -> None:
        try:
            import xgrammar
        except ImportError:
            raise InputError(
                "xgrammar is not installed, or what it needs (torch, transformers) is not",
                hint="pip install 'autoparser-cli[xgrammar]' (heavy: it brings torch)",
            ) from None
        self._xgrammar = xgrammar
        vocabulary: list[Any] = [bytes([byte]) for byte in range(256)] + [b"</s>"]
        info = xgrammar.TokenizerInfo(vocabulary, vocab_type=xgrammar.VocabType.RAW, stop_token_ids=[256])
        compiler = xgrammar.GrammarCompiler(info, max_threads=1)
        try:
            if exported.dialect is Dialect.STRUCTURAL_TAG:
                self._compiled = compiler.compile_structural_tag(exported.text)
            else:
                self._compiled = compiler.compile_grammar(xgrammar.Grammar.from_ebnf(exported.text))
        except Exception as error:  # its errors share no base class
            raise UncompiledGrammarError("xgrammar", str(error)[:400]) from error

    def check(self, sample: str) -> SampleCheck:
        """Run one sample; where it fails, find the place by the longest head that fits."""
        data = sample.encode("utf-8", "surrogatepass")
        matcher = self._xgrammar.GrammarMatcher(self._compiled, terminate_without_stop_token=True)
        count = 0
        for byte in data:
            if not matcher.accept_token(byte):
                break
            count += 1
        whole = count == len(data)
        accepted = whole and bool(matcher.is_completed())
        return SampleCheck(accepted, whole and not accepted, _characters(data, count))


def _characters(data: bytes, count: int) -> int:
    """Return how many characters the first `count` bytes hold."""
    return len(data[:count].decode("utf-8", "ignore"))
