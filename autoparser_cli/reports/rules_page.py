"""The lint rules -> the page that documents them, as Markdown.

`docs/rules.md` is this text; a test holds the two together.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from autoparser_cli.linting.rule import GROUPS, Rule

_HEAD = """# Lint rules

Written by `autoparser rule --markdown`; `autoparser rule CODE` shows one of them.

Exit codes of `autoparser lint`: 0 clean, 1 findings (warnings and errors; `--fail-on` changes that),
2 something could not be read or not be evaluated, 3 a bug in autoparser. What could not be evaluated is
shown in every format and is never clean.

Accept a finding where it stands, with a reason: `{# autoparser: ignore[AP202] only for transformers #}`
behind the line or alone on the line before it; `ignore-file[...]` for the whole template. Without a reason
the comment excuses nothing.
"""


def rules_page(rules: Iterable[Rule]) -> str:
    """Return the page."""
    rules = tuple(rules)
    lines = [_HEAD]
    for digit, group in GROUPS.items():
        members = [rule for rule in rules if rule.code[2] == digit]
        if members:
            lines += [f"## AP{digit}xx: {group}", "", *_table(members), ""]
            lines += [line for rule in members for line in _section(rule)]
    return "\n".join(lines).rstrip("\n") + "\n"


def _table(rules: Iterable[Rule]) -> Iterator[str]:
    yield "| code | name | severity | finds |"
    yield "|---|---|---|---|"
    for rule in rules:
        yield f"| {rule.code} | {rule.name} | {rule.severity.value} | {rule.summary} |"


def _section(rule: Rule) -> Iterator[str]:
    yield f"### {rule.code} {rule.name}"
    yield ""
    yield f"{rule.summary} {rule.why}"
    yield ""
    yield "```jinja"
    yield rule.example
    yield "```"
    yield ""
    yield f"Instead: {rule.instead}" + (
        " `--fix` does it where it changes no render." if rule.fixable else ""
    )
    yield ""
