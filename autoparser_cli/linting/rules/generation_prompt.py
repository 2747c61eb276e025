"""AP018: `add_generation_prompt` makes no difference."""

from __future__ import annotations

from collections.abc import Iterator

from autoparser_cli.linting.conversations import ANSWERS
from autoparser_cli.linting.rule import Hit, Severity, rule
from autoparser_cli.linting.subject import Subject


@rule(
    "AP018",
    "generation-prompt-ignored",
    Severity.WARNING,
    summary="`add_generation_prompt` makes no difference to the prompt.",
    why=(
        "Servers set it so that the model answers; without the opening of the assistant's turn many models "
        "go on with the user's."
    ),
    example="{% for message in messages %}<|{{ message.role }}|>{{ message.content }}{% endfor %}",
    instead="End with `{% if add_generation_prompt %}<|assistant|>{% endif %}`.",
)
def check(subject: Subject) -> Iterator[Hit]:
    """Render a question with and without."""
    without, with_prompt = subject.needs("question"), subject.needs("prompt")
    if without == with_prompt and not _answer_follows(subject, without):
        reads = "add_generation_prompt" in subject.template.variables
        yield Hit(f"add_generation_prompt {'has no effect behind a question' if reads else 'is not read'}")


def _answer_follows(subject: Subject, question: str) -> bool:
    """Tell whether the assistant's text stands right behind the question's turn, so that nothing has to open
    its own.
    """
    answered = subject.render("round")
    return answered.text.startswith(question) and answered.text[len(question) :].lstrip().startswith(
        ANSWERS[0]
    )
