"""What the command line gives to a command: the same as with Typer alone, without pydantic where it can be."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import pytest
import typer
from typer.core import TyperCommand
from typer.testing import CliRunner

from autoparser_cli.cli.conversion import LightCommand


class Colour(StrEnum):
    RED = "red"
    LIGHT_BLUE = "light-blue"


def shout(value: str | None) -> str | None:
    return value and value.upper()


def given(kind: type[TyperCommand], *arguments: str) -> tuple[int, dict[str, Any], str]:
    """Return the exit code, what the command got, and what was printed."""
    app = typer.Typer(rich_markup_mode=None)
    got: dict[str, Any] = {}

    @app.command(cls=kind)
    def command(
        words: list[str],
        colour: Colour = Colour.RED,
        colours: list[Colour] | None = None,
        others: list[str] | None = None,
        count: Annotated[int, typer.Option("-c", count=True)] = 0,
        number: Annotated[int, typer.Option(min=1, max=9)] = 3,
        file: Path | None = None,
        on: bool = True,
        loud: Annotated[str | None, typer.Option(callback=shout)] = None,
        share: float = 0.5,
        size: tuple[int, str] | None = None,
    ) -> None:
        got.update(locals())
        got.pop("got", None)

    done = CliRunner().invoke(app, arguments)
    return done.exit_code, got, done.output


@pytest.mark.parametrize(
    "arguments",
    [
        ["a", "b"],
        [""],
        [],
        ["a", "--nonsense"],
        ["a", "--colour", "light-blue"],
        ["a", "--colour", "LIGHT_BLUE"],
        ["a", "--colour", "blue"],
        ["a", "--colour", ""],
        ["a", "--colours", "red", "--colours", "light-blue"],
        ["a", "--colours", "red", "--colours", "blue"],
        ["a", "--others", "x", "--others", ""],
        ["a", "-c", "-c"],
        ["a", "--number", "7"],
        ["a", "--number", "12"],
        ["a", "--number", "x"],
        ["a", "--file", "some/where"],
        ["a", "--no-on"],
        ["a", "--loud", "quiet"],
        ["a", "--share", "1"],
        ["a", "--share", "1/2"],
        ["a", "--size", "2", "m"],
        ["--help"],
    ],
    ids=" ".join,
)
def test_a_command_gets_what_typer_alone_would_give(arguments: list[str]) -> None:
    typers = given(TyperCommand, *arguments)
    ours = given(LightCommand, *arguments)
    assert ours == typers
    assert {name: type(value) for name, value in ours[1].items()} == {
        name: type(value) for name, value in typers[1].items()
    }


def test_what_typer_refuses_is_refused() -> None:
    code, got, said = given(LightCommand, "a", "--colour", "blue")
    assert (code, got) == (2, {})
    assert "'blue'" in said


def test_what_is_given_arrives() -> None:
    code, got, _ = given(LightCommand, "a", "--colour", "light-blue", "--loud", "x", "--number", "4")
    assert code == 0
    assert got["words"] == ["a"]
    assert (got["colour"], got["loud"], got["number"], got["others"]) == (Colour.LIGHT_BLUE, "X", 4, None)
