"""More wire formats written by hand: the calls of `wire_formats.py` in turns with reasoning, and others."""

from __future__ import annotations

from dataclasses import replace

import wire_formats

from autoparser_cli.analysis.model import (
    JSON_ENCODING,
    RAW_ENCODING,
    CallFormat,
    Joint,
    JsonCall,
    JsonType,
    LiteralArguments,
    ReasoningFields,
    ReasoningMode,
    TaggedArguments,
    TaggedCall,
    TemplateAnalysis,
    TurnFormat,
    TurnPart,
    ValueForm,
    Var,
)

ALL = frozenset(JsonType)
STRING = frozenset({JsonType.STRING})
OTHERS = ALL - STRING
S, R, C, T, E = TurnPart.START, TurnPart.REASONING, TurnPart.CONTENT, TurnPart.CALLS, TurnPart.END

TOOLS = [
    {
        "type": "function",
        "function": {
            "name": name,
            "description": name,
            "parameters": {"type": "object", "properties": properties, "required": []},
        },
    }
    for name, properties in {
        "get_weather": {"city": {"type": "string"}, "days": {"type": "integer"}},
        "get_time": {},
        "write_file": {"path": {"type": "string"}, "content": {"type": "string"}},
        "run": {
            "flag": {"type": "boolean"},
            "items": {"type": "array", "items": {"type": "string"}},
            "options": {"type": "object"},
            "either": {"anyOf": [{"type": "integer"}, {"type": "string"}]},
            "x": {"type": "number"},
        },
    }.items()
]


def analysis(
    calls: CallFormat | None,
    *joints: tuple[TurnPart, TurnPart, str],
    header: str = "<|im_start|>assistant\n",
    end: str = "<|im_end|>\n",
    prompt: str | None = None,
    start: str = "",
    close: str = "",
    mode: ReasoningMode = ReasoningMode.NONE,
) -> TemplateAnalysis:
    """Return an analysis with this wire format; a joint may stand in several ways."""
    if start or close:
        mode = ReasoningMode.TAG_BASED if mode is ReasoningMode.NONE else mode
    reasoning = ReasoningFields(mode, start, close, "reasoning_content")
    found = wire_formats.analysis(header, {}, end, calls, reasoning, prompt)
    turn = TurnFormat(header, tuple(Joint(*joint) for joint in joints), end)
    return replace(found, template="", turn=turn)


def plain_joints(before_calls: str = "\n") -> list[tuple[TurnPart, TurnPart, str]]:
    """Return the joints of a turn without reasoning."""
    return [(S, C, ""), (S, T, ""), (C, E, ""), (C, T, before_calls), (T, E, "")]


def think_joints(start: str, close: str, before_calls: str = "\n") -> list[tuple[TurnPart, TurnPart, str]]:
    """Return the joints of a turn that may open with reasoning."""
    return [*plain_joints(before_calls), (S, R, start), (R, C, close), (R, T, close), (R, E, close.rstrip())]


HERMES_CALLS = wire_formats.HERMES.calls
HERMES = analysis(
    HERMES_CALLS,
    *think_joints("<think>\n", "\n</think>\n\n"),
    start="<think>\n",
    close="\n</think>\n\n",
)

NEMO = analysis(
    wire_formats.ARRAY_WITH_IDS.calls,
    *plain_joints(""), header="", end="</s>",
)  # fmt: skip

APERTUS = analysis(
    wire_formats.NAME_IS_KEY.calls,
    *plain_joints(""), header="<|assistant_start|>", end="<|assistant_end|>",
)  # fmt: skip

FUNCTIONARY = analysis(
    wire_formats.FUNCTION_TAGS.calls,
    *plain_joints(""), end="<|eot_id|>",
)  # fmt: skip

DEEPSEEK_V31 = analysis(
    CallFormat(
        "<｜tool▁calls▁begin｜>", "<｜tool▁calls▁end｜>",
        ("<｜tool▁call▁begin｜>",), ("<｜tool▁call▁end｜>",), "",
        TaggedCall((Var.NAME, "<｜tool▁sep｜>", Var.ARGUMENTS), LiteralArguments()),
    ),
    *plain_joints(""), (R, C, "</think>"), (R, T, "</think>"), (S, R, "<think>"),
    header="<｜Assistant｜>", end="<｜end▁of▁sentence｜>", start="<think>", close="</think>",
)  # fmt: skip

CODER = analysis(
    wire_formats.THINKING_TAGS.calls,
    *think_joints("<think>\n", "\n</think>\n\n", "\n\n"), start="<think>\n", close="\n</think>\n\n",
)  # fmt: skip

GLM = analysis(
    CallFormat(
        "", "", ("<tool_call>",), ("</tool_call>",), "\n",
        TaggedCall(
            (Var.NAME, "\n", Var.ARGUMENTS),
            TaggedArguments(
                ("<arg_key>",),
                (
                    ValueForm(STRING, ("</arg_key>\n<arg_value>",), RAW_ENCODING, ("</arg_value>\n",)),
                    ValueForm(OTHERS, ("</arg_key>\n<arg_value>",), JSON_ENCODING, ("</arg_value>\n",)),
                ),
                "",
            ),
        ),
    ),
    *think_joints("\n<think>", "</think>\n"), header="<|assistant|>", end="<|user|>",
    start="<think>", close="</think>",
)  # fmt: skip

SEED = analysis(
    CallFormat(
        "<seed:tool_call>\n", "\n</seed:tool_call>", (), (), "\n",
        TaggedCall(
            ("<function=", Var.NAME, ">\n", Var.ARGUMENTS, "</function>"),
            TaggedArguments(
                ("<parameter=",), (ValueForm(ALL, (">",), RAW_ENCODING, ("</parameter>\n",)),), ""
            ),
        ),
        parallel=False,
    ),
    *think_joints("<seed:think>", "</seed:think>\n", ""), header="<seed:bos>assistant\n", end="<seed:eos>",
    start="<seed:think>", close="</seed:think>",
)  # fmt: skip

R7B = analysis(
    CallFormat(
        "<|START_ACTION|>", "<|END_ACTION|>", (), (), ",\n    ",
        JsonCall(
            ("tool_name",), ("parameters",), LiteralArguments(), id_path=("tool_call_id",),
            key_order=("tool_call_id", "tool_name", "parameters"),
        ),
        array_wrapped=True,
    ),
    (S, R, "<|START_THINKING|>"), (R, C, "<|END_THINKING|><|START_RESPONSE|>"), (R, T, "<|END_THINKING|>"),
    (S, C, "<|START_RESPONSE|>"), (C, E, "<|END_RESPONSE|>"), (T, E, ""), (S, T, ""),
    header="<|START_OF_TURN_TOKEN|><|CHATBOT_TOKEN|>", end="<|END_OF_TURN_TOKEN|>",
    start="<|START_THINKING|>", close="<|END_THINKING|>",
)  # fmt: skip

LLAMA3 = analysis(
    CallFormat(
        "", "", (), (), "; ",
        JsonCall(("name",), ("parameters",), LiteralArguments(), key_order=("name", "parameters")),
    ),
    *plain_joints(""), end="<|eot_id|>",
)  # fmt: skip

KIMI = analysis(
    CallFormat(
        "<|tool_calls_section_begin|>", "<|tool_calls_section_end|>",
        ("<|tool_call_begin|>",), ("<|tool_call_end|>",), "",
        TaggedCall(
            ("functions.", Var.NAME, ":", Var.INDEX, "<|tool_call_argument_begin|>", Var.ARGUMENTS),
            LiteralArguments(),
            id_text=("functions.", Var.NAME, ":", Var.INDEX),
        ),
    ),
    *think_joints("<think>", "</think>", ""), header="<|im_assistant|>assistant<|im_middle|>",
    end="<|im_end|>", start="<think>", close="</think>",
)  # fmt: skip

GEMMA = analysis(
    wire_formats.OWN_QUOTES.calls,
    *plain_joints(""), (S, R, "<|channel>thought\n"), (R, C, "<channel|>"), (R, T, "<channel|>"),
    header="<|turn>model\n", end="<turn|>\n", start="<|channel>thought\n", close="<channel|>",
)  # fmt: skip

LFM = analysis(
    wire_formats.PYTHON_CALLS.calls,
    *think_joints("<think>", "</think>", ""), start="<think>", close="</think>",
)  # fmt: skip

DSML = analysis(
    CallFormat(
        "<｜DSML｜function_calls>\n", "\n</｜DSML｜function_calls>", (), (), "\n",
        TaggedCall(
            ('<｜DSML｜invoke name="', Var.NAME, '">\n', Var.ARGUMENTS, "</｜DSML｜invoke>"),
            TaggedArguments(
                ('<｜DSML｜parameter name="',),
                (
                    ValueForm(STRING, ('" string="true">',), RAW_ENCODING, ("</｜DSML｜parameter>\n",)),
                    ValueForm(OTHERS, ('" string="false">',), JSON_ENCODING, ("</｜DSML｜parameter>\n",)),
                ),
                "",
            ),
        ),
    ),
    *plain_joints("\n\n"), (S, R, "<think>"), (R, C, "</think>"), (R, T, "</think>\n\n"),
    header="<｜Assistant｜>", end="<｜end▁of▁sentence｜>", start="<think>", close="</think>",
)  # fmt: skip

CHANNELS = analysis(
    CallFormat(
        "", "", (), (), "<|call|><|start|>assistant",
        TaggedCall(
            ("<|channel|>commentary to=functions.", Var.NAME, " <|constrain|>json<|message|>", Var.ARGUMENTS),
            LiteralArguments(),
        ),
    ),
    (S, R, "<|channel|>analysis<|message|>"), (S, C, "<|channel|>final<|message|>"), (S, T, ""),
    (R, C, "<|end|><|start|>assistant<|channel|>final<|message|>"), (R, T, "<|end|><|start|>assistant"),
    (C, E, ""), (T, E, "<|call|>"),
    header="<|start|>assistant", end="<|return|>",
    start="<|channel|>analysis<|message|>", close="<|end|>",
)  # fmt: skip
