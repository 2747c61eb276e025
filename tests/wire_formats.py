"""Analyses written down by hand, one for each kind of wire format, with tools and outputs that fit and that
do not.
"""

from __future__ import annotations

from autoparser_cli.analysis.model import (
    RAW_ENCODING,
    CallFormat,
    Capabilities,
    ContentFields,
    Joint,
    JsonCall,
    JsonType,
    LiteralArguments,
    ReasoningFields,
    ReasoningMode,
    TaggedArguments,
    TaggedCall,
    TemplateAnalysis,
    ToolFields,
    TurnFormat,
    TurnPart,
    ValueForm,
    Var,
)

START, REASONING, CONTENT, CALLS, END = TurnPart

TOOLS = [
    {
        "name": "get_weather",
        "parameters": {
            "type": "object",
            "properties": {
                "city": {"type": "string"},
                "days": {"type": "integer"},
                "unit": {"enum": ["celsius", "fahrenheit"]},
                "tags": {"type": "array", "items": {"type": "string"}},
            },
            "required": ["city"],
        },
    },
    {"name": "get_weather_now", "parameters": {"type": "object", "properties": {}}},
    {
        "name": "add",
        "parameters": {
            "type": "object",
            "properties": {"a": {"type": "number"}, "b": {"anyOf": [{"type": "integer"}, {"type": "null"}]}},
            "required": ["a", "b"],
        },
    },
]


NO_REASONING = ReasoningFields()


def analysis(
    header: str,
    joints: dict[tuple[TurnPart, TurnPart], str],
    end: str,
    calls: CallFormat | None,
    reasoning: ReasoningFields = NO_REASONING,
    generation_prompt: str | None = None,
) -> TemplateAnalysis:
    """Put an analysis together from what its parsers and grammars are built from."""
    turn = TurnFormat(
        header, tuple(Joint(before, after, text) for (before, after), text in joints.items()), end
    )
    prompt = header if generation_prompt is None else generation_prompt
    return TemplateAnalysis(
        "inline", Capabilities(), reasoning, ContentFields(), ToolFields(), turn, calls, prompt
    )


PLAIN_JOINTS = {(START, CONTENT): "", (START, CALLS): "", (CALLS, END): "", (CONTENT, END): ""}

HERMES = analysis(
    "<|im_start|>assistant\n",
    {**PLAIN_JOINTS, (CONTENT, CALLS): "\n"},
    "<|im_end|>\n",
    CallFormat(
        "",
        "",
        ("<tool_call>\n",),
        ("\n</tool_call>",),
        "\n",
        JsonCall(("name",), ("arguments",), LiteralArguments(), key_order=("name", "arguments")),
    ),
)

THINKING_TAGS = analysis(
    "<|im_start|>assistant\n",
    {
        **PLAIN_JOINTS,
        (START, REASONING): "<think>\n",
        (REASONING, CONTENT): "\n</think>\n\n",
        (REASONING, CALLS): "\n</think>\n\n",
        (CONTENT, CALLS): "\n\n",
    },
    "<|im_end|>\n",
    CallFormat(
        "",
        "",
        ("<tool_call>\n",),
        ("\n</tool_call>",),
        "\n",
        TaggedCall(
            ("<function=", Var.NAME, ">\n", Var.ARGUMENTS, "</function>"),
            TaggedArguments(
                ("<parameter=",),
                (ValueForm(frozenset(JsonType), (">\n",), RAW_ENCODING, ("\n</parameter>\n",)),),
                "",
            ),
        ),
    ),
    ReasoningFields(ReasoningMode.TAG_BASED, "<think>", "</think>", "reasoning_content"),
    "<|im_start|>assistant\n<think>\n",
)

ARRAY_WITH_IDS = analysis(
    "",
    {**PLAIN_JOINTS, (CONTENT, CALLS): ""},
    "</s>",
    CallFormat(
        "[TOOL_CALLS]",
        "",
        (),
        (),
        ", ",
        JsonCall(
            ("name",), ("arguments",), LiteralArguments(), ("id",), key_order=("name", "arguments", "id")
        ),
        array_wrapped=True,
    ),
)

BARE_JSON = analysis(
    "<|start_header_id|>assistant<|end_header_id|>\n\n",
    PLAIN_JOINTS,
    "<|eot_id|>",
    CallFormat(
        "",
        "",
        (),
        (),
        "",
        JsonCall(("name",), ("parameters",), LiteralArguments(), key_order=("name", "parameters")),
        parallel=False,
    ),
)

FUNCTION_TAGS = analysis(
    "<|assistant|>",
    {**PLAIN_JOINTS, (CONTENT, CALLS): ""},
    "<|end|>",
    CallFormat(
        "",
        "",
        (),
        (),
        "",
        TaggedCall(("<function=", Var.NAME, ">", Var.ARGUMENTS, "</function>"), LiteralArguments()),
    ),
)

FORMATS = {
    "hermes": HERMES,
    "thinking-tags": THINKING_TAGS,
    "array-with-ids": ARRAY_WITH_IDS,
    "bare-json": BARE_JSON,
    "function-tags": FUNCTION_TAGS,
}

FITTING = {
    "hermes": [
        '<tool_call>\n{"name": "add", "arguments": {"a": 1.5, "b": null}}\n</tool_call>',
        '<tool_call>\n{"name":"get_weather_now","arguments":{}}\n</tool_call>',
        (
            'Sure.\n<tool_call>\n{"name": "get_weather", "arguments": {"city": "P\\"x", "tags": ["</tool_call>"]}}'
            '\n</tool_call>\n<tool_call>\n{"name": "add", "arguments": {"a": 1, "b": 2}}\n</tool_call>'
        ),
    ],
    "thinking-tags": [
        (
            "a < b\n</think>\n\n<tool_call>\n<function=get_weather>\n<parameter=city>\nNew\n<York>\n</parameter>"
            "\n            "<parameter=days>\n3\n</parameter>\n</function>\n</tool_call>\n<tool_call>\n<function=get_weather_now>\n"
            "</function>\n</tool_call>"
        ),
        (
            "x\n</think>\n\nText\n\n<tool_call>\n<function=add>\n<parameter=a>\n3\n</parameter>\n<parameter=b>\nnull"
            "\n            "</parameter>\n</function>\n</tool_call>"
        ),
    ],
    "array-with-ids": [
        (
            '[TOOL_CALLS][{"name": "add", "arguments": {"a": 1, "b": 2}, "id": "abcdefghi"}, '
            '{"name": "get_weather_now", "arguments": {}, "id": "abcdefgh1"}]'
        ),
    ],
    "bare-json": ['{"name": "add", "parameters": {"a": 1, "b": 2}}'],
    "function-tags": ['<function=get_weather>{"city": "Paris", "days": 2}</function>'],
}

#: Each is near to an output that fits, and is one that a schema or the format forbids.
FORBIDDEN = {
    "hermes": [
        '<tool_call>\n{"name": "get_weather", "arguments": {"days": 3}}\n</tool_call>',
        '<tool_call>\n{"name": "get_weath", "arguments": {"city": "x"}}\n</tool_call>',
        '<tool_call>\n{"name": "add", "arguments": {"a": "1", "b": 1}}\n</tool_call>',
        '<tool_call>\n{"name": "add", "arguments": {"a": 1, "b": 1.5}}\n</tool_call>',
        '<tool_call>\n{"name": "add", "arguments": {"a": 1, "b": 1}}',
        '<tool_call>\n{"name": "add", "arguments": {"a": 1, "b": 1}} so\n</tool_call>',
        '<tool_call>\n{"name": "get_weather_now", "arguments": {"x": 1}}\n</tool_call>',
        '<tool_call>\n{"name": "get_weather", "arguments": {"city": "x", "unit": "kelvin"}}\n</tool_call>',
    ],
    "thinking-tags": [
        (
            "x\n</think>\n\n<tool_call>\n<function=add>\n<parameter=a>\none\n</parameter>\n<parameter=b>\n1\n</parameter>\n"
            "</function>\n</tool_call>"
        ),
        "x\n</think>\n\n<tool_call>\n<function=add>\n<parameter=a>\n1\n</parameter>\n</function>\n</tool_call>",
        "x\n</think>\n\n<tool_call>\n<function=ad>\n</function>\n</tool_call>",
        "x\n</think>\n\n<tool_call>\n<function=get_weather_now>\n</function>\n",
    ],
    "array-with-ids": [
        '[TOOL_CALLS][{"name": "add", "arguments": {"a": 1}, "id": "abcdefghi"}]',
        '[TOOL_CALLS][{"name": "add", "arguments": {"a": 1, "b": 2}, "id": "abcdefghi"}',
    ],
    "bare-json": [
        '{"name": "add", "parameters": {"a": 1}}',
        '{"name": "sub", "parameters": {"a": 1, "b": 2}}',
    ],
    "function-tags": [
        '<function=get_weather>{"days": 2}</function>',
        '<function=get_weather>{"city": "Paris"}',
    ],
}
