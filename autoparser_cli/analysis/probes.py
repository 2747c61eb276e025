"""The texts that probes put into a conversation, and the table of probes. Data, no logic.

Needles are plain alphabetic words, so that no template escapes, splits or retitles them; argument names are in alphabetic
order, since some templates sort them; ids are nine letters and digits, since some templates refuse others.
"""

from __future__ import annotations

from autoparser_cli.frozen import frozen

USER = "Zuserquestiontext"
SYSTEM = "Zsysteminstruction"
CONTENT = "Zcontentanswertext"
REASONING = "Zreasoningthoughttext"
RESULT = "Ztoolresulttext"
#: What every tool of a probe says of itself.
DESCRIPTION = "Zdescription"
#: The user's text of a turn behind the one that is looked at.
LATER = "Zlaterquestion"
#: Printed only by a template that shows a structure it does not understand as text.
CANARY = "zcanarykey"

NAMES = ("zfunctionone", "zgadgettwo", "zhelperthree")
IDS = ("zcallAAA1", "zcallBBB2", "zcallCCC3")
KEYS = ("zargalpha", "zargbeta")
#: One integer value per call, and the text of each as a string value.
VALUES = (47113, 58224, 69335)
TEXT_VALUES = ("Zvaluetextone", "Zvaluetexttwo", "Zvaluetextthree")


@frozen
class Probe:
    """One comparison of the method: what is asked, and the two variants in short."""

    id: str
    question: str
    left: str
    right: str


PROBES = {
    probe.id: probe
    for probe in (
        Probe("R1", "Where does reasoning stand?", "without reasoning", "with reasoning"),
        Probe("R2", "What does switching thinking change in the prompt?", "thinking off", "thinking on"),
        Probe("R3", "Is reasoning shown only beside calls?", "reasoning + content", "reasoning + call"),
        Probe(
            "R4",
            "Which text does the template strip as reasoning?",
            "plain content",
            "reasoning inside content",
        ),
        Probe("R5", "Which field is reasoning read from?", "without reasoning", "with one field alone"),
        Probe("C1", "How is content wrapped?", "content only", "call only"),
        Probe("C2", "Is content wrapped beside reasoning?", "content only", "reasoning + empty content"),
        Probe("C3", "What stands for no content beside a call?", "empty content", "null content"),
        Probe("T1", "How is a call written?", "no call", "one call"),
        Probe("T2", "What stands between two calls?", "one call", "two calls"),
        Probe("T3", "Where does the function name stand?", "first name", "second name"),
        Probe("A1", "What stands around an argument's name?", "first argument name", "second argument name"),
        Probe("A2", "What stands around an argument's value?", "first value", "second value"),
        Probe("A3", "How is each type of value written?", "integer value", "value of another type"),
        Probe("T5", "What separates two arguments?", "one argument", "two arguments"),
        Probe("T6", "What holds the arguments?", "no argument", "one argument"),
        Probe("T7", "Where does the call's id stand?", "first id", "second id"),
        Probe(
            "T8",
            "Which arguments does the template take?",
            "arguments as an object",
            "arguments as JSON text",
        ),
        Probe("G1", "What does the generation prompt add?", "without", "with generation prompt"),
        Probe("G2", "And behind the result of a call?", "without", "with generation prompt"),
        Probe("S1", "What does a variable of the template change?", "not set", "set"),
        Probe("E1", "What opens and closes the assistant's turn?", "user only", "user + content"),
        Probe("P1", "Does the prompt list the tools?", "without tools", "with tools"),
        Probe("P2", "Is a system message read?", "user only", "system + user"),
        Probe("P3", "Is content in typed parts read?", "text", "typed parts"),
        Probe("P4", "Is the result of a call read?", "call only", "call + result"),
    )
}
