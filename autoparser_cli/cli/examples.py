"""Command lines that show what a command is for: the end of its `--help`.

They name files that a reader has: a template, its tools, an output. Where a line does not say by itself what it is
for, a comment does.
"""

from __future__ import annotations

_TEMPLATE = "template.jinja"

EXAMPLES: dict[str, tuple[str, ...]] = {
    "": (
        f"autoparser analyze {_TEMPLATE}",
        f"autoparser parse -t {_TEMPLATE} --tools tools.json output.txt",
        "autoparser lint templates/",
    ),
    "analyze": (
        f"autoparser analyze {_TEMPLATE}",
        "autoparser analyze path/to/model      # a folder, or a GGUF file",
        f"autoparser analyze --explain {_TEMPLATE}  # why",
        "autoparser analyze --summary templates/",
        "curl -s URL | autoparser analyze - --format json",
    ),
    "parse": (
        f"autoparser parse -t {_TEMPLATE} --tools tools.json output.txt",
        f"autoparser parse -t {_TEMPLATE} --explain -  # from a pipe; and why",
        f"autoparser parse -t {_TEMPLATE} --stream 4 output.txt",
        f"autoparser parse -t {_TEMPLATE} --kwarg enable_thinking=false output.txt",
    ),
    "render": (
        f"autoparser render {_TEMPLATE} --messages messages.json",
        f"autoparser render {_TEMPLATE} --generation-prompt --raw > prompt.txt",
        f"autoparser render {_TEMPLATE} --show-source  # which line wrote what",
    ),
    "diff": (
        f"autoparser diff {_TEMPLATE} --probe T2  # what stands between two calls",
        "autoparser diff old.jinja new.jinja",
        f"autoparser diff git:origin/main:{_TEMPLATE} {_TEMPLATE}",
        "autoparser diff old.jinja new.jinja --cases cases.jsonl --format github",
    ),
    "test": (
        "autoparser test cases.yaml",
        "autoparser test cases/ -k weather --fail-fast",
        "autoparser test cases.yaml --update  # record what new cases give",
        "autoparser test cases/ --format junit > report.xml",
    ),
    "lint": (
        "autoparser lint",
        "autoparser lint templates/ --select AP2 --engine llama.cpp",
        f"autoparser lint {_TEMPLATE} --diff  # then --fix",
        "autoparser lint --format sarif --output-file lint.sarif",
    ),
    "rule": (
        "autoparser rule",
        "autoparser rule AP202",
    ),
    "grammar": (
        f"autoparser grammar {_TEMPLATE} --tools tools.json -o calls.gbnf",
        f"autoparser grammar {_TEMPLATE} --tools tools.json -f structural-tag",
        f"autoparser grammar {_TEMPLATE} --tools tools.json --check output.txt",
        f"autoparser grammar {_TEMPLATE}                      # calls of any tool",
    ),
}


def examples_text(command: str) -> str:
    """Return a command's examples as a block of help that is not wrapped."""
    lines = "\n".join(f"  {line}" for line in EXAMPLES[command])
    return f"\b\nExamples:\n{lines}"
