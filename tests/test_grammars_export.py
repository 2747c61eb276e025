"""A parser's grammars agree with the parser, in every dialect; and what stands beside a grammar is right."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import jsonschema
import pytest
from grammar_runs import ENGINES, EXACT, exported
from wire_formats import (
    ARRAY_WITH_IDS,
    BARE_JSON,
    FITTING,
    FORBIDDEN,
    FORMATS,
    HERMES,
    NAME_IS_KEY,
    THINKING_TAGS,
    TOOLS,
)

from autoparser_cli.analysis.model import (
    Joint,
    JsonCall,
    LiteralArguments,
    ReasoningFields,
    ReasoningMode,
    TemplateAnalysis,
    TurnFormat,
    TurnPart,
)
from autoparser_cli.errors import FormatError
from autoparser_cli.grammars.annotation import annotated
from autoparser_cli.grammars.check import (
    DIALECTS,
    Engine,
    UncompiledGrammarError,
    compile_before_printing,
    compile_grammar,
)
from autoparser_cli.grammars.dialects import Dialect
from autoparser_cli.grammars.export import BudgetState, budget_state, export
from autoparser_cli.grammars.syntax_tree import syntaxes_of
from autoparser_cli.inference import analyze
from autoparser_cli.parsing import build_parser
from autoparser_cli.templates import ChatTemplate

by_engine = pytest.mark.parametrize("engine", ENGINES, ids=lambda engine: engine.value)
by_format = pytest.mark.parametrize("name", FORMATS)


def compiled(analysis: TemplateAnalysis, engine: Engine, tools: object = TOOLS, **options):
    """Compile the grammar of the whole output."""
    prompt = options.pop("generation_prompt", None)
    parser = build_parser(analysis, tools, prompt, **options)
    return compile_grammar(export(analysis, parser, DIALECTS[engine], whole_output=True), engine)


@by_engine
@by_format
def test_what_fits_is_taken(name: str, engine: Engine) -> None:
    for choice in ("auto", "required"):
        grammar = compiled(FORMATS[name], engine, tool_choice=choice)
        for output in FITTING[name]:
            assert grammar.check(output).accepted, output


@by_engine
@by_format
def test_what_the_schema_or_the_format_forbids_is_refused(name: str, engine: Engine) -> None:
    grammar = compiled(FORMATS[name], engine, tool_choice="required")
    for output in FORBIDDEN[name]:
        assert not grammar.check(output).accepted, output


@by_engine
@by_format
def test_every_cut_of_a_call_is_truncated_and_not_wrong(name: str, engine: Engine) -> None:
    output = FITTING[name][0]
    grammar = compiled(FORMATS[name], engine, tool_choice="required")
    parser = build_parser(FORMATS[name], TOOLS, tool_choice="required")
    for end in range(0, len(output), 7):
        check = grammar.check(output[:end])
        if parser.parse(output[:end]).error is None:
            continue
        assert not check.accepted, output[:end]
        if engine is not Engine.LARK:  # Lark reads whole terminals, so a cut inside one is no terminal
            assert check.truncated, output[:end]


@by_engine
@by_format
def test_without_tools_calls_of_any_tool_are_taken(name: str, engine: Engine) -> None:
    if (name, engine) == ("nested-tags", Engine.LLGUIDANCE):
        pytest.skip("its lexer takes fields within fields for text, as a note of the grammar says")
    parser = build_parser(FORMATS[name], None)
    grammar = compile_grammar(export(FORMATS[name], parser, DIALECTS[engine], whole_output=True), engine)
    for output in FITTING[name]:
        for known, other in (("add", "add"), ("add", "fs/read-2"), ("set_note", "Note_42")):
            renamed = output.replace(known, other)
            result = parser.parse(renamed)
            if result.error is not None or result.repairs:
                continue
            check = grammar.check(renamed)
            assert check.accepted, renamed
            if check.said is not None:
                assert check.said.differences(result.message, syntaxes_of(parser.grammar)) == ()


@pytest.mark.parametrize("engine", EXACT, ids=lambda engine: engine.value)
@by_format
def test_without_tools_what_is_no_call_is_still_refused(name: str, engine: Engine) -> None:
    parser = build_parser(FORMATS[name], None, tool_choice="required")
    grammar = compile_grammar(export(FORMATS[name], parser, DIALECTS[engine]), engine)
    cut = [output[:end] for output in FITTING[name] for end in range(len(output) - 12, len(output), 3)]
    wrong = [output for output in cut if parser.parse(output).error is not None]
    assert wrong
    for output in wrong:
        assert not grammar.check(output).accepted, output


@pytest.mark.parametrize("dialect", [Dialect.GBNF, Dialect.STRUCTURAL_TAG, Dialect.LARK, Dialect.LLGUIDANCE])
def test_a_grammar_without_tools_says_so_and_compiles(dialect: Dialect) -> None:
    printed = export(HERMES, build_parser(HERMES, None), dialect)
    compile_before_printing(printed)
    assert any("no tools were given" in note for note in printed.notes)
    assert not any(
        "no tools were given" in note for note in export(HERMES, build_parser(HERMES, TOOLS), dialect).notes
    )


def test_the_schema_of_calls_of_any_tool_takes_any_name_and_any_mapping() -> None:
    for analysis in (HERMES, NAME_IS_KEY):
        schema = json.loads(export(analysis, build_parser(analysis, None), Dialect.JSON_SCHEMA).text)
        validator = jsonschema.Draft202012Validator(schema)
        call = {"name": "f", "arguments": {"a": [1]}} if analysis is HERMES else {"f": {"a": [1]}}
        assert validator.is_valid([call])
        assert not validator.is_valid([])
        assert not validator.is_valid([{**call, "more": 1}])
        assert not validator.is_valid([dict.fromkeys(call, "x")])


#: Reasoning and content close with the same marker, behind which the turn may end as well.
SHARED_END = replace(
    HERMES,
    turn=TurnFormat(
        "<|begin|>a",
        (
            Joint(TurnPart.START, TurnPart.CONTENT, "<|content|>"),
            Joint(TurnPart.CONTENT, TurnPart.END, "<|end|>"),
            Joint(TurnPart.START, TurnPart.CALLS, ""),
            Joint(TurnPart.START, TurnPart.REASONING, "<|think|>"),
            Joint(TurnPart.REASONING, TurnPart.CONTENT, "<|end|><|begin|>a<|content|>"),
            Joint(TurnPart.REASONING, TurnPart.CALLS, "<|end|><|begin|>a"),
            Joint(TurnPart.REASONING, TurnPart.END, "<|end|>"),
        ),
        "",
    ),
    reasoning=ReasoningFields(ReasoningMode.TAG_BASED, "<|think|>", "<|end|>", "reasoning"),
    generation_prompt="<|begin|>a",
)


@by_engine
@pytest.mark.parametrize(
    "behind", ["", "<|begin|>a<|content|>Hi.<|end|>", f"<|begin|>a{FITTING['hermes'][0]}"]
)
def test_a_marker_that_closes_reasoning_and_turn_is_one_way(engine: Engine, behind: str) -> None:
    output = f"<|think|>Hm.<|end|>{behind}"
    assert build_parser(SHARED_END, TOOLS).parse(output).error is None
    assert compiled(SHARED_END, engine).check(output).accepted


@by_engine
def test_required_wants_a_call_and_auto_does_not(engine: Engine) -> None:
    assert compiled(HERMES, engine).check("Just text.").accepted
    check = compiled(HERMES, engine, tool_choice="required").check("Just text.")
    assert not check.accepted
    assert check.truncated


@by_engine
def test_one_call_only_where_parallel_calls_are_off(engine: Engine) -> None:
    grammar = compiled(HERMES, engine, parallel_tool_calls=False)
    call = '<tool_call>\n{"name": "add", "arguments": {"a": 1, "b": 2}}\n</tool_call>'
    assert grammar.check(call).accepted
    assert not grammar.check(f"{call}\n{call}").accepted


@by_engine
def test_a_named_tool_is_the_only_one(engine: Engine) -> None:
    grammar = compiled(HERMES, engine, tool_choice="add")
    assert grammar.check(FITTING["hermes"][0]).accepted
    assert not grammar.check(FITTING["hermes"][1]).accepted


@by_engine
def test_a_response_schema_holds_behind_reasoning_that_the_prompt_opened(engine: Engine) -> None:
    schema = {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]}
    grammar = compiled(THINKING_TAGS, engine, [], json_schema=schema)
    assert grammar.check('Compute it.\n</think>\n\n{"a": 3}').accepted
    assert not grammar.check('Compute it.\n</think>\n\n{"b": 3}').accepted


@by_engine
def test_the_prompt_decides_whether_reasoning_is_open(engine: Engine) -> None:
    opened = compiled(THINKING_TAGS, engine, tool_choice="required")
    closed = compiled(
        THINKING_TAGS,
        engine,
        tool_choice="required",
        generation_prompt="<|im_start|>assistant\n<think>\n\n</think>\n\n",
    )
    call = FITTING["thinking-tags"][1].split("</think>\n\n")[1]
    assert closed.check(call).accepted
    assert not opened.check(call).accepted
    assert opened.check("why\n</think>\n\n" + call).accepted


@by_format
def test_the_tree_of_lark_says_what_the_parser_says(name: str) -> None:
    parser = build_parser(FORMATS[name], TOOLS)
    grammar = compile_grammar(export(FORMATS[name], parser, Dialect.LARK), Engine.LARK)
    for output in [*FITTING[name], "Only text"]:
        said = grammar.check(output).said
        assert said is not None
        message = parser.parse(output).message
        if output == "Only text" and name == "thinking-tags":
            continue
        assert said.differences(message, syntaxes_of(parser.grammar)) == ()
        assert [call.name for call in said.calls] == [call.name for call in message.tool_calls]


def test_lark_tells_the_place_and_what_was_expected() -> None:
    grammar = compiled(HERMES, Engine.LARK)
    output = '<tool_call>\n{"name": "nope", "arguments": {}}\n</tool_call>'
    check = grammar.check(output)
    assert check.offset == output.index('"nope"')
    assert "'\"add\"'" in check.expected
    cut = grammar.check('<tool_call>\n{"name": "get_weather_now", "arguments": {}}')
    assert cut.truncated
    assert cut.expected == ("'\\n</tool_call>'",)


@pytest.mark.parametrize(
    ("analysis", "trigger"),
    [
        (HERMES, "<tool_call>"),
        (ARRAY_WITH_IDS, "[TOOL_CALLS]"),
        (BARE_JSON, "{"),
        (FORMATS["function-tags"], "<function="),
    ],
)
def test_gbnf_for_auto_is_lazy_and_begins_at_its_trigger(analysis: TemplateAnalysis, trigger: str) -> None:
    grammar = export(analysis, build_parser(analysis, TOOLS), Dialect.GBNF)
    assert grammar.lazy
    assert grammar.triggers == (trigger,)
    output = FITTING[next(name for name in FORMATS if FORMATS[name] is analysis)][0]
    check = compile_grammar(grammar, Engine.GBNF).check(output[output.index(trigger) :])
    assert check.accepted
    assert not compile_grammar(grammar, Engine.GBNF).check("text").accepted
    required = export(analysis, build_parser(analysis, TOOLS, tool_choice="required"), Dialect.GBNF)
    assert not required.lazy
    assert required.triggers == ()


def test_the_schema_of_calls_holds_objects_within_objects_to_their_keys() -> None:
    body = JsonCall(
        ("tool", "function", "name"),
        ("tool", "function", "arguments"),
        LiteralArguments(),
        paths=(("tool", "kind"), ("tool", "function", "name"), ("tool", "function", "arguments")),
        constants=((("tool", "kind"), '"function"'),),
    )
    analysis = replace(HERMES, calls=replace(HERMES.calls, body=body))
    schema = json.loads(export(analysis, build_parser(analysis, TOOLS), Dialect.JSON_SCHEMA).text)
    validator = jsonschema.Draft202012Validator(schema)

    def is_valid(**function: object) -> bool:
        return validator.is_valid([{"tool": {"kind": "function", "function": function}}])

    arguments = {"city": "Oslo"}
    assert is_valid(name="get_weather", arguments=arguments)
    assert not is_valid(name="no_such_tool", arguments=arguments)
    assert not is_valid(name="get_weather", arguments=[])
    assert not is_valid(name="get_weather", arguments=arguments, more=1)
    assert not is_valid(name="get_weather")


#: A turn that names to whom each of its messages is, so that a call opens with the tool's name.
RECIPIENTS = """{%- for m in messages -%}
<|from|>{{ m.role }}<|to|>
{%- for call in m.tool_calls or [] -%}
{{ '<|from|>assistant<|to|>' if not loop.first }}{{ call.function.name }}<|body|>{{ call.function.arguments | tojson }}
{%- endfor -%}
{%- if not m.tool_calls -%}all<|body|>{{ m.content }}{%- endif -%}<|end|>
{%- endfor -%}
{%- if add_generation_prompt -%}<|from|>assistant<|to|>{%- endif -%}"""


def test_a_call_that_opens_with_its_name_has_no_trigger_but_a_grammar() -> None:
    analysis = analyze(ChatTemplate.from_source(RECIPIENTS))
    for dialect in (Dialect.GBNF, Dialect.STRUCTURAL_TAG):
        with pytest.raises(FormatError, match="nothing tells where a call begins"):
            export(analysis, build_parser(analysis, TOOLS), dialect)
    call = 'get_weather<|body|>{"city": "Oslo"}<|end|>'
    for engine in ENGINES:
        free = compiled(analysis, engine)
        assert free.check(call).accepted
        assert free.check("all<|body|>It is cold.<|end|>").accepted
        required = compiled(analysis, engine, tool_choice="required")
        assert required.check(call).accepted
        assert not required.check("all<|body|>It is cold.<|end|>").accepted


def test_an_unknown_format_is_an_error_that_says_why() -> None:
    analysis = replace(HERMES, calls=None)
    for dialect in Dialect:
        with pytest.raises(FormatError, match="could not be inferred") as raised:
            export(analysis, build_parser(analysis, TOOLS), dialect)
        assert raised.value.exit_code == 1
    with pytest.raises(FormatError, match="no tools"):
        export(HERMES, build_parser(HERMES, []), Dialect.GBNF)


@pytest.mark.parametrize(
    ("prompt", "state"),
    [
        ("<think>\n", BudgetState.COUNTING),
        ("<think>", BudgetState.COUNTING),
        ("", BudgetState.IDLE),
        ("<think>\n\n</think>\n\n", BudgetState.IDLE),
        ("<think></think><think>", BudgetState.COUNTING),
        ("</think>", BudgetState.IDLE),
    ],
)
def test_the_reasoning_budget_counts_where_the_prompt_leaves_reasoning_open(
    prompt: str, state: BudgetState
) -> None:
    assert budget_state(THINKING_TAGS, prompt) is state


def test_without_a_start_marker_no_budget_counts() -> None:
    fields = ReasoningFields(ReasoningMode.TAG_BASED, "", "</think>")
    assert budget_state(replace(THINKING_TAGS, reasoning=fields), "assistant") is BudgetState.IDLE


NAMES = [
    "read",
    "read-args",
    "read_args",
    "READ",
    "読む",
    "a.b",
    "a-b",
    "a b",
    "",
    "root",
    "start",
    "1st",
    "ü",
]


@by_engine
def test_names_that_look_alike_stay_apart(engine: Engine) -> None:
    schema = {"type": "object", "properties": {name: {"type": "string"} for name in NAMES}}
    names = [name for name in NAMES if name]
    tools = [{"name": name, "parameters": schema} for name in names]
    tools[0] = {
        "name": "read",
        "parameters": {"properties": {"args": {"type": "object", "properties": {"a": {}}}}},
    }
    grammar = compiled(HERMES, engine, tools)
    for name in names[1:]:
        call = json.dumps({"name": name, "arguments": {"a.b": "1", "a-b": "2", "": "3"}}, ensure_ascii=False)
        assert grammar.check(f"<tool_call>\n{call}\n</tool_call>").accepted, name
        wrong = call.replace('"a.b"', '"a_b"')
        assert not grammar.check(f"<tool_call>\n{wrong}\n</tool_call>").accepted, name


def test_rule_names_are_those_that_llama_cpp_reads() -> None:
    tools = [
        {"name": name or "x", "parameters": {"properties": {"y_z": {"type": "integer"}}}} for name in NAMES
    ]
    text = export(HERMES, build_parser(HERMES, tools, tool_choice="required"), Dialect.GBNF).text
    names = [line.split(" ::= ")[0] for line in text.splitlines()]
    assert len(set(names)) == len(names)
    assert all(re.fullmatch("[a-zA-Z0-9-]+", name) for name in names)
    assert "\\-" not in text


@pytest.mark.parametrize("dialect", Dialect, ids=lambda dialect: dialect.value)
def test_what_is_printed_compiles_with_its_comments(dialect: Dialect) -> None:
    if dialect is Dialect.LLGUIDANCE and Engine.LLGUIDANCE not in ENGINES:
        pytest.skip("llguidance is not installed")
    grammar = export(HERMES, build_parser(HERMES, TOOLS), dialect, generation_prompt='a"\n# b')
    compile_before_printing(replace(grammar, text=annotated(grammar)))
    assert grammar.to_dict()["generation_prompt"] == 'a"\n# b'


@pytest.mark.parametrize("engine", EXACT, ids=lambda engine: engine.value)
def test_a_grammar_that_does_not_compile_is_our_bug(engine: Engine) -> None:
    with pytest.raises(UncompiledGrammarError) as raised:
        compile_grammar(exported("root ::= missing-rule", DIALECTS[engine]), engine)
    assert raised.value.exit_code == 3


def test_the_schema_of_calls_keeps_each_tools_references() -> None:
    import jsonschema

    node = {
        "type": "object",
        "properties": {"next": {"$ref": "#/$defs/n"}, "v": {"type": "integer"}},
        "required": ["v"],
    }
    tool = {
        "name": "a/b",
        "parameters": {"type": "object", "properties": {"n": {"$ref": "#/$defs/n"}}, "$defs": {"n": node}},
    }
    grammar = export(HERMES, build_parser(HERMES, [tool]), Dialect.JSON_SCHEMA)
    validator = jsonschema.Draft202012Validator(json.loads(grammar.text))
    assert validator.is_valid([{"name": "a/b", "arguments": {"n": {"v": 1, "next": {"v": 2}}}}])
    assert not validator.is_valid([{"name": "a/b", "arguments": {"n": {"v": 1, "next": {}}}}])
    assert not validator.is_valid([{"name": "b", "arguments": {}}])
    with pytest.raises(FormatError, match="not JSON objects"):
        export(THINKING_TAGS, build_parser(THINKING_TAGS, TOOLS), Dialect.JSON_SCHEMA)


@by_format
def test_structural_tags_run_in_xgrammar(name: str) -> None:
    if Engine.XGRAMMAR not in ENGINES:
        pytest.skip("xgrammar is not installed")
    grammar = export(FORMATS[name], build_parser(FORMATS[name], TOOLS), Dialect.STRUCTURAL_TAG)
    engine = compile_grammar(grammar, Engine.XGRAMMAR)
    printed = [output for output in FITTING[name] if '":' not in output or '": ' in output]
    assert printed
    assert all(engine.check(output).accepted for output in printed)
    assert not any(engine.check(output).accepted for output in FORBIDDEN[name])
