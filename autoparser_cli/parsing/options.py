"""What a caller asks of a parser, as one frozen value."""

from __future__ import annotations

from typing import Any

from autoparser_cli.frozen import frozen

TOOL_CHOICES = ("auto", "required", "none")
REASONING_FORMATS = ("auto", "none")
CONTINUED = ("", "content", "reasoning")


@frozen
class ParseOptions:
    """The options of a chat completion that change how an output is read.

    `tool_choice` is one of `auto`, `required`, `none`, or the name of the one function allowed.
    `reasoning_format`: `auto` takes reasoning out, `none` leaves it in the content, markers and all.
    `continue_final_message` (`content`, `reasoning`): the prompt ends with the beginning of the message.
    Raises ValueError for a value that is none of these.
    """

    tool_choice: str = "auto"
    parallel_tool_calls: bool = True
    reasoning_format: str = "auto"
    json_schema: Any = None
    continue_final_message: str = ""
    lenient: bool = False

    def __post_init__(self) -> None:
        if self.reasoning_format not in REASONING_FORMATS:
            raise ValueError(f"reasoning_format must be one of {', '.join(REASONING_FORMATS)}")
        if self.continue_final_message not in CONTINUED:
            raise ValueError("continue_final_message must be content or reasoning")

    @property
    def named_tool(self) -> str:
        """Return the name of the one function that may be called, empty for any."""
        return "" if self.tool_choice in TOOL_CHOICES else self.tool_choice
