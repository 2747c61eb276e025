"""What was rendered before, and with it what need not be rendered: a variable that a render did not ask for changes nothing."""

from __future__ import annotations

import marshal
from collections import defaultdict
from collections.abc import Hashable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from typing import Any

from autoparser_cli.frozen import frozen

#: The version of `marshal` whose bytes tell values apart and nothing else.
_BY_VALUE = 0


def by_value(value: Any) -> bytes:
    """Return bytes that are equal for equal values of equal types: `True` is not `1`."""
    return marshal.dumps(value, _BY_VALUE)


@frozen
class _Known:
    """One render: `given` are its variables, `missed` the names that might have told it something else."""

    given: Mapping[str, bytes]
    missed: AbstractSet[str]
    text: str | None

    def holds_for(self, variables: Mapping[str, bytes]) -> bool:
        """Tell whether a render with more variables is the same: none of those more was asked for."""
        return self.given.items() <= variables.items() and self.missed.isdisjoint(
            variables.keys() - self.given.keys()
        )


class KnownRenders:
    """The outcomes of one template's renders, by conversation and then by the variables that were passed.

    `standard` are the names that every render has: that one of them was not passed is not seen by the template.
    """

    def __init__(self, standard: frozenset[str]) -> None:
        self._standard = standard
        self._outcomes: dict[Hashable, list[_Known]] = defaultdict(list)

    @property
    def texts(self) -> Iterator[str]:
        """All texts that were rendered."""
        return (known.text for all_known in self._outcomes.values() for known in all_known if known.text)

    def find(self, conversation: Hashable, variables: Mapping[str, bytes]) -> tuple[str | None] | None:
        """Return the text, None in it for a render that failed; None where it is not known."""
        for known in self._outcomes[conversation]:
            if known.holds_for(variables):
                return (known.text,)
        return None

    def add(
        self,
        conversation: Hashable,
        variables: Mapping[str, bytes],
        missed: AbstractSet[str],
        text: str | None,
    ) -> None:
        """Keep what a render came to; `missed` are the names that it asked for and was not given."""
        self._outcomes[conversation].append(_Known(variables, self._standard | missed, text))
