"""The name of a repair -> what it means in a sentence, and what to try: for people."""

from __future__ import annotations

_WORDS: dict[str, tuple[str, str]] = {
    "white-space": (
        "white space between two markers is not as the template prints it: a line break is missing or added",
        "compare with what the template renders; it does no harm",
    ),
    "unknown-tool": ("no tool has this name", "correct the name, or declare the tool with --tools"),
    "second-call": ("a second call, and parallel calls are off", "allow them with --parallel-tool-calls"),
    "second-reasoning": ("reasoning is opened a second time", ""),
    "unparsed-text": ("what stands from here on could not be read, and was left out", ""),
    "doubled-closing-marker": (
        "a closing marker stands here a second time",
        "take it out; its first one closed the call",
    ),
    "wrong-closing-marker": (
        "another tag stands where the call closes",
        "write the closing marker as printed",
    ),
    "extra-closing-bracket": ("one closing bracket too many stands behind the call", "take it out"),
    "missing-call-end": ("the closing marker of the call is missing", "put it in before what follows"),
    "missing-section-end": ("the closing marker of the calls is missing", "put it in behind the last call"),
    "missing-section-start": (
        "the marker that opens the calls is missing",
        "put it in before the first call",
    ),
    "section-ends-before-a-call": (
        "the calls were closed before this one, as the template does from the second call on",
        "close them once, behind the last call",
    ),
    "calls-as-a-list": (
        "calls stand in a list, where the template prints each between its own markers",
        "write each call as printed",
    ),
    "missing-call-start": ("the marker that opens the call is missing", "put it in before the call"),
    "text-after-calls": ("text follows the calls, where the template prints none", ""),
    "call-in-unclosed-reasoning": (
        "the call stands inside reasoning that was never closed",
        "close the reasoning before the call",
    ),
    "content-in-unclosed-reasoning": (
        "the content begins inside reasoning that was never closed",
        "close the reasoning before the content",
    ),
    "reasoning-end-without-start": ("reasoning is closed here that was not opened", ""),
    "reasoning-markers-without-reasoning": ("markers of reasoning stand here, and no reasoning", ""),
    "literal-of-another-language": (
        "a constant is spelt as another language does (True for true, None for null)",
        "spell it as the template prints it",
    ),
    "missing-arguments": ("the call has no arguments, and was read as having none", ""),
    "incomplete-id": ("the id has not all that the template prints before it", ""),
    "self-closing-call": ("the call closes itself, as one without arguments may in XML", ""),
    "marker-the-template-lacks": ("a marker stands before the call that the template does not print", ""),
    "separator-the-template-lacks": (
        "something separates two calls or arguments that the template does not print",
        "",
    ),
    "other-quotes": (
        "a value stands in quotes, or without them, other than the template prints it",
        "write it as the template does",
    ),
    "marker-of-other-calls": ("the call opens with a marker that the template prints before other calls", ""),
    "doubled-marker": ("a marker stands here a second time", "take it out"),
    "missing-id": ("the call has no id, though the template prints one", ""),
    "key-order": ("the keys of the call stand in another order than the template prints them", ""),
    "extra-key": ("the call has a key that the template does not print", ""),
    "other-arguments-key": (
        "the arguments have another key than the one that the template prints",
        "name it as the template does",
    ),
    "arguments-as-string": ("the arguments are JSON text inside of a string", "write them as an object"),
    "arguments-not-as-string": ("the arguments are an object", "write them as JSON text inside of a string"),
    "unknown-channel": ("no message of the template has this channel", "name one that the template prints"),
    "missing-channel": ("the message names no channel", "name it in the header"),
    "missing-header": ("the message has no header", "open it as the template does"),
    "missing-namespace": ("the tool is named without what the template prints before it", ""),
    "missing-message-end": ("the closing marker of the message is missing", "put it in behind the message"),
    "missing-message-start": (
        "the marker that opens the message is missing",
        "put it in before the message",
    ),
    "header-without-body": ("a header without a message, which was skipped", ""),
    "garbled-header": ("the header of the message is not as the template prints it", ""),
    "message-opened-again": ("a message is opened before the one before it was closed", ""),
    "message-to-another-recipient": ("the message goes to another recipient than a declared tool", ""),
}


def repair_words(name: str) -> tuple[str, str]:
    """Return what a repair means, and what to try (may be empty)."""
    return _WORDS.get(name, (name.replace("-", " "), ""))
