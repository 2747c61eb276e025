"""Turns that are sequences of messages with channels: what the template prints of them -> the dialect that models write.

Why a family: a template prints one place for a call's recipient, one content type and one order of messages, because that is all
it is given. A model writes the recipient before or behind the channel, a token in front of the content type, several messages
of reasoning, a preamble on the channel of calls. No message can be put into the template that would show these.

What a render shows, and what it is recognised by: reasoning, content and calls, at least two of them, open with a header of the
same two markers around a word (`<|channel|>analysis<|message|>`), and a call has its name in that header, in front of the
first marker or behind the word. Where calls are not rendered, the turn opens once more behind reasoning.
"""

from __future__ import annotations

import re
from dataclasses import replace

from autoparser_cli.analysis.candidates import Inference
from autoparser_cli.analysis.model import (
    CallFormat,
    LiteralArguments,
    MessageSequence,
    TaggedCall,
    TemplateAnalysis,
    TurnPart,
    Var,
)
from autoparser_cli.diffing.segments import marker_spans, markers
from autoparser_cli.frozen import frozen

NAME = "harmony"
_WORD = re.compile(r"\s*([\w-]+)")
#: A recipient's marker is what stands in front of its name, dotted namespaces not counted.
_RECIPIENT = re.compile(r"(?P<marker>\S*?[^\w.\s])?(?P<namespace>[\w.]*)$")


@frozen
class _Header:
    """`channel` NAME-OF-CHANNEL content type `body`; `recipient` is what stands in front of a call's name."""

    channel: str
    word: str
    content_type: str
    body: str
    recipient: str = ""


def recognise(inference: Inference) -> TemplateAnalysis | None:
    """Return the analysis with its dialect; None where the turn has no channels in its headers."""
    analysis = inference.analysis
    reasoning = _text_header(analysis.reasoning.start)
    content = _text_header(analysis.content.start)
    call = _call_header(analysis.calls) if analysis.calls is not None else None
    found = [header for header in (reasoning, content, call) if header is not None]
    if len(found) < 2 or len({(header.channel, header.body) for header in found}) > 1:
        return None
    start = _start(analysis)
    if not start or (analysis.calls is not None and call is None) or len({h.word for h in found}) == 1:
        return None
    messages = _sequence(analysis, start, found[0], reasoning, content, call)
    tokens = dict.fromkeys((*analysis.preserved_tokens, *markers(messages.start), *messages.ends))
    return replace(analysis, messages=messages, preserved_tokens=tuple(tokens))


def _sequence(
    analysis: TemplateAnalysis,
    start: str,
    header: _Header,
    reasoning: _Header | None,
    content: _Header | None,
    call: _Header | None,
) -> MessageSequence:
    recipient = _RECIPIENT.search(call.recipient) if call else None
    return MessageSequence(
        start=start,
        channel=header.channel,
        body=header.body,
        ends=_ends(analysis),
        reasoning_channel=reasoning.word if reasoning else "",
        content_channel=content.word if content else "",
        call_channel=call.word if call else "",
        recipient=(recipient["marker"] or "") if recipient else "",
        namespace=recipient["namespace"] if recipient else "",
        content_type=call.content_type if call else "",
    )


def _text_header(text: str) -> _Header | None:
    """Read the header of reasoning or content: two markers around one word."""
    spans = list(marker_spans(text))
    if len(spans) != 2 or text[: spans[0][0]].strip():
        return None
    (_, channel_end), (body_start, _) = spans
    word = _WORD.fullmatch(text[channel_end:body_start])
    if word is None:
        return None
    return _Header(text[:channel_end].lstrip(), word[1], "", text[body_start:])


def _call_header(calls: CallFormat) -> _Header | None:
    """Read the header of a call: a recipient's name before the channel or behind it; None where arguments have tags."""
    body = calls.body
    if not isinstance(body, TaggedCall) or not isinstance(body.arguments, LiteralArguments):
        return None
    text = (*calls.per_call_start, *body.body)
    if [piece for piece in text if isinstance(piece, Var)] != [Var.NAME, Var.ARGUMENTS]:
        return None
    at = text.index(Var.NAME)
    before = calls.section_start + "".join(str(piece) for piece in text[:at])
    behind = "".join(str(piece) for piece in text[at + 1 : text.index(Var.ARGUMENTS)])
    spans = list(marker_spans(before))
    if spans:
        return _channel_first(before, behind, spans[-1])
    spans = list(marker_spans(behind))
    if len(spans) < 2:
        return None
    words = behind[spans[0][1] : spans[-1][0]].split()
    if not words:
        return None
    return _Header(
        behind[spans[0][0] : spans[0][1]],
        words[0],
        " ".join(words[1:]),
        behind[spans[-1][0] :],
        before.strip(),
    )


def _channel_first(before: str, behind: str, channel: tuple[int, int]) -> _Header | None:
    words = before[channel[1] :].split()
    spans = list(marker_spans(behind))
    if len(words) != 2 or not spans:
        return None
    content_type = behind[spans[-2][1] if len(spans) > 1 else 0 : spans[-1][0]].strip()
    return _Header(before[channel[0] : channel[1]], words[0], content_type, behind[spans[-1][0] :], words[1])


def _start(analysis: TemplateAnalysis) -> str:
    """Return what opens a further message in the same turn: the turn's own header once more, behind reasoning."""
    header = analysis.turn.header.strip()
    if not header:
        return ""
    for joint in analysis.turn.joints:
        if joint.before is TurnPart.REASONING and joint.observed and header in joint.text:
            behind = joint.text[len(analysis.reasoning.end.rstrip()) :]
            return behind[: behind.index(header) + len(header)]
    return analysis.turn.header.rstrip()


def _ends(analysis: TemplateAnalysis) -> tuple[str, ...]:
    """Return the markers that close a message, each once: of reasoning, of content, of a call, of the turn."""
    calls = analysis.calls
    call_end = "".join(str(piece) for piece in calls.per_call_end) + calls.section_end if calls else ""
    texts = (analysis.reasoning.end, analysis.content.end, call_end, analysis.turn.end)
    return tuple(dict.fromkeys(marker for text in texts for marker in markers(text)))
