"""The counter of whole proofs tells whole from broken, and groups the rest by what failed."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.check_proofs import Outcome, grouped, main

WHOLE = "{% for m in messages %}<|{{ m.role }}|>{{ m.content }}<|end|>{% endfor %}{% if add_generation_prompt %}<|assistant|>{% endif %}"
UNTRIED = "{% for m in messages if m.role == 'user' %}{{ m.content }}{% endfor %}"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "whole.jinja").write_text(WHOLE)
    return tmp_path


def test_a_whole_folder_is_counted_and_clean(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(folder)]) == 0
    assert capsys.readouterr().out == "whole 1 / 1\ninternal errors 0\n"


def test_a_template_of_which_nothing_is_tried_is_not_whole(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "untried.jinja").write_text(UNTRIED)
    assert main([str(folder)]) == 1
    out = capsys.readouterr().out
    assert out.startswith("whole 1 / 2\n1 x nothing tried\n    untried.jinja\n")
    assert "answers-not-rendered" in out


def test_a_template_that_does_not_compile_is_not_whole(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "broken.jinja").write_text("{% for %}")
    assert main([str(folder), "--quiet"]) == 1
    assert capsys.readouterr().out == "whole 1 / 2\ninternal errors 0\n"


def test_only_the_selected_are_counted(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "untried.jinja").write_text(UNTRIED)
    assert main([str(folder), "-k", "whole"]) == 0
    assert "1 / 1" in capsys.readouterr().out


def test_no_template_at_all_is_no_success(tmp_path: Path) -> None:
    assert main([str(tmp_path)]) == 1


def test_the_largest_group_comes_first_and_long_details_are_cut() -> None:
    outcomes = [
        Outcome("a", False, "call", ("call: " + "x" * 1000,)),
        Outcome("b", False, "content"),
        Outcome("c", True, ""),
        Outcome("d", False, "content"),
    ]
    lines = grouped(outcomes)
    assert [line for line in lines if not line.startswith(" ")] == ["2 x content", "1 x call"]
    assert max(map(len, lines)) < 500
    assert "    c" not in lines
