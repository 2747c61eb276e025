"""Analyzing under limits and many at once: a template that takes too much is one clear error, in bounded time."""

from __future__ import annotations

import json
import signal
import threading
from dataclasses import replace
from pathlib import Path

import pytest

from autoparser_cli.analysis.model import TemplateAnalysis
from autoparser_cli.cli.main import run
from autoparser_cli.errors import ResourceLimitError, SourceError, TemplateSyntaxError
from autoparser_cli.inference import analyze, analyze_many
from autoparser_cli.inference.limits import memory_limit, template_limits, time_limit
from autoparser_cli.templates import ChatTemplate, RenderInputs

FIXTURES = Path(__file__).parent.parent / "fixtures"
FLAT, TAGGED = (str(FIXTURES / name / "template.jinja") for name in ("json-flat", "tag-tagged"))
HELLO = RenderInputs([{"role": "user", "content": "hi"}])


def without_evidence(outcome: object) -> TemplateAnalysis:
    assert isinstance(outcome, TemplateAnalysis)
    return replace(outcome, evidence=())


ENDLESS = "{% for a in range(9999) %}\n{% for b in range(9999) %}{% endfor %}{% endfor %}"
DOUBLING = "{% set n = namespace(t='ab') %}\n{% for i in range(99) %}{% set n.t = n.t ~ n.t %}{% endfor %}"
CENTRED = "\n{{ 'x' | center(9999999999) }}"
PRINTING = "{% set t = 'x' * 999999 %}\n{% for a in range(9999) %}{% for b in range(9) %}{{ t }}{% endfor %}{% endfor %}"
EXPONENTIAL = "{% macro f(n) %}{{ f(n - 1) ~ f(n - 1) if n }}{% endmacro %}\n{{ f(60) }}"
SLOW = "\n{{ ([range(100000)] * 99999) | map('sum') | sum }}"
HOSTILE = [ENDLESS, DOUBLING, CENTRED, PRINTING, EXPONENTIAL]


@pytest.fixture(autouse=True)
def quick_limits(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr("autoparser_cli.templates.environment.MAX_STEPS", 50_000)


@pytest.mark.parametrize("source", HOSTILE)
def test_a_hostile_template_is_one_error_that_names_the_place(source: str) -> None:
    with memory_limit(500_000_000), pytest.raises(ResourceLimitError, match=r"^bad\.jinja(:[12])?: "):
        analyze(ChatTemplate.from_source(source, name="bad.jinja"))


def test_a_template_beyond_the_limits_is_rendered_once(monkeypatch: pytest.MonkeyPatch) -> None:
    renders = []
    template = ChatTemplate.from_source(ENDLESS)
    rendering = ChatTemplate.rendering
    monkeypatch.setattr(ChatTemplate, "rendering", lambda *args: renders.append(1) or rendering(*args))
    with pytest.raises(ResourceLimitError):
        analyze(template)
    assert len(renders) == 1


def test_endless_recursion_is_no_error_of_the_analysis() -> None:
    analysis = analyze(ChatTemplate.from_source("{% macro f() %}{{ f() }}{% endmacro %}{{ f() }}"))
    assert [warning.code for warning in analysis.warnings] == ["does-not-render"]


@pytest.mark.parametrize("source", [ENDLESS, DOUBLING, CENTRED, SLOW])
@pytest.mark.parametrize("command", ["analyze", "parse", "render", "grammar", "diff"])
def test_every_command_ends_with_one_line(
    command: str,
    source: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("autoparser_cli.inference.limits.MORE_MEMORY", 500_000_000)
    monkeypatch.setattr("autoparser_cli.inference.limits.MAX_SECONDS", 1.0)
    bad, said = tmp_path / "bad.jinja", tmp_path / "said.txt"
    bad.write_text(source)
    said.write_text("hello")
    more = {
        "parse": ["-t", str(bad), str(said)],
        "grammar": [str(bad), "--tools", str(FIXTURES / "json-flat/tools.json")],
    }
    arguments = more.get(command, [str(bad)])
    assert run([command, *arguments]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert "bad.jinja:2" in printed.err
    assert "internal error" not in printed.err


def test_the_memory_limit_is_restored() -> None:
    resource = pytest.importorskip("resource")
    before = resource.getrlimit(resource.RLIMIT_AS)
    with memory_limit(100_000_000):
        assert resource.getrlimit(resource.RLIMIT_AS) != before
        with pytest.raises(ResourceLimitError, match="memory"):
            ChatTemplate.from_source(CENTRED).render(HELLO)
    assert resource.getrlimit(resource.RLIMIT_AS) == before


def test_an_expression_that_takes_long_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("autoparser_cli.inference.limits.MAX_SECONDS", 0.1)
    before = signal.getsignal(signal.SIGALRM)
    template = ChatTemplate.from_source(SLOW, name="bad.jinja")
    with template_limits(), pytest.raises(ResourceLimitError, match=r"^bad\.jinja:2: .* longer than 0\.1 s"):
        analyze(template)
    assert signal.getsignal(signal.SIGALRM) is before
    assert signal.getitimer(signal.ITIMER_REAL) == (0, 0)


def test_an_alarm_that_somebody_else_has_set_is_left_alone() -> None:
    signal.setitimer(signal.ITIMER_REAL, 1000)
    try:
        with time_limit(0.001, AssertionError):
            assert signal.getitimer(signal.ITIMER_REAL)[0] > 900
        assert signal.getitimer(signal.ITIMER_REAL)[0] > 900
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def test_limits_can_be_asked_for_in_any_thread() -> None:
    found: list[str] = []

    def render() -> None:
        with template_limits():
            found.append(ChatTemplate.from_source("{{ messages[0].content }}").render(HELLO))

    thread = threading.Thread(target=render)
    thread.start()
    thread.join()
    assert found == ["hi"]


@pytest.mark.parametrize("kind", [MemoryError, RecursionError])
def test_what_takes_too_much_outside_of_a_render_is_told_of_its_template(
    kind: type[Exception], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def prove(inference: object) -> None:
        raise kind

    monkeypatch.setattr("autoparser_cli.inference.proving.prove", prove)
    (tmp_path / "broken.jinja").write_text("{% if %}")
    sources = [FLAT, str(tmp_path / "broken.jinja")]
    found = list(analyze_many(sources, jobs=1))
    assert [type(outcome) for outcome in found] == [ResourceLimitError, TemplateSyntaxError]
    assert str(found[0]).startswith(f"{FLAT}: the analysis takes more ")


@pytest.mark.parametrize("name", ["conventions", "kwargs", "args", "context", "caller", "varargs", "name"])
def test_a_variable_that_is_needed_may_have_any_name(name: str) -> None:
    source = f"{{% if not {name} %}}{{{{ raise_exception('no {name}') }}}}{{% endif %}}"
    source += "{% for m in messages %}<{{ m.role }}>{{ m.content }}{% endfor %}"
    assert analyze(ChatTemplate.from_source(source)).supplied_variables == (name,)


def test_a_template_that_wants_what_self_does_not_have_does_not_render() -> None:
    analysis = analyze(ChatTemplate.from_source("{{ self.a.b }}"))
    assert [warning.code for warning in analysis.warnings] == ["does-not-render"]


def test_many_come_in_order_and_errors_stop_nobody(tmp_path: Path) -> None:
    broken = tmp_path / "broken.jinja"
    broken.write_text("{% if %}")
    hostile = tmp_path / "hostile.jinja"
    hostile.write_text(ENDLESS)
    sources = [TAGGED, str(broken), str(tmp_path / "missing.jinja"), FLAT, str(hostile), TAGGED]
    for jobs in (1, 2):
        found = list(analyze_many(sources, jobs=jobs))
        kinds = [type(found[place]) for place in (1, 2, 4)]
        assert kinds == [TemplateSyntaxError, SourceError, ResourceLimitError]
        alone = [analyze(ChatTemplate.load(source)) for source in (TAGGED, FLAT, TAGGED)]
        assert [without_evidence(found[place]) for place in (0, 3, 5)] == list(map(without_evidence, alone))


def test_analyze_json_is_a_list_in_order_also_from_the_cache(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    printed = []
    for options in ([], [], ["--no-cache"]):
        assert run(["analyze", TAGGED, FLAT, "--format", "json", *options]) == 0
        printed.append(capsys.readouterr().out)
    assert printed[0] == printed[1] == printed[2]
    assert [entry["template"] for entry in json.loads(printed[0])] == [TAGGED, FLAT]
