"""The fields of a call that is one JSON object, each with the path to it -> the object as a tree, its keys as printed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

Path = tuple[str, ...]


class Branch(dict[str, Any]):
    """An object on the way to the fields: under each key another one, or what stands for a field."""


def call_tree(fields: Iterable[tuple[Path, Any]], paths: Sequence[Path], key_order: Sequence[str]) -> Branch:
    """Return the tree of the fields; `paths` is their order as printed, `key_order` that of the keys at the top."""
    tree = Branch()
    for path, field in sorted(
        fields, key=lambda item: (_place(item[0][0], key_order), _place(item[0], paths))
    ):
        branch = tree
        for key in path[:-1]:
            branch = branch.setdefault(key, Branch())
        branch[path[-1]] = field
    return tree


def _place(item: object, order: Sequence[object]) -> int:
    """Return where an item stands in an order, behind all where it is not told."""
    return order.index(item) if item in order else len(order)
