"""AP214: the real minijinja refuses the template, or renders other text with it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from autoparser_cli.linting.conversations import CONVERSATIONS, TOOLS
from autoparser_cli.linting.differences import parting
from autoparser_cli.linting.rule import Hit, NotInstalledError, Severity, rule
from autoparser_cli.linting.subject import Subject

#: The words that mark what is trained on; they change no render, and have a rule of their own.
_GENERATION = re.compile(r"(?<![\w.])(?:end)?generation(?=\s*[-+]?%})")
_NAMES = ("prompt", "system", "follow-up-prompt", "tools-prompt", "answered")


@rule(
    "AP214",
    "minijinja-differs",
    Severity.WARNING,
    summary="minijinja refuses the template, or renders another prompt than transformers.",
    why=(
        "Servers written in Rust render with it. It is asked itself, set up as such servers do: Python's "
        "methods, `raise_exception`, "
        "`strftime_now`, Hugging Face's `tojson`."
    ),
    example="{{ '%s' % message.content }}",
    instead="See the message; what differs is a construct that only Jinja2 has.",
)
def check(subject: Subject) -> Iterator[Hit]:
    """Render the usual conversations with both; one hit for what is refused, one for what differs."""
    if "minijinja" not in subject.engines:
        return
    try:
        import minijinja
    except ImportError:
        raise NotInstalledError(
            "minijinja is not installed (pip install autoparser-cli[minijinja])"
        ) from None
    environment = _environment(minijinja)
    source = _GENERATION.sub(lambda tag: "if true" if tag[0] == "generation" else "endif", subject.source)
    for name in _NAMES:
        ours = subject.render(name)
        if ours.failed:
            continue
        title, texts, refusals = CONVERSATIONS[name].title, [], []
        for variables in _variables(subject, name):
            try:
                texts.append(environment.render_str(source, **variables))
            except minijinja.TemplateError as error:
                refusals.append(str(error.message))
        if not texts:
            reason, line = _reason(refusals[0])
            yield Hit(f"minijinja refuses {title}: {reason}", line, key="refused")
            return
        if ours.text not in texts:
            theirs, expected = parting(texts[0], ours.text)
            yield Hit(f"minijinja renders {theirs} in {title}, Jinja2 {expected}", key="differs")
            return


def _reason(message: str) -> tuple[str, int | None]:
    """Return what minijinja says and the line that it says it of."""
    found = re.search(r" \(in [^()]*:(\d+)\)", message)
    return message.split("\n", 1)[0].split(" (in ", 1)[0], int(found[1]) if found else None


def _environment(minijinja: Any) -> Any:
    from autoparser_cli.templates.environment import strftime_now, to_json

    def raise_exception(message: str) -> None:
        raise ValueError(message)

    environment = minijinja.Environment(trim_blocks=True, lstrip_blocks=True)
    environment.auto_escape_callback = lambda name: False
    environment.add_filter("tojson", to_json)
    environment.add_global("raise_exception", raise_exception)
    environment.add_global("strftime_now", strftime_now)
    return environment


def _variables(subject: Subject, name: str) -> list[dict[str, Any]]:
    """Return the variables as servers pass them: what is absent as null, or not at all."""
    conversation = CONVERSATIONS[name]
    has_calls = any(message.get("tool_calls") for message in conversation.messages)
    shape = subject.call_shape if has_calls else subject.plain_shape
    given = {
        "messages": shape.apply(conversation.messages),
        "add_generation_prompt": conversation.generation,
        **subject.template.special_tokens,
        **subject.kwargs,
    }
    if conversation.tools:
        return [{**given, "tools": list(TOOLS)}]
    return [{**given, "tools": None, "documents": None}, given]
