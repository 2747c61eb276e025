"""What a template sees of the messages, and messages that are continued."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import pytest

from autoparser_cli.errors import RenderError
from autoparser_cli.templates import ChatTemplate, Kept, RenderInputs
from autoparser_cli.templates.inputs import plain

USER = {"role": "user", "content": "hi"}
DUMP = "{{ messages[-1] | tojson }}"
CONTENTS = "{% for m in messages %}[{{ m.content }}]{% endfor %}"


def render(source: str, *messages: dict[str, Any], **inputs: Any) -> str:
    return ChatTemplate.from_source(source).render(RenderInputs(messages or [USER], **inputs))


def refused(source: str, *messages: Any, **inputs: Any) -> str:
    with pytest.raises(RenderError) as caught:
        ChatTemplate.from_source(source).render(RenderInputs(messages, **inputs))
    return str(caught.value)


def test_null_keys_of_a_message_are_dropped_and_nulls_inside_kept() -> None:
    message = {"role": "assistant", "content": None, "x": {"y": None}}
    assert render(DUMP, message) == '{"role": "assistant", "x": {"y": null}}'
    assert render("{{ messages[0].content is defined }}", message) == "False"


def test_nulls_can_be_kept() -> None:
    message = {"role": "assistant", "content": None}
    assert render("{{ messages[0].content }}", message, keep_nulls=True) == "None"
    assert render("{{ messages[0].content }}", message) == ""


@pytest.mark.parametrize(
    ("given", "seen"),
    [
        ({"reasoning_content": "r"}, {"thinking": "r", "reasoning_content": "r"}),
        ({"thinking": "t"}, {"thinking": "t", "reasoning_content": "t"}),
        ({"reasoning": "s"}, {"thinking": "s", "reasoning": "s", "reasoning_content": "s"}),
        (
            {"reasoning_content": None, "reasoning": "s"},
            {"thinking": "s", "reasoning": "s", "reasoning_content": "s"},
        ),
        ({"reasoning_content": "r", "thinking": "t"}, {"reasoning_content": "r", "thinking": "t"}),
        ({"reasoning_content": ""}, {"thinking": "", "reasoning_content": ""}),
        ({"thought": "x"}, {"thought": "x"}),
    ],
)
def test_reasoning_is_passed_under_its_other_names(given: dict[str, Any], seen: dict[str, Any]) -> None:
    source = "{% for key, value in messages[0] | dictsort %}{{ key }}={{ value }};{% endfor %}"
    assert render(source, given) == "".join(f"{key}={value};" for key, value in sorted(seen.items()))


def test_an_empty_conversation_is_refused() -> None:
    assert "empty" in refused("x")


def test_a_message_that_is_no_object_is_refused() -> None:
    assert "str" in refused("x", "hello")


def test_objects_become_json_types_or_the_name_of_their_type() -> None:
    @dataclass
    class Point:
        x: int

    class Colour(StrEnum):
        RED = "red"

    class Count(int):
        pass

    class Model:
        def model_dump(self) -> dict[str, Any]:
            return {"a": (1, Count(2))}

    assert plain([Point(1), Colour.RED, Model(), object(), b"x"]) == [
        {"x": 1},
        "red",
        {"a": (1, 2)},
        "<object>",
        "<bytes>",
    ]
    assert type(plain(Colour.RED)) is str
    assert type(plain(Count(2))) is int


# ------------------------------------------------------------------------------------------ continuing


def test_the_text_is_cut_behind_the_open_message() -> None:
    open_turn = {"role": "assistant", "content": "The answer"}
    assert render(CONTENTS, USER, open_turn, continue_final_message=True) == "[hi][The answer"


def test_trailing_space_survives_only_where_the_template_keeps_it() -> None:
    open_turn = {"role": "assistant", "content": "So "}
    assert render(CONTENTS, USER, open_turn, continue_final_message=True) == "[hi][So "
    stripped = "{% for m in messages %}[{{ m.content | trim }}]{% endfor %}"
    assert render(stripped, USER, open_turn, continue_final_message=True) == "[hi][So"


def test_the_last_text_part_is_continued() -> None:
    parts = [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}, {"type": "image"}]
    source = "{% for p in messages[0].content %}<{{ p.text }}>{% endfor %}"
    assert render(source, {"role": "assistant", "content": parts}, continue_final_message=True) == "<a><b"


def test_reasoning_is_continued_under_the_name_that_the_template_reads() -> None:
    open_turn = {"role": "assistant", "reasoning_content": "Hm", "content": ""}
    source = "<think>{{ messages[0].thinking }}</think>"
    assert render(source, open_turn, continue_final_message="reasoning_content") == "<think>Hm"


@pytest.mark.parametrize(
    ("source", "message", "inputs", "words"),
    [
        (
            CONTENTS,
            USER,
            {"continue_final_message": True, "add_generation_prompt": True},
            "exclude each other",
        ),
        (
            CONTENTS,
            {"role": "assistant", "content": None},
            {"continue_final_message": True},
            "has no 'content'",
        ),
        (CONTENTS, {"role": "assistant", "x": "y"}, {"continue_final_message": "x"}, "does not read 'x'"),
        (
            CONTENTS,
            {"role": "user", "content": [{"type": "image"}]},
            {"continue_final_message": True},
            "no text",
        ),
        ("content", USER, {"continue_final_message": True}, "does not appear"),
    ],
)
def test_what_cannot_be_continued_is_refused(
    source: str, message: dict[str, Any], inputs: dict[str, Any], words: str
) -> None:
    assert words in refused(source, message, **inputs)


def test_kept_values_are_new_for_each_render() -> None:
    kept = Kept({"name": name, "sizes": (1, 2)} for name in ("one", "two"))
    first, second = plain(kept), plain(kept)
    assert first == second == [{"name": "one", "sizes": (1, 2)}, {"name": "two", "sizes": (1, 2)}]
    first[0]["name"] = "changed"
    assert plain(kept)[0]["name"] == "one"


def test_kept_values_are_plain() -> None:
    assert plain(Kept([{"tool": object()}])) == [{"tool": "<object>"}]
