"""What `--fix` writes: the finding is gone, and no render has changed."""

from __future__ import annotations

from pathlib import Path

import pytest

from autoparser_cli.linting.config import LintConfig
from autoparser_cli.linting.fixing import fixed_texts, write_fixed
from autoparser_cli.linting.rule import Violation
from autoparser_cli.linting.runner import lint
from autoparser_cli.templates import ChatTemplate, RenderInputs
from tests.lint_templates import SOUND

SHARED = Path(__file__).parent.parent.parent / "shared"
FIXABLE = ("AP202", "AP203", "AP204", "AP206", "AP209", "AP902")


def found(path: Path, *codes: str) -> tuple[Violation, ...]:
    return lint([path], LintConfig(select=codes or FIXABLE), jobs=1).violations


def fixed(folder: Path, source: str, *codes: str) -> str:
    """Fix a template in a file and return its text."""
    path = folder / "a.jinja"
    path.write_bytes(source.encode())
    for _, after, _ in fixed_texts(found(path, *codes)).values():
        write_fixed(str(path), after)
    return path.read_bytes().decode()


def render(source: str) -> str:
    messages = [{"role": "user", "content": "é <b>"}, {"role": "assistant", "content": "no"}]
    return ChatTemplate.from_source(source).render_strict(RenderInputs(messages))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("{{ messages.0.role }} {{ [[1, 2]].0.1 }} 0.0", "{{ messages[0].role }} {{ [[1, 2]][0][1] }} 0.0"),
        (
            "{% for m in messages[::-1] %}{{ m.role }}{% endfor %}",
            "{% for m in messages | reverse %}{{ m.role }}{% endfor %}",
        ),
        (
            "{%- for m in messages[::-1] if m.role != 'tool' -%}{{ m.role }}{{ loop.last }}{% endfor %}",
            "{%- for m in messages | reverse if m.role != 'tool' -%}{{ m.role }}{{ loop.last }}{% endfor %}",
        ),
        (
            "{{ messages | selectattr('role', '==', 'user') | list | length }}",
            "{{ messages | selectattr('role', 'equalto', 'user') | list | length }}",
        ),
        ('{{ ["a"] | reject("==", "b") | join }}', '{{ ["a"] | reject("equalto", "b") | join }}'),
        ("{{ messages | count }}{{ x | d('y') }}", "{{ messages | length }}{{ x | default('y') }}"),
        ("{{ messages | tojson(ensure_ascii=False) }}", "{{ messages | tojson }}"),
        ("{{ messages | tojson( ensure_ascii = false , indent=2) }}", "{{ messages | tojson( indent=2) }}"),
        ("{{ messages | tojson(indent=2, ensure_ascii=False) }}", "{{ messages | tojson(indent=2) }}"),
        ("{{ messages | tojson(separators=none) | length }}", "{{ messages | tojson | length }}"),
        ("a\n{# autoparser: ignore[AP202] old #}\n{{ 1 }}", "a\n{{ 1 }}"),
        (
            "{% if true %}{# autoparser: ignore[AP202] old #}\n{{ 1 }}{% endif %}",
            "{% if true %}\n{{ 1 }}{% endif %}",
        ),
        ("{{ messages.0.role }}\r\nb\r\n", "{{ messages[0].role }}\r\nb\r\n"),
    ],
)
def test_a_fix_renders_the_same_and_is_found_no_more(tmp_path: Path, before: str, after: str) -> None:
    assert fixed(tmp_path, before) == after
    assert render(before) == render(after)
    assert [item.message for item in found(tmp_path / "a.jinja") if item.edits] == []


@pytest.mark.parametrize(
    "source",
    [
        SOUND,
        "{{ messages | tojson(ensure_ascii=True) }}",
        "{{ messages | tojson(separators=(',', ':')) }}",
        "{{ messages | tojson(sort_keys=true) }}",
        "{{ messages[::2] }}{% for m in messages[1::-1] %}{% endfor %}",
        "{{ messages[::-1][0].role }}{% for m in messages[::-1][1:] %}{% endfor %}",
        "{{ messages | selectattr('role', '!=', 'user') | list | length }}",
        "{{ {'count': 1}.count }}{{ 'messages | count' }}{# x | count #}",
        "{{ [2, 1] | max }}",
        # Jinja drops the line break behind a comment: without it the text would be another.
        "text {# autoparser: ignore[AP202] old #}\nmore",
        "a\n{#- autoparser: ignore[AP202] old -#}\nb",
        "{{ messages.0.role }}\rb\r\n",
    ],
)
def test_what_is_not_safe_or_not_wrong_is_left_alone(tmp_path: Path, source: str) -> None:
    assert fixed(tmp_path, source) == source


def test_a_fix_that_would_change_a_render_is_left_out_and_the_others_are_made(tmp_path: Path) -> None:
    source = "{{ messages.0.role }} {# autoparser: ignore[AP203] old #}\nmore {{ messages | count }}"
    expected = "{{ messages[0].role }} {# autoparser: ignore[AP203] old #}\nmore {{ messages | length }}"
    assert fixed(tmp_path, source) == expected


@pytest.mark.skipif(not SHARED.is_dir(), reason="the real templates are not beside the project")
def test_real_templates_keep_their_renders(tmp_path: Path) -> None:
    changed = 0
    for path in sorted((SHARED / "templates").glob("**/*.jinja"))[::12]:
        before = path.read_text(encoding="utf-8")
        after = fixed(tmp_path, before)
        changed += before != after
        assert not any(item.edits for item in found(tmp_path / "a.jinja")), path
    assert changed
