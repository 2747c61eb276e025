"""What each engine that renders chat templates refuses or renders otherwise. Data, no logic.

`transformers` is the reference: Jinja2 3.1 in Hugging Face's immutable sandbox (5.24). The others were asked
construct by construct:
minijinja 3.1 (its Python package, with Python's methods switched on) and @huggingface/jinja 0.5.11
(transformers.js, LM Studio) by
running them, llama.cpp's own engine by its built-in tables. Only what is certainly refused is listed, so that
an engine that
learns something makes a finding old, and never makes one missing.
"""

from __future__ import annotations

from dataclasses import field

from autoparser_cli.frozen import frozen


@frozen
class Engine:
    """An engine's refusals, by Jinja's names; `statements` has the words that open them."""

    name: str
    filters: frozenset[str]
    tests: frozenset[str]
    methods: frozenset[str]
    functions: frozenset[str]
    statements: frozenset[str]
    tojson_arguments: frozenset[str]
    test_names_in_filters: frozenset[str]
    numeric_attributes: bool = True
    tests_with_arguments: bool = True
    map_with_filter: bool = True
    strip_with_characters: bool = True
    missing_functions: frozenset[str] = field(default_factory=frozenset)


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_RARE_FILTERS = (
    "center filesizeformat forceescape format pprint random striptags truncate urlencode urlize wordcount "
    "wordwrap xmlattr"
)
_LOADING = "extends include import from block"

ENGINES = {
    engine.name: engine
    for engine in (
        Engine(
            "transformers",
            filters=frozenset(),
            tests=frozenset(),
            methods=_words(
                "append clear extend insert pop remove reverse sort update setdefault popitem add discard "
                "difference_update "
                "intersection_update symmetric_difference_update"
            ),
            functions=frozenset(),
            statements=_words(f"{_LOADING} do trans"),
            tojson_arguments=frozenset(),
            test_names_in_filters=frozenset(),
        ),
        Engine(
            "llama.cpp",
            filters=_words(f"{_RARE_FILTERS} attr batch count d e escape groupby max min round sum unique"),
            tests=_words("escaped filter sameas le"),
            methods=_words(
                "casefold count extend find format index insert isalnum isalpha isdigit isspace istitle "
                "join ljust partition popitem "
                "removeprefix removesuffix rfind rindex rjust rpartition setdefault splitlines swapcase "
                "update zfill"
            ),
            functions=_words("cycler dict joiner lipsum"),
            statements=_words(f"{_LOADING} do trans with autoescape"),
            tojson_arguments=_words("sort_keys"),
            test_names_in_filters=_words("== != > >= < <= le"),
            numeric_attributes=False,
            map_with_filter=False,
        ),
        Engine(
            "minijinja",
            filters=_words("center forceescape random urlize wordcount xmlattr"),
            tests=_words("callable"),
            methods=_words(
                "casefold partition removeprefix removesuffix rindex rpartition rsplit swapcase zfill"
            ),
            functions=_words("lipsum"),
            statements=_words("generation trans"),
            tojson_arguments=_words("ensure_ascii separators sort_keys"),
            test_names_in_filters=frozenset(),
            missing_functions=_words("strftime_now raise_exception"),
        ),
        Engine(
            "transformers.js",
            filters=_words(
                f"{_RARE_FILTERS} attr batch count d e escape groupby max min reject round select slice sum"
            ),
            tests=_words(
                "divisibleby escaped filter float ge greaterthan gt in le lessthan lt ne sameas test"
            ),
            methods=_words(
                "append casefold clear count extend find format index insert isalnum isalpha isdigit "
                "isspace istitle join ljust "
                "partition pop popitem remove removeprefix removesuffix rfind rindex rjust rpartition "
                "rsplit setdefault splitlines "
                "swapcase update zfill"
            ),
            functions=_words("cycler dict joiner lipsum"),
            statements=_words(f"{_LOADING} do trans with autoescape"),
            tojson_arguments=frozenset(),
            test_names_in_filters=_words("== != > >= < <= ne in gt lt ge le sameas"),
            tests_with_arguments=False,
            map_with_filter=False,
            strip_with_characters=False,
        ),
    )
}

#: Methods of lists, dicts and sets that change them.
MUTATING = ENGINES["transformers"].methods


def refusing(engines: tuple[str, ...], kind: str, name: str) -> tuple[str, ...]:
    """Return those of `engines` whose table `kind` has `name`."""
    return tuple(engine for engine in engines if name in getattr(ENGINES[engine], kind))
