"""`autoparser render`: the exact prompt, where it came from, and what is said when a template raises."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from autoparser_cli.cli.main import run

SOURCE = """{% for m in messages %}
<{{ m.role }}>{{ m.content }}</{{ m.role }}>
{% endfor %}
{% if tools %}
{{ tools | tojson }}{% endif %}
{% if add_generation_prompt %}
<assistant>{{ mood }}{% endif %}"""

MESSAGES = [{"role": "user", "content": "hi  "}, {"role": "assistant", "content": "So"}]
TOOLS = [{"type": "function", "function": {"name": "f", "parameters": {}}, "extra": "kept"}]


@pytest.fixture
def template(tmp_path: Path) -> str:
    return write(tmp_path, "t.jinja", SOURCE)


def write(folder: Path, name: str, content: Any) -> str:
    path = folder / name
    path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return str(path)


def render(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = run(["render", *arguments])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def test_without_messages_a_greeting_is_rendered(capsys: pytest.CaptureFixture[str], template: str) -> None:
    assert render(capsys, template, "-g", "--kwarg", "mood=fine") == (
        0,
        "<user>Hello!</user>\n<assistant>fine\n",
        "",
    )


def test_raw_writes_the_bytes_and_nothing_else(
    capsys: pytest.CaptureFixture[str], template: str, tmp_path: Path
) -> None:
    messages = write(tmp_path, "m.json", MESSAGES)
    _, out, err = render(capsys, template, "--messages", messages, "--raw")
    assert (out, err) == ("<user>hi  </user>\n<assistant>So</assistant>\n", "")


def test_a_request_brings_its_tools_and_tools_are_not_changed(
    capsys: pytest.CaptureFixture[str], template: str, tmp_path: Path
) -> None:
    request = write(tmp_path, "r.json", {"messages": MESSAGES, "tools": TOOLS})
    _, out, _ = render(capsys, template, "--messages", request, "--raw")
    assert out.endswith(json.dumps(TOOLS))
    only_messages = write(tmp_path, "m.json", MESSAGES)
    tools = write(tmp_path, "tools.json", TOOLS)
    assert render(capsys, template, "--messages", only_messages, "--tools", tools, "--raw")[1] == out


def test_the_final_message_can_be_left_open(
    capsys: pytest.CaptureFixture[str], template: str, tmp_path: Path
) -> None:
    messages = write(tmp_path, "m.json", MESSAGES)
    assert render(capsys, template, "--messages", messages, "--continue", "--raw")[1].endswith(
        "<assistant>So"
    )
    code, _, err = render(capsys, template, "--messages", messages, "--continue", "-g")
    assert code == 2
    assert "exclude each other" in err


def test_show_source_has_the_line_of_each_span(
    capsys: pytest.CaptureFixture[str], template: str, tmp_path: Path
) -> None:
    messages = write(tmp_path, "m.json", MESSAGES[:1])
    _, out, _ = render(capsys, template, "--messages", messages, "--show-source", "-g")
    assert out == "2 │ <user>hi  </user>⏎\n7 │ <assistant>\n"


def test_json_has_text_warnings_and_spans(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    template = write(tmp_path, "t.jinja", "{% set x = [] %}\n{% set _ = x.append('é') %}\n\n{{ x[0] }}")
    code, out, err = render(capsys, template, "--format", "json", "--show-source")
    report = json.loads(out)
    assert (code, err, report["text"]) == (0, "", "\né")
    assert [(note["code"], note["line"]) for note in report["portability_warnings"]] == [("list.append", 2)]
    assert report["spans"] == [{"line": 3, "text": "\n"}, {"line": 4, "text": "é"}]


def test_what_transformers_refuses_is_a_warning_and_strictly_an_error(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    template = write(tmp_path, "t.jinja", "{% set x = [] %}{% set _ = x.append(1) %}{{ x }}")
    code, out, err = render(capsys, template)
    assert (code, out) == (0, "[1]\n")
    assert err.startswith("autoparser: warning: line 1: list.append()")
    code, out, err = render(capsys, template, "--strict")
    assert (code, out) == (2, "")
    assert "t.jinja:1: SecurityError" in err


def test_the_date_can_be_set(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    template = write(tmp_path, "t.jinja", "{{ strftime_now('%d.%m.%y') }}")
    assert render(capsys, template, "--date", "2030-12-31")[1] == "31.12.30\n"


def test_tools_choose_among_several_templates(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    config = write(tmp_path, "c.json", {"chat_template": {"default": "D", "tool_use": "T", "rag": "R"}})
    tools = write(tmp_path, "tools.json", TOOLS)
    assert render(capsys, config)[1] == "D\n"
    assert render(capsys, config, "--tools", tools)[1] == "T\n"
    assert render(capsys, config, "--variant", "rag")[1] == "R\n"


def test_a_template_that_raises_shows_the_line_and_the_conversation(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    template = write(tmp_path, "t.jinja", "a\nb\nc\n{{ raise_exception('bad role') }}\nd\ne\nf")
    messages = write(
        tmp_path,
        "m.json",
        [
            {"role": "user", "content": [{"type": "text", "text": "x"}]},
            {
                "role": "assistant",
                "content": None,
                "tool_calls": [{"function": {"name": "f", "arguments": "{}"}}],
            },
        ],
    )
    code, out, err = render(capsys, template, "--messages", messages, "--kwarg", "k=1")
    assert (code, out) == (2, "")
    assert err == (
        f"autoparser: {template}:4: bad role\n"
        "  2 | b\n  3 | c\n> 4 | {{ raise_exception('bad role') }}\n  5 | d\n  6 | e\n"
        "while it rendered "
        "[user (content in parts), assistant (null content; 1 call, arguments as text)], k=1\n"
    )


@pytest.mark.parametrize(
    ("arguments", "told"), [('{"a": 1}', True), ("[1]", False), ("no JSON", False), ({"a": 1}, False)]
)
def test_arguments_that_would_render_as_objects_are_named(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, arguments: object, told: bool
) -> None:
    source = (
        "{% for c in messages[0].tool_calls %}{% for k in c.function.arguments.items() %}{{ k }}{% endfor %}"
    )
    template = write(tmp_path, "t.jinja", source + "{% endfor %}")
    calls = [{"function": {"name": "f", "arguments": arguments}}]
    messages = write(tmp_path, "m.json", [{"role": "assistant", "tool_calls": calls}])
    code, _, err = render(capsys, template, "--messages", messages)
    assert code == (0 if isinstance(arguments, dict) else 2)
    assert ("with the calls' arguments as objects it renders" in err) is told


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("m.json", "{", "not JSON"),
        ("m.json", "3", "not a list of messages"),
        ("m.json", '["hi"]', "not a list of messages"),
        ("m.json", "[]", "conversation is empty"),
        ("m.json", '{"messages": [{"role": "user"}], "tools": 3}', "must be a list of tools"),
    ],
)
def test_bad_messages_are_one_clear_line(
    capsys: pytest.CaptureFixture[str], template: str, tmp_path: Path, name: str, content: str, words: str
) -> None:
    code, out, err = render(capsys, template, "--messages", write(tmp_path, name, content))
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert words in err


@pytest.mark.parametrize(
    ("source", "words"),
    [("{% if %}", "t.jinja:1: "), ("\n{{ x | nothing }}", "t.jinja:2: No filter"), ("", "empty")],
)
def test_a_template_that_does_not_compile_names_its_line(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, source: str, words: str
) -> None:
    code, out, err = render(capsys, write(tmp_path, "t.jinja", source))
    assert (code, out) == (2, "")
    assert words in err
    assert "Traceback" not in err


def test_standard_input_is_not_read_twice(capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = render(capsys, "-", "--messages", "-")
    assert code == 2
    assert "once only" in err


def test_colours_are_not_waited_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The prompt is one render; its colours are those of an analysis, which renders more."""
    slow = "{% if messages | length > 1 %}{{ ([range(100000)] * 99999) | map('sum') | sum }}{% endif %}"
    path = write(tmp_path, "slow.jinja", "{{ messages[0].content }}" + slow)
    messages = write(tmp_path, "m.json", MESSAGES[:1])
    monkeypatch.setattr("autoparser_cli.inference.limits.MAX_SECONDS", 0.5)
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    code, out, _ = render(capsys, path, "--messages", messages)
    assert (code, out.strip()) == (0, "hi")
