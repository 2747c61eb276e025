"""Properties of sequences of messages over generated outputs: chunks, deltas, no lost text, no exceptions."""

from __future__ import annotations

import json
import re
from collections import Counter

import pytest
import test_parsing_message_sequence as sequence
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from test_parsing_properties import assert_cuts_change_nothing

PARSERS = {lenient: sequence.parser(lenient=lenient) for lenient in (False, True)}
HEADERS = [
    *sequence.CALLS.values(),
    "[LANE]aside[SAY]",
    "[LANE]answer[SAY]",
    "[LANE]task[SAY]",
    "[LANE]musing[SAY]",
    "[LANE]task for=python [KIND]code[SAY]",
    "[LANE]task for=bot",
    "[LANE]??",
    "[SAY]",
    " for=kit.fly[LANE]task json[SAY]",
]
PIECES = [
    *HEADERS,
    *("[STOP]", "[OVER]", "[RUN]", "[TURN]bot", "[TURN]user", "[LANE]", " for=", "kit.", "json"),
    *(
        "alpha",
        " beta\n",
        "gamma, ",
        "[",
        "]",
        "é😀",
        "{",
        "}",
        '{"city": "delta"}',
        '{"city": "epsi',
        "{}",
        '"',
    ),
]
GARBAGE = st.lists(st.sampled_from(PIECES), max_size=16).map("".join)
TEXTS = st.lists(st.sampled_from(("alpha", " beta\n", "gamma, ", "[x]", "é")), max_size=4).map("".join)
PLACES = st.lists(st.integers(0, 300), max_size=8)
QUICK = settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
WORDS = re.compile("alpha|beta|gamma|delta|epsi")
#: A word that touches one of these is part of a header: a marker, not text.
IN_HEADERS = re.compile(r"(?:\[LANE\]|\[KIND\]|\[TURN\]| for=|json|code|bot|user|task|musing)[\w.-]+")


@pytest.mark.parametrize("lenient", [False, True])
@QUICK
@given(text=GARBAGE, places=PLACES)
def test_any_cut_gives_the_same_result_and_deltas_make_the_message(
    lenient: bool, text: str, places: list[int]
) -> None:
    assert_cuts_change_nothing(PARSERS[lenient], text, places)


@pytest.mark.parametrize("lenient", [False, True])
@QUICK
@given(text=GARBAGE)
def test_no_text_is_lost(lenient: bool, text: str) -> None:
    result = PARSERS[lenient].parse(text)
    message = result.message
    kept = message.content + message.reasoning_content + result.unparsed
    kept += "".join(call.arguments for call in message.tool_calls)
    kept += result.error.unparsed if result.error else ""
    said = IN_HEADERS.sub("", text)
    assert Counter(WORDS.findall(said)) - Counter(WORDS.findall(kept)) == Counter()


@QUICK
@given(text=GARBAGE)
def test_arguments_of_complete_calls_are_json_objects(text: str) -> None:
    for call in PARSERS[False].parse(text).message.tool_calls:
        assert isinstance(json.loads(call.arguments), dict)


@QUICK
@given(texts=st.lists(st.tuples(st.booleans(), TEXTS), min_size=1, max_size=5))
def test_messages_written_one_after_the_other_come_back(texts: list[tuple[bool, str]]) -> None:
    written = [f"[LANE]{'aside' if aside else 'answer'}[SAY]{text}" for aside, text in texts]
    result = PARSERS[False].parse("[STOP][TURN]bot".join(written))
    assert result.error is None
    assert result.message.reasoning_content.strip() == "".join(text for aside, text in texts if aside).strip()
    assert result.message.content.strip() == "".join(text for aside, text in texts if not aside).strip()
