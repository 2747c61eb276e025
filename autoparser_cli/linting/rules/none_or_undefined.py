"""AP213: `tools` is asked only for being defined, or only for not being none."""

from __future__ import annotations

from collections.abc import Iterator

from jinja2 import nodes

from autoparser_cli.linting.rule import Hit, Severity, rule
from autoparser_cli.linting.subject import Subject

#: Variables that transformers always defines and sets to None where the caller passes nothing; other engines
#: leave them undefined.
_OPTIONAL = frozenset({"tools", "documents"})


@rule(
    "AP213",
    "none-or-undefined",
    Severity.INFO,
    summary="A condition asks only one of: is `tools` defined, is it not none.",
    why=(
        "Without tools Hugging Face passes None, other engines pass nothing. `tools is defined` is true in "
        "the first, `tools is not none` in "
        "the second: each then describes tools that are not there."
    ),
    example="{% if tools is not none %}You have tools.{% endif %}",
    instead="Write `{% if tools %}`.",
)
def check(subject: Subject) -> Iterator[Hit]:
    """Look at conditions that are nothing but the one test, and behind which something is printed at once."""
    set_here = {name.name for name in subject.find(nodes.Name) if name.ctx == "store"}
    for condition in subject.find(nodes.If):
        test = condition.test
        negated = isinstance(test, nodes.Not)
        if isinstance(test, nodes.Not):
            test = test.node
        if not isinstance(test, nodes.Test) or not isinstance(test.node, nodes.Name):
            continue
        name = test.node.name
        if name not in _OPTIONAL - set_here or not _prints(condition):
            continue
        if test.name == "none" and negated:
            yield Hit(
                f"'{name} is not none' is true where an engine leaves {name} undefined",
                test.lineno,
                key=f"{name} none",
            )
        elif test.name == "defined" and not negated:
            yield Hit(
                f"'{name} is defined' is true in transformers without any {name}",
                test.lineno,
                key=f"{name} defined",
            )


def _prints(condition: nodes.If) -> bool:
    """Tell whether the branch prints text of its own, whatever else it asks."""
    texts = (part for body in condition.body if isinstance(body, nodes.Output) for part in body.nodes)
    return any(str(getattr(part, "data", getattr(part, "value", ""))).strip() for part in texts)
