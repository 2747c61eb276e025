"""A sequence of messages with channels -> the fields of a `response_template`.

Regions do not nest and have one opening pattern, so a header is one pattern: a recipient before the channel or behind it, and perhaps
a content type. Of several messages of reasoning, or of content, engines keep the last.
"""

from __future__ import annotations

import re
from typing import Any

from autoparser_cli.analysis.model import MessageSequence

_WHITE = r"\s{0,8}"
_WORD = r"[\w-]{1,64}"
_NAME = r"(?P<name>[^\s<>\[\]{}()\"']{1,256}?)"
#: What may stand between a channel or recipient and the body: a content type, perhaps behind a marker.
_TYPE = rf"(?:{_WHITE}[^\w\s]{{1,4}}{_WORD}[^\w\s]{{1,4}}(?:{_WORD})?|\s{{1,8}}{_WORD})?{_WHITE}"


def message_fields(messages: MessageSequence) -> dict[str, dict[str, Any]]:
    """Return the fields for reasoning, content and calls, as far as the sequence has them."""
    ends = [*messages.ends, "eos"]
    fields: dict[str, dict[str, Any]] = {}
    if messages.reasoning_channel:
        opening = _header(messages, re.escape(messages.reasoning_channel))
        fields["thinking"] = {"open_pattern": opening, "close": ends, "content": "text"}
    if messages.content_channel:
        words = dict.fromkeys((messages.content_channel, messages.call_channel))
        opening = _header(messages, "(?:" + "|".join(re.escape(word) for word in words if word) + ")")
        fields["content"] = {"open_pattern": opening, "close": ends, "content": "text"}
    if messages.recipient:
        fields["tool_calls"] = {
            "open_pattern": _call(messages),
            "close_pattern": rf"(?<=[}}\]]){_WHITE}(?:{'|'.join(map(re.escape, messages.ends))})",
            "repeats": True,
            "content": "json",
            "transform": {"type": "function", "function": {"name": "{name}", "arguments": "{content}"}},
        }
    return fields


def _header(messages: MessageSequence, channel: str) -> str:
    return re.escape(messages.channel.strip()) + channel + _TYPE + re.escape(messages.body.strip())


def _call(messages: MessageSequence) -> str:
    channel = re.escape(messages.channel.strip()) + _WORD
    recipient = re.escape(messages.recipient + messages.namespace) + _NAME
    return f"(?:{channel}{_WHITE})?{recipient}(?:{channel})?{_TYPE}{re.escape(messages.body.strip())}"
