"""The command line as a whole: exit codes, and errors in one line."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import autoparser_cli
from autoparser_cli.cli import app, main
from autoparser_cli.cli.examples import EXAMPLES
from autoparser_cli.errors import FormatError, InputError

ROOT = Path(__file__).parent.parent
TEMPLATE = "fixtures/json-flat/template.jinja"
COMMAND = [sys.executable, "-c", "from autoparser_cli.cli.main import main; main()"]


def run(*arguments: str, stdin: bytes = b"", **environment: str) -> subprocess.CompletedProcess[bytes]:
    env = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "AUTOPARSER_DEBUG")}
    return subprocess.run(
        [*COMMAND, *arguments],
        input=stdin,
        capture_output=True,
        cwd=ROOT,
        env={**env, **environment},
        check=False,
    )


def one_line(done: subprocess.CompletedProcess[bytes]) -> str:
    """Return the error, and hold that it is a good one: exit code 2, short, no traceback."""
    error = done.stderr.decode()
    assert done.returncode == 2
    assert done.stdout == b""
    assert "Traceback" not in error
    assert error.count("\n") <= 3
    return error


@pytest.mark.parametrize("option", ["--version", "-V"])
def test_version_is_the_package_version(option: str) -> None:
    assert run(option).stdout.decode() == f"autoparser {autoparser_cli.__version__}\n"


def test_help_names_every_command() -> None:
    text = run("--help").stdout.decode()
    assert [command.name for command in app.available_commands() if f"  {command.name} " not in text] == []


@pytest.mark.parametrize("command", app.available_commands(), ids=lambda command: command.name)
def test_every_command_explains_itself(command: app.Command) -> None:
    done = run(command.name, "--help")
    assert done.returncode == 0
    assert done.stdout.decode().startswith(f"Usage: autoparser {command.name}")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--nonsense"], "--nonsense"),
        (["analyse", TEMPLATE], "analyse"),
        (["analyze"], "TEMPLATE"),
        (["analyze", TEMPLATE, "--nonsense"], "--nonsense"),
        (["parse", "-"], "--template"),
    ],
)
def test_bad_usage_is_exit_code_2(arguments: list[str], said: str) -> None:
    done = run(*arguments)
    assert done.returncode == 2
    assert said in done.stderr.decode()
    assert "Traceback" not in done.stderr.decode()


@pytest.mark.parametrize("command", [["analyze"], ["parse", "-", "--template"]])
def test_missing_template_is_one_line(command: list[str]) -> None:
    assert "no-such.jinja" in one_line(run(*command, "no-such.jinja"))


@pytest.mark.parametrize("command", [["analyze"], ["render"], ["diff"], ["diff", TEMPLATE]])
def test_an_empty_name_is_not_this_folder(command: list[str]) -> None:
    assert "empty name" in one_line(run(*command, ""))


def test_template_that_is_not_utf8_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "bad.jinja").write_bytes(b"{{ messages }}\xff")
    assert "UTF-8" in one_line(run("analyze", str(tmp_path / "bad.jinja")))


def test_folder_without_templates_is_one_line(tmp_path: Path) -> None:
    assert str(tmp_path) in one_line(run("analyze", str(tmp_path)))


@pytest.mark.parametrize(
    "arguments",
    [
        ["analyze", "-", "-"],
        ["diff", "-", "-"],
        ["render", "-", "--tools", "-"],
        ["parse", "-", "-t", "-"],
        ["parse", "-", "-t", TEMPLATE, "--tools", "-"],
        ["grammar", TEMPLATE, "--tools", "-", "--check", "-"],
    ],
)
def test_standard_input_is_asked_for_once(arguments: list[str]) -> None:
    assert "once only" in one_line(run(*arguments, stdin=b"{{ messages[0].content }}"))


@pytest.mark.parametrize("command", ["analyze", "render", "lint"])
def test_names_and_messages_cannot_control_the_terminal(tmp_path: Path, command: str) -> None:
    bad = tmp_path / "a\x1b[2Jb.jinja"
    bad.write_text("{{ messages[0].content }\x1b]0;title\x07 \x9b31m\u202e", "utf-8")
    done = run(command, str(bad), str(bad)) if command == "analyze" else run(command, str(bad))
    said = done.stdout.decode() + done.stderr.decode()
    assert "a\\x1b[2Jb.jinja" in said
    assert [char for char in said if char != "\n" and not char.isprintable()] == []


def test_syntax_error_has_file_line_and_the_lines_text(tmp_path: Path) -> None:
    (tmp_path / "bad.jinja").write_text("{% for m in messages %}\n{{ m.content }\n{% endfor %}")
    error = one_line(run("analyze", str(tmp_path / "bad.jinja")))
    assert "bad.jinja:2" in error
    assert "{{ m.content }" in error


@pytest.mark.parametrize(
    ("tools", "said"), [("{not json", "not JSON"), ('"text"', "list"), ("[1]", "object"), ("[{}]", "name")]
)
def test_bad_tools_are_one_line(tmp_path: Path, tools: str, said: str) -> None:
    (tmp_path / "tools.json").write_text(tools)
    done = run("parse", "-", "--template", TEMPLATE, "--tools", str(tmp_path / "tools.json"))
    error = one_line(done)
    assert "tools.json" in error
    assert said in error


def failing(error: Exception) -> int:
    return main._report_failure(error, debug=False)


def test_internal_error_says_how_to_report_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert failing(KeyError("slot")) == 3
    error = capsys.readouterr().err
    assert "internal error: KeyError: 'slot'" in error
    assert "--debug" in error
    assert "Traceback" not in error


def test_debug_shows_the_traceback(capsys: pytest.CaptureFixture[str]) -> None:
    try:
        {}["slot"]
    except KeyError as error:
        assert main._report_failure(error, debug=True) == 3
    assert "Traceback (most recent call last)" in capsys.readouterr().err


def test_each_error_has_its_exit_code(capsys: pytest.CaptureFixture[str]) -> None:
    assert failing(InputError("x: cannot be used", hint="name another")) == 2
    assert failing(FormatError("no tool format")) == 1
    assert capsys.readouterr().err == (
        "autoparser: x: cannot be used\nname another\nautoparser: no tool format\n"
    )


@pytest.mark.parametrize(
    ("arguments", "left", "debug"),
    [
        (["--debug", "analyze", "x"], ["analyze", "x"], True),
        (["analyze", "x", "--debug"], ["analyze", "x"], True),
        (["parse", "--", "--debug"], ["parse", "--", "--debug"], False),
        (["analyze", "x"], ["analyze", "x"], False),
    ],
)
def test_debug_is_taken_wherever_it_stands(
    arguments: list[str], left: list[str], debug: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("AUTOPARSER_DEBUG", raising=False)
    assert main._take_debug(arguments) == (left, debug)


def test_debug_can_come_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AUTOPARSER_DEBUG", "1")
    assert main._take_debug(["analyze"]) == (["analyze"], True)
    monkeypatch.setenv("AUTOPARSER_DEBUG", "0")
    assert main._take_debug(["analyze"]) == (["analyze"], False)


@pytest.mark.parametrize("arguments", [["--help"], ["analyze", TEMPLATE], ["rule"], ["lint", TEMPLATE]])
def test_a_closed_pipe_is_quiet_and_no_failure(arguments: list[str]) -> None:
    """`autoparser --help | true`: the reader is gone before anything is written."""
    read, write = os.pipe()
    os.close(read)
    done = subprocess.run([*COMMAND, *arguments], stdout=write, stderr=subprocess.PIPE, cwd=ROOT, check=False)
    os.close(write)
    assert (done.returncode, done.stderr) == (0, b"")


def test_public_names_are_sorted_and_there() -> None:
    assert autoparser_cli.__all__ == sorted(autoparser_cli.__all__)
    assert len(autoparser_cli.__all__) < 20
    assert [name for name in autoparser_cli.__all__ if getattr(autoparser_cli, name, None) is None] == []


def test_a_name_that_is_not_public_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        autoparser_cli.nonsense  # noqa: B018


def test_every_command_has_examples() -> None:
    assert set(EXAMPLES) == {"", *(command.name for command in app.COMMANDS)}


@pytest.mark.parametrize("command", app.available_commands(), ids=lambda command: command.name)
def test_examples_stand_at_the_end_of_the_help_and_name_what_there_is(command: app.Command) -> None:
    text = run(command.name, "--help").stdout.decode()
    options, examples = text.split("Examples:\n")
    assert [line.strip() for line in examples.splitlines()] == list(EXAMPLES[command.name])
    assert max(map(len, examples.splitlines())) <= 80
    for line in EXAMPLES[command.name]:
        words = line.partition("#")[0].split(f"autoparser {command.name}")[-1].split()
        assert [word for word in words if word.startswith("-") and word != "-" and word not in options] == []


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full on this system")
@pytest.mark.parametrize("arguments", [["--version"], ["--help"], ["analyze", TEMPLATE]])
def test_a_full_disk_is_told_in_one_line(arguments: list[str]) -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [*COMMAND, *arguments], stdout=full, stderr=subprocess.PIPE, cwd=ROOT, check=False
        )
    assert done.returncode == 2
    assert done.stderr.decode() == "autoparser: the system refused: no space left on device\n"


def test_streams_that_are_closed_are_as_good_as_empty() -> None:
    shell = f'"$@" >&- ; echo "rc=$?"; "$@" - <&- 2>&1; echo "rc=$?" # {TEMPLATE}'
    done = subprocess.run(
        ["sh", "-c", shell.replace('"$@" >&-', f'"$@" {TEMPLATE} >&-'), "sh", *COMMAND, "analyze"],
        capture_output=True,
        cwd=ROOT,
        check=False,
        text=True,
    )
    assert done.stdout.splitlines() == ["rc=0", "autoparser: <stdin>: empty", "rc=2"]


def test_a_template_that_pads_a_constant_without_end_is_told_in_one_line(tmp_path: Path) -> None:
    """Jinja works constants out while it compiles, where no render's limits hold."""
    (tmp_path / "wide.jinja").write_text('{{ "%9000000000d" % 1 }}')
    assert "more memory than it may" in one_line(run("analyze", str(tmp_path / "wide.jinja")))


def test_a_template_of_one_long_line_is_not_shown_as_a_whole(tmp_path: Path) -> None:
    (tmp_path / "long.jinja").write_text("{% if a %}" * 3000)
    assert len(one_line(run("analyze", str(tmp_path / "long.jinja")))) < 500


def test_json_with_a_byte_order_mark_is_read(tmp_path: Path) -> None:
    (tmp_path / "tools.json").write_bytes(
        b"\xef\xbb\xbf" + (ROOT / "fixtures/json-flat/tools.json").read_bytes()
    )
    assert run("grammar", TEMPLATE, "--tools", str(tmp_path / "tools.json")).returncode == 0


def test_json_that_is_nested_too_deeply_is_told_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "tools.json").write_text("[" * 100_000)
    assert "nested too deeply" in one_line(run("grammar", TEMPLATE, "--tools", str(tmp_path / "tools.json")))


def test_arguments_that_are_nested_too_deeply_to_draw_show_as_they_are() -> None:
    deep = "[" * 20_000 + "]" * 20_000
    output = f'<call>{{"name": "get_tide", "arguments": {{"port": {deep}}}}}</call>'
    done = run(
        "parse", "-t", TEMPLATE, "--tools", "fixtures/json-flat/tools.json", "-", stdin=output.encode()
    )
    assert done.returncode in (0, 1)
    assert b"Traceback" not in done.stderr


def test_a_conversation_that_the_template_refuses_is_told_with_its_line(tmp_path: Path) -> None:
    (tmp_path / "messages.json").write_text('[{"role": "user"}]')
    done = run("parse", "-t", TEMPLATE, "--messages", str(tmp_path / "messages.json"), "-", stdin=b"x")
    assert f"{TEMPLATE}:" in one_line(done)
