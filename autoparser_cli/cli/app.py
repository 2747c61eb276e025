"""The Typer application: a table of commands, of which only the one that runs is imported.

The others are known by name and by their line in `--help`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import Annotated, Any, NamedTuple

import typer

from autoparser_cli.cli.conversion import LightCommand, LightGroup
from autoparser_cli.cli.examples import examples_text

_EXIT_CODES = "Exit codes: 0 clean, 1 findings or a mismatch, 2 could not run, 3 a bug in autoparser."


class Command(NamedTuple):
    """A command: where its function lives (`module:function` in this package) and its line in `--help`."""

    name: str
    home: str
    help: str

    @property
    def module(self) -> str:
        """Return the name of its module."""
        return self.home.partition(":")[0]


COMMANDS = (
    Command("analyze", "analyze:analyze_command", "Show how a template writes reasoning and tool calls."),
    Command("parse", "parse:parse_command", "Parse what a model wrote into a message."),
    Command("render", "render:render_command", "Render a conversation as Hugging Face transformers does."),
    Command("diff", "diff:diff_command", "Show what differs between two templates or two renders."),
    Command("test", "test:test_command", "Run case files: outputs with the messages they mean."),
    Command("lint", "lint:lint_command", "Find mistakes in templates."),
    Command("rule", "lint:rule_command", "Explain a lint rule."),
    Command("grammar", "grammar:grammar_command", "Write a grammar that holds a model to the format."),
)


def build_app(arguments: Sequence[str]) -> typer.Typer:
    """Register every command, and import the one that `arguments` name.

    Help is plain text on a terminal as well: boxes leave options so little room in 80 columns that their names are
    cut.
    """
    app = typer.Typer(
        cls=LightGroup,
        epilog=f"{examples_text('')}\n\n{_EXIT_CODES}",
        no_args_is_help=True,
        add_completion=False,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    )
    app.callback()(_global_options)
    chosen = next((argument for argument in arguments if not argument.startswith("-")), "")
    for command in available_commands():
        if command.name == chosen:
            as_it_runs = app.command(command.name, cls=LightCommand, epilog=examples_text(command.name))
            as_it_runs(_load(command))
        else:
            app.command(command.name, help=command.help)(_not_loaded)
    return app


def available_commands() -> list[Command]:
    """List the commands whose module is there."""
    return [command for command in COMMANDS if find_spec(f"autoparser_cli.cli.{command.module}") is not None]


def _global_options(
    version: Annotated[bool, typer.Option("--version", "-V", help="Show the version and exit.")] = False,
    debug: Annotated[
        bool, typer.Option("--debug", help="Show an error's full traceback (or AUTOPARSER_DEBUG=1).")
    ] = False,
) -> None:
    """Work out from a chat template alone how to parse what its model writes."""


def _not_loaded() -> None:
    """Stand in for a command that this command line does not name."""


def _load(command: Command) -> Callable[..., Any]:
    module = import_module(f"autoparser_cli.cli.{command.module}")
    loaded: Callable[..., Any] = getattr(module, command.home.partition(":")[2])
    return loaded
