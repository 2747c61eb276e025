"""AP301: a special token that the template prints is not in the tokenizer's vocabulary."""

from __future__ import annotations

import re
from collections.abc import Iterator

from autoparser_cli.linting.literals import printed_texts
from autoparser_cli.linting.rule import Hit, Severity, rule
from autoparser_cli.linting.subject import Subject
from autoparser_cli.linting.vocabulary import added_tokens, whole_vocabulary

#: How special tokens are written; plain tags are left out: many models read those as ordinary text.
_SPECIAL = re.compile(r"<\|[^|<>\s]{1,40}\|>|<｜[^｜<>\s]{1,40}｜>")


@rule(
    "AP301",
    "token-not-in-vocabulary",
    Severity.WARNING,
    summary="A special token of the template is not one token of the tokenizer beside it.",
    why=(
        "It is split into pieces that the model has never seen in that place, and servers cannot stop or "
        "parse at it."
    ),
    example="<|im_sep|>  {# the tokenizer has <|im_start|> and <|im_end|> only #}",
    instead="Use the token that the tokenizer has, or add it to `added_tokens_decoder`.",
)
def check(subject: Subject) -> Iterator[Hit]:
    """Look up each text of the form of a special token; nothing to say where no vocabulary stands beside the
    template.
    """
    known = added_tokens(subject.path)
    if not known:
        return
    known |= whole_vocabulary(subject.path) | set(subject.template.special_tokens.values())
    told: set[str] = set()
    for line, text in printed_texts(subject):
        for token in _SPECIAL.findall(text):
            if token not in known and token not in told:
                told.add(token)
                yield Hit(
                    f"{token} is not a token of the vocabulary",
                    line,
                    column=subject.column(line, token),
                    key=token,
                )
