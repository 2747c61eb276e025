"""AP019: the generation prompt is not appended, it changes the text before."""

from __future__ import annotations

from collections.abc import Iterator

from autoparser_cli.linting.differences import parting
from autoparser_cli.linting.rule import Hit, Severity, rule
from autoparser_cli.linting.subject import Subject
from autoparser_cli.linting.written_by import line_that_parts


@rule(
    "AP019",
    "generation-prompt-not-suffix",
    Severity.WARNING,
    summary="The prompt with `add_generation_prompt` does not begin with the prompt without it.",
    why=(
        "Trainers and parsers take the generation prompt as what one render has more than the other. Here "
        "that gives the wrong text, "
        "and a cached prompt cannot be continued."
    ),
    example="{% if add_generation_prompt %}<|assistant|>{% else %}{{ eos_token }}{% endif %}",
    instead="Only append: `{% if add_generation_prompt %}<|assistant|>{% endif %}`.",
)
def check(subject: Subject) -> Iterator[Hit]:
    """Compare the two renders of a question."""
    without, with_prompt = subject.needs("question"), subject.needs("prompt")
    if not with_prompt.startswith(without):
        one, other = parting(without, with_prompt)
        line = line_that_parts(subject, "question", with_prompt) or line_that_parts(
            subject, "prompt", without
        )
        yield Hit(f"without it the prompt goes on with {one}, with it {other}", line)
