"""Analyses written down by hand, one for each kind of wire format, with tools and outputs that fit and that
do not.
"""

from __future__ import annotations

from autoparser_cli.analysis.model import (
    PYTHON_ENCODING,
    RAW_ENCODING,
    CallFormat,
    Capabilities,
    ContentFields,
    Escapes,
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
    ValueEncoding,
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

STRING = frozenset({JsonType.STRING})
OTHERS = frozenset(JsonType) - STRING

#: Keys and values as tags of their own, and the name behind the opening.
KEY_VALUE_TAGS = analysis(
    "<|assistant|>",
    {**PLAIN_JOINTS, (CONTENT, CALLS): "\n"},
    "<|user|>",
    CallFormat(
        "",
        "",
        ("<tool_call>",),
        ("</tool_call>",),
        "\n",
        TaggedCall(
            (Var.NAME, "\n", Var.ARGUMENTS),
            TaggedArguments(
                ("<arg_key>",),
                (
                    ValueForm(
                        frozenset(JsonType), ("</arg_key>\n<arg_value>",), RAW_ENCODING, ("</arg_value>\n",)
                    ),
                ),
                "",
            ),
        ),
    ),
)

#: What stands between key and value tells whether it is a string.
TYPED_TAGS = analysis(
    "<A>",
    {**PLAIN_JOINTS, (CONTENT, CALLS): "\n\n"},
    "<E>",
    CallFormat(
        "<calls>\n",
        "\n</calls>",
        (),
        (),
        "\n",
        TaggedCall(
            ('<invoke name="', Var.NAME, '">\n', Var.ARGUMENTS, "\n</invoke>"),
            TaggedArguments(
                ('<parameter name="',),
                (
                    ValueForm(STRING, ('" string="true">',), RAW_ENCODING, ("</parameter>",)),
                    ValueForm(OTHERS, ('" string="false">',), RAW_ENCODING, ("</parameter>",)),
                ),
                "\n",
            ),
        ),
    ),
)

PYTHON_CALLS = analysis(
    "<|im_start|>assistant\n",
    {**PLAIN_JOINTS, (CONTENT, CALLS): ""},
    "<|im_end|>",
    CallFormat(
        "<|tool_call_start|>[",
        "]<|tool_call_end|>",
        (),
        (),
        ", ",
        TaggedCall(
            (Var.NAME, "(", Var.ARGUMENTS, ")"),
            TaggedArguments((), (ValueForm(frozenset(JsonType), ("=",), PYTHON_ENCODING, ()),), ", "),
        ),
    ),
)

OWN_QUOTES = analysis(
    "<start_of_turn>model\n",
    {**PLAIN_JOINTS, (CONTENT, CALLS): ""},
    "<end_of_turn>",
    CallFormat(
        "",
        "",
        ("<|tool_call>",),
        ("<tool_call|>",),
        "",
        TaggedCall(
            ("call:", Var.NAME, Var.ARGUMENTS),
            LiteralArguments(ValueEncoding((('<|"|>', '<|"|>'),), Escapes.NONE, bare_keys=True)),
        ),
    ),
)

NAME_IN_ID = analysis(
    "<|im_assistant|>",
    {**PLAIN_JOINTS, (CONTENT, CALLS): ""},
    "<|im_end|>",
    CallFormat(
        "<|section_begin|>",
        "<|section_end|>",
        ("<|call_begin|>",),
        ("<|call_end|>",),
        "",
        TaggedCall(
            ("functions.", Var.NAME, ":", Var.INDEX, "<|argument_begin|>", Var.ARGUMENTS),
            LiteralArguments(),
            id_text=("functions.", Var.NAME, ":", Var.INDEX),
        ),
    ),
)

NAME_IS_KEY = analysis(
    "<|assistant|>",
    {**PLAIN_JOINTS, (CONTENT, CALLS): ""},
    "<|end|>",
    CallFormat(
        "<|tools_prefix|>",
        "<|tools_suffix|>",
        (),
        (),
        ", ",
        JsonCall((), (), LiteralArguments(), fun_name_is_key=True),
        array_wrapped=True,
    ),
)

ARGUMENTS_AS_STRING = analysis(
    "<|assistant|>",
    {**PLAIN_JOINTS, (CONTENT, CALLS): ""},
    "<|end|>",
    CallFormat(
        "",
        "",
        ("<call>",),
        ("</call>",),
        "",
        JsonCall(
            ("function", "name"),
            ("function", "arguments"),
            LiteralArguments(as_string=True),
            key_order=("type", "function"),
            constants=((("type",), '"function"'),),
        ),
    ),
)

NESTED_TAGS = analysis(
    "<|assistant|>",
    {**PLAIN_JOINTS, (CONTENT, CALLS): ""},
    "<|end|>",
    CallFormat(
        "<calls>",
        "</calls>",
        (),
        (),
        "",
        TaggedCall(
            ('<invoke name="', Var.NAME, '">', Var.ARGUMENTS, "</invoke>"),
            TaggedArguments(
                ("<",),
                (
                    ValueForm(
                        frozenset(JsonType),
                        (">",),
                        ValueEncoding(quotes=(), nested=True, item_name="item"),
                        ("</", Var.KEY, ">"),
                    ),
                ),
                "",
            ),
        ),
    ),
)

FORMATS = {
    "hermes": HERMES,
    "thinking-tags": THINKING_TAGS,
    "array-with-ids": ARRAY_WITH_IDS,
    "bare-json": BARE_JSON,
    "function-tags": FUNCTION_TAGS,
    "key-value-tags": KEY_VALUE_TAGS,
    "typed-tags": TYPED_TAGS,
    "python-calls": PYTHON_CALLS,
    "own-quotes": OWN_QUOTES,
    "name-in-id": NAME_IN_ID,
    "name-is-key": NAME_IS_KEY,
    "arguments-as-string": ARGUMENTS_AS_STRING,
    "nested-tags": NESTED_TAGS,
}

FITTING = {
    "hermes": [
        '<tool_call>\n{"name": "add", "arguments": {"a": 1.5, "b": null}}\n</tool_call>',
        '<tool_call>\n{"name":"get_weather_now","arguments":{}}\n</tool_call>',
        (
            "Sure.\n<tool_call>"
            '\n{"name": "get_weather", "arguments": {"city": "P\\"x", "tags": ["</tool_call>"]}}'
            '\n</tool_call>\n<tool_call>\n{"name": "add", "arguments": {"a": 1, "b": 2}}\n</tool_call>'
        ),
    ],
    "thinking-tags": [
        (
            "a < b\n</think>\n\n<tool_call>\n<function=get_weather>\n<parameter=city>\nNew\n<York>\n"
            "</parameter>\n<parameter=days>\n3\n</parameter>\n</function>\n</tool_call>\n"
            "<tool_call>\n<function=get_weather_now>\n</function>\n</tool_call>"
        ),
        (
            "x\n</think>\n\nText\n\n<tool_call>\n<function=add>\n<parameter=a>\n3\n</parameter>\n"
            "<parameter=b>\nnull\n</parameter>\n</function>\n</tool_call>"
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
    "key-value-tags": [
        (
            "<tool_call>get_weather\n<arg_key>city</arg_key>\n<arg_value>a<b</arg_value>"
            "\n<arg_key>tags</arg_key>\n"
            '<arg_value>["x"]</arg_value>\n</tool_call>\n<tool_call>get_weather_now\n</tool_call>'
        ),
    ],
    "typed-tags": [
        (
            'Hi\n\n<calls>\n<invoke name="get_weather">'
            '\n<parameter name="city" string="true">x y</parameter>\n'
            '<parameter name="days" string="false">2</parameter>\n</invoke>\n<invoke name="add">\n'
            '<parameter name="a" string="false">1</parameter>'
            '\n<parameter name="b" string="false">null</parameter>\n'
            "</invoke>\n</calls>"
        ),
    ],
    "python-calls": [
        (
            """<|tool_call_start|>[get_weather(city="it's", tags=['a', "b"]), """
            "get_weather_now()]<|tool_call_end|>"
        ),
        "<|tool_call_start|>[add(a=1.5, b=None)]<|tool_call_end|>",
    ],
    "own-quotes": [
        '<|tool_call>call:get_weather{city:<|"|>a "b"<|"|>,days:3,tags:[<|"|>x<|"|>]}<tool_call|>',
        "<|tool_call>call:get_weather_now{}<tool_call|><|tool_call>call:add{a:1,b:null}<tool_call|>",
    ],
    "name-in-id": [
        (
            '<|section_begin|><|call_begin|>functions.add:0<|argument_begin|>{"a": 1, "b": 2}<|call_end|>'
            "<|call_begin|>functions.get_weather_now:1<|argument_begin|>{}<|call_end|><|section_end|>"
        ),
    ],
    "name-is-key": ['<|tools_prefix|>[{"add": {"a": 1, "b": 2}}, {"get_weather_now": {}}]<|tools_suffix|>'],
    "arguments-as-string": [
        (
            '<call>{"type": "function", "function": {"name": "get_weather", '
            '"arguments": "{\\"city\\": \\"a\\\\\\"b\\"}"}}</call>'
        ),
    ],
    "nested-tags": [
        (
            '<calls><invoke name="get_weather"><city>x<y</city><tags><item>a</item><item>b</item>'
            "</tags></invoke>"
            '<invoke name="add"><a>1</a><b>null</b></invoke></calls>'
        ),
    ],
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
            "x\n</think>\n\n<tool_call>\n<function=add>\n<parameter=a>\none\n</parameter>\n<parameter=b>\n1\n"
            "</parameter>\n</function>\n</tool_call>"
        ),
        (
            "x\n</think>\n\n<tool_call>\n<function=add>\n<parameter=a>\n1\n</parameter>"
            "\n</function>\n</tool_call>"
        ),
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
    "key-value-tags": [
        "<tool_call>get_weather\n<arg_key>days</arg_key>\n<arg_value>1</arg_value>\n</tool_call>",
        "<tool_call>get_weather\n</tool_call>",
    ],
    "typed-tags": [
        (
            '<calls>\n<invoke name="get_weather">\n<parameter name="city" string="false">x</parameter>\n'
            "</invoke>\n</calls>"
        ),
    ],
    "python-calls": [
        "<|tool_call_start|>[add(a=1.5, b=null)]<|tool_call_end|>",
        "<|tool_call_start|>[add(a=1.5)]<|tool_call_end|>",
        "<|tool_call_start|>[add(a=1, b=2)]",
    ],
    "own-quotes": [
        '<|tool_call>call:get_weather{city:"a"}<tool_call|>',
        "<|tool_call>call:add{a:1}<tool_call|>",
    ],
    "name-in-id": [
        '<|section_begin|><|call_begin|>functions.add:0<|argument_begin|>{"a": 1}<|call_end|><|section_end|>',
        "<|section_begin|><|call_begin|>functions.get_weather_now:0<|argument_begin|>{}<|call_end|>",
    ],
    "name-is-key": ['<|tools_prefix|>[{"add": {"a": 1}}]<|tools_suffix|>'],
    "arguments-as-string": [
        (
            '<call>{"type": "function", "function": {"name": "get_weather", '
            '"arguments": "{\\"days\\": 1}"}}</call>'
        ),
    ],
    "nested-tags": [
        '<calls><invoke name="get_weather"><tags><item>a</item></tags></invoke></calls>',
        '<calls><invoke name="add"><a>x</a><b>1</b></invoke></calls>',
    ],
}
