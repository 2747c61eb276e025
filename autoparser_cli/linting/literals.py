"""A template's tree -> the texts that stand in it, with their lines."""

from __future__ import annotations

from collections.abc import Iterator

from jinja2 import nodes

from autoparser_cli.linting.subject import Subject


def printed_texts(subject: Subject) -> Iterator[tuple[int, str]]:
    """Yield each line of the text between tags, and each quoted text, with its line number."""
    for data in subject.find(nodes.TemplateData):
        yield from _lines(data.lineno, data.data)
    for constant in subject.find(nodes.Const):
        if isinstance(constant.value, str):
            # A quoted text with \n in it stands on one line of the source.
            yield constant.lineno, constant.value


def texts(node: nodes.Node) -> Iterator[tuple[int, str]]:
    """Yield all texts below a node that it may print, and their first lines; what an exception says is not
    printed.
    """
    for output in [*([node] if isinstance(node, nodes.Output) else []), *node.find_all(nodes.Output)]:
        for part in output.nodes:
            if isinstance(part, nodes.TemplateData):
                yield part.lineno, part.data
            elif not (isinstance(part, nodes.Call) and getattr(part.node, "name", "") == "raise_exception"):
                for constant in [
                    *([part] if isinstance(part, nodes.Const) else []),
                    *part.find_all(nodes.Const),
                ]:
                    if isinstance(constant.value, str):
                        yield constant.lineno, constant.value


def _lines(first: int, text: str) -> Iterator[tuple[int, str]]:
    for offset, line in enumerate(text.split("\n")):
        if line:
            yield first + offset, line
