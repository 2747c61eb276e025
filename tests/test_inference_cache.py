"""The cache of analyses: what is found again, what never is, and that it never makes a command fail."""

from __future__ import annotations

import os
import zlib
from dataclasses import replace
from multiprocessing import get_context
from pathlib import Path

import pytest

from autoparser_cli.analysis import model
from autoparser_cli.analysis.model import TemplateAnalysis
from autoparser_cli.inference import analyze, cache
from autoparser_cli.templates import ChatTemplate


def without_evidence(analysis: TemplateAnalysis) -> TemplateAnalysis:
    """Comparisons are not kept: whoever wants to see them has them made anew."""
    return replace(analysis, evidence=())


def made_of(template: ChatTemplate, families: bool = True) -> list[object]:
    return [template.source, sorted(template.special_tokens.items()), families]


def kept(template: ChatTemplate, families: bool = True) -> TemplateAnalysis | None:
    found = cache.load_result(made_of(template, families), TemplateAnalysis, model)
    return found and replace(found, template=template.name)


SOURCE = (
    "{% for m in messages %}<|{{ m.role }}|>{{ bos_token }}{{ m.content }}<|end|>{% endfor %}"
    "{% if add_generation_prompt %}<|assistant|>{% endif %}"
)


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "cache_folder", lambda: tmp_path / "cache")


@pytest.fixture
def template() -> ChatTemplate:
    return ChatTemplate.from_source(SOURCE, name="one.jinja", special_tokens={"bos_token": "<s>"})


def stored_files(tmp_path: Path) -> list[Path]:
    return [path for path in (tmp_path / "cache").rglob("*") if path.is_file()]


def refuse_to_infer(monkeypatch: pytest.MonkeyPatch) -> None:
    def infer(template: ChatTemplate) -> None:
        raise AssertionError("inferred again")

    monkeypatch.setattr("autoparser_cli.inference.proving.infer_all", infer)


def test_the_second_time_nothing_is_inferred(template: ChatTemplate, monkeypatch: pytest.MonkeyPatch) -> None:
    first = without_evidence(analyze(template, cache=True))
    refuse_to_infer(monkeypatch)
    assert analyze(template, cache=True) == first
    with pytest.raises(AssertionError, match="inferred again"):
        analyze(template)


def test_nothing_is_kept_unless_asked_for(template: ChatTemplate, tmp_path: Path) -> None:
    analyze(template)
    assert stored_files(tmp_path) == []


def test_the_same_text_under_another_name_is_found(
    template: ChatTemplate, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = without_evidence(analyze(template, cache=True))
    refuse_to_infer(monkeypatch)
    assert analyze(replace(template, name="two.jinja"), cache=True) == replace(first, template="two.jinja")


@pytest.mark.parametrize(
    "change", [{"source": SOURCE + " "}, {"special_tokens": {"bos_token": "<t>"}}, {"special_tokens": {}}]
)
def test_another_template_is_not_found(template: ChatTemplate, change: dict[str, object]) -> None:
    analyze(template, cache=True)
    assert kept(replace(template, **change)) is None  # type: ignore[arg-type]


def test_other_options_are_not_found(template: ChatTemplate) -> None:
    analyze(template, cache=True)
    assert kept(template, families=False) is None


def test_a_changed_program_finds_nothing(template: ChatTemplate, monkeypatch: pytest.MonkeyPatch) -> None:
    analyze(template, cache=True)
    monkeypatch.setattr(cache, "_program_state", lambda: "other")
    assert kept(template) is None


def test_the_program_state_follows_its_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "package/room").mkdir(parents=True)
    (tmp_path / "package/__init__.py").write_text("")
    module = tmp_path / "package/room/module.py"
    module.write_text("x = 1\n")
    monkeypatch.setattr("autoparser_cli.__file__", str(tmp_path / "package/__init__.py"))
    states = []
    for text, time in (("x = 1\n", 1000), ("x = 2\n", 2000), ("x = 22\n", 2000)):
        module.write_text(text)
        os.utime(module, (time, time))
        states.append(cache._program_state.__wrapped__())
    assert len(set(states)) == 3
    assert cache._program_state.__wrapped__() == states[-1]


@pytest.mark.parametrize("damage", ["empty", "cut", "noise", "flipped", "other", "bomb"])
def test_what_is_damaged_is_made_again(template: ChatTemplate, tmp_path: Path, damage: str) -> None:
    first = without_evidence(analyze(template, cache=True))
    [path] = stored_files(tmp_path)
    data = path.read_bytes()
    damaged = {
        "empty": b"",
        "cut": data[: len(data) // 2],
        "noise": b"\xff" * 100,
        "flipped": data[:-3] + bytes([data[-3] ^ 1]) + data[-2:],
        "other": zlib.compress(b'{"Proof": [[]]}'),
        "bomb": zlib.compress(b" " * 70_000_000),
    }
    path.write_bytes(damaged[damage])
    assert kept(template) is None
    assert without_evidence(analyze(template, cache=True)) == first
    assert path.read_bytes() == data


def test_a_folder_that_cannot_be_written_does_not_matter(template: ChatTemplate, tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("a file where the folder should be")
    assert without_evidence(analyze(template, cache=True)) == without_evidence(analyze(template))


def test_no_half_written_files_are_left(
    template: ChatTemplate, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(self: Path, target: Path) -> Path:
        raise OSError("disk full")

    monkeypatch.setattr(Path, "replace", fail)
    analyze(template, cache=True)
    assert stored_files(tmp_path) == []


def test_results_of_old_programs_are_deleted(
    template: ChatTemplate, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    analysis = without_evidence(analyze(template))
    for state in ("a", "b", "c", "d", "e"):
        monkeypatch.setattr(cache, "_program_state", lambda state=state: state)
        cache.store_result(made_of(template), analysis)
        os.utime(tmp_path / "cache" / state, (ord(state), ord(state)))
    left = sorted(folder.name for folder in (tmp_path / "cache").iterdir())
    assert left == ["c", "d", "e"]


def test_two_processes_may_write_the_same(template: ChatTemplate, tmp_path: Path) -> None:
    analysis = without_evidence(analyze(template))
    context = get_context("fork")
    writers = [context.Process(target=write_often, args=(template, analysis)) for _ in range(2)]
    for writer in writers:
        writer.start()
    seen = [kept(template) for _ in range(100)]
    for writer in writers:
        writer.join()
    assert [writer.exitcode for writer in writers] == [0, 0]
    assert kept(template) == analysis
    assert all(found in (None, analysis) for found in seen)
    assert len(stored_files(tmp_path)) == 1


def write_often(template: ChatTemplate, analysis: TemplateAnalysis) -> None:
    for _ in range(50):
        cache.store_result(made_of(template), analysis)
