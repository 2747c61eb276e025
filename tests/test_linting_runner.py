"""A lint run: what is found where, what is excused, what is in the baseline, and what could not be judged."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from autoparser_cli.errors import InputError
from autoparser_cli.linting import judging
from autoparser_cli.linting.baseline import read_baseline, write_baseline
from autoparser_cli.linting.config import LintConfig, read_config, read_per_file
from autoparser_cli.linting.files import find_files, matches
from autoparser_cli.linting.fixing import apply_edits
from autoparser_cli.linting.report import LintReport
from autoparser_cli.linting.rule import Edit, Hit, Rule, Severity
from autoparser_cli.linting.runner import lint
from autoparser_cli.linting.subject import Subject
from autoparser_cli.linting.tokens import read_tokens
from tests.lint_templates import SOUND, around

NUMERIC = around("{{ messages.0.role }}\n")


def write(folder: Path, **sources: str) -> Path:
    for name, source in sources.items():
        (folder / f"{name}.jinja").write_text(source, encoding="utf-8")
    return folder


def run(path: Path, **options: object) -> LintReport:
    return lint([path], LintConfig(**options), jobs=1)  # type: ignore[arg-type]


def codes(report: LintReport) -> list[str]:
    return [item.code for item in report.violations]


def test_a_sound_template_is_clean(tmp_path: Path) -> None:
    report = run(write(tmp_path, a=SOUND))
    assert [file.state for file in report.files] == ["clean"]
    assert report.exit_code == 0


def test_findings_below_fail_on_do_not_fail(tmp_path: Path) -> None:
    folder = write(tmp_path, a=around("{{ messages[::-1] | length }}"))
    assert run(folder, select=("AP203",)).exit_code == 0
    assert run(folder, select=("AP203",), fail_on=Severity.INFO).exit_code == 1


def test_a_template_that_does_not_compile_is_a_finding_and_the_rest_is_not_evaluated(tmp_path: Path) -> None:
    report = run(write(tmp_path, a="{% if x %}"))
    assert codes(report) == ["AP001"]
    (gap,) = report.gaps
    assert "AP202" not in gap.codes  # reads tokens only
    assert "AP009" in gap.codes and gap.reason == "the template does not compile"
    assert report.exit_code == 1


def test_not_evaluated_is_not_clean(tmp_path: Path) -> None:
    report = run(write(tmp_path, a="{% if x %}"), select=("AP009",))
    assert codes(report) == []
    assert [file.state for file in report.files] == ["not evaluated"]
    assert report.exit_code == 2


def test_a_template_that_takes_long_is_not_evaluated(tmp_path: Path) -> None:
    slow = "{% set _ = range(99999) | map('string') | list | sort | join %}" * 60
    report = run(write(tmp_path, a=slow), seconds=0.3)
    assert any("not finished after 0.3 s" in gap.reason for gap in report.gaps)


def test_an_endless_template_is_not_evaluated(tmp_path: Path) -> None:
    endless = (
        "{% for a in range(9999) %}{% for b in range(9999) %}{% for c in range(9999) %}{% endfor %}{% "
        "endfor %}{% endfor %}"
    )
    report = run(write(tmp_path, a=endless))
    assert any("takes too much: more than" in gap.reason for gap in report.gaps)
    assert report.exit_code in (1, 2)


def test_what_cannot_be_read_is_no_finding(tmp_path: Path) -> None:
    (tmp_path / "a.jinja").write_bytes(b"\xff\xfe")
    report = run(tmp_path)
    assert codes(report) == []
    assert "not UTF-8" in report.files[0].error
    assert report.exit_code == 2


def test_a_missing_path_is_told(tmp_path: Path) -> None:
    report = run(tmp_path / "nowhere")
    assert report.missing == (f"{tmp_path / 'nowhere'}: no such file or folder",)
    assert report.exit_code == 2


def test_a_folder_without_templates_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no templates under"):
        run(tmp_path)


def test_a_broken_rule_does_not_take_the_others_with_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(subject: Subject) -> list[Hit]:
        raise KeyError("oh")

    rules = judging.all_rules()
    bad = Rule("AP299", "broken", Severity.ERROR, "", "", "", "", broken)
    monkeypatch.setattr(judging, "all_rules", lambda: (*rules, bad))
    report = run(write(tmp_path, a=NUMERIC), select=("AP2",))
    assert codes(report) == ["AP202"]
    assert report.files[0].internal == "AP299: KeyError: 'oh'"
    assert report.exit_code == 3


def test_processes_give_the_same_report(tmp_path: Path) -> None:
    folder = write(tmp_path, a=NUMERIC, b=SOUND, c="{% if x %}")
    assert lint([folder], jobs=2).to_dict() == lint([folder], jobs=1).to_dict()


# ------------------------------------------------------------------------------------------------ where


def test_the_line_in_a_json_file_is_that_of_the_key(tmp_path: Path) -> None:
    config = {"bos_token": "<s>", "chat_template": f"one\n{NUMERIC}"}
    (tmp_path / "tokenizer_config.json").write_text(json.dumps(config, indent=1))
    (item,) = run(tmp_path, select=("AP202",)).violations
    assert (item.line, item.template_line) == (3, 2)
    assert "(line 2 of the template)" in item.message
    assert item.edits == ()  # an escaped text is not fixed


def test_each_of_several_templates_is_judged(tmp_path: Path) -> None:
    config = {"chat_template": [{"name": "default", "template": SOUND}, {"name": "rag", "template": NUMERIC}]}
    (tmp_path / "tokenizer_config.json").write_text(json.dumps(config))
    (item,) = run(tmp_path, select=("AP2",)).violations
    assert item.variant == "rag" and item.message.startswith("rag: ")


def test_a_configuration_without_a_template_is_passed_over(tmp_path: Path) -> None:
    write(tmp_path, a=SOUND)
    (tmp_path / "tokenizer_config.json").write_text("{}")
    assert len(run(tmp_path).files) == 1
    assert "no chat_template" in run(tmp_path / "tokenizer_config.json").files[0].error


def test_links_that_lead_to_each_other_are_told_and_the_rest_is_judged(tmp_path: Path) -> None:
    folder = write(tmp_path, a=SOUND)
    (folder / "loop.jinja").symlink_to("loop.jinja")
    (folder / "below").symlink_to(".")
    report = run(folder)
    assert [file.state for file in report.files] == ["clean", "error"]
    assert report.exit_code == 2
    assert "symbolic links" in report.files[1].error


def test_folders_of_others_and_excluded_ones_are_passed_over(tmp_path: Path) -> None:
    for name in ("node_modules", ".hidden", "vendor", "mine"):
        (tmp_path / name).mkdir()
        write(tmp_path / name, a=SOUND)
    found, _ = find_files([tmp_path], exclude=["vendor"])
    assert [file.path.parent.name for file in found] == ["mine"]


@pytest.mark.parametrize(
    ("path", "pattern", "expected"),
    [
        ("a/b.jinja", "a", True),
        ("a/b.jinja", "a/*.jinja", True),
        ("a/b.jinja", "*.jinja", True),
        ("a/b.jinja", "b", False),
        ("ab/c.jinja", "a", False),
    ],
)
def test_patterns(path: str, pattern: str, expected: bool) -> None:
    assert matches(path, [pattern]) is expected


# ---------------------------------------------------------------------------------------------- excused


@pytest.mark.parametrize(
    "source",
    [
        "{{ messages.0.role }}{# autoparser: ignore[AP202] one engine only #}",
        "{# autoparser: ignore[AP202] one engine only #}\n{{ messages.0.role }}",
        "{#- autoparser: ignore[AP2] one engine only -#}\n{{ messages.0.role }}",
        "{# autoparser: ignore[AP001, AP202] several #}\n{{ messages.0.role }}",
        "{# autoparser: ignore-file[AP202] one engine only #}\n\n\n{{ messages.0.role }}",
    ],
)
def test_a_comment_with_a_reason_excuses(tmp_path: Path, source: str) -> None:
    report = run(write(tmp_path, a=source), select=("AP202", "AP901", "AP903"))
    assert codes(report) == []
    assert [item.code for item in report.files[0].excused] == ["AP202"]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("{# autoparser: ignore[AP202] #}\n{{ messages.0.role }}", ["AP901", "AP202"]),
        ("{# autoparser: ignore reason #}\n{{ messages.0.role }}", ["AP901", "AP202"]),
        ("{# autoparser: ignore[AP777] reason #}\n{{ messages.0.role }}", ["AP903", "AP202"]),
        ("{# autoparser: ignore[AP203] reason #}\n{{ messages.0.role }}", ["AP202"]),
        ("{# autoparser: ignore[AP202] reason #}\n{{ messages[0].role }}", ["AP902"]),
        ("{# autoparser: ignore[AP202] reason #}\n\n{{ messages.0.role }}", ["AP902", "AP202"]),
        ("{# ignore[AP202] reason #}{{ messages.0.role }}", ["AP202"]),
        ("{{ '{# autoparser: ignore[AP202] reason #}' }}{{ messages.0.role }}", ["AP202"]),
    ],
)
def test_other_comments_do_not_excuse(tmp_path: Path, source: str, expected: list[str]) -> None:
    assert codes(run(write(tmp_path, a=source), select=("AP202", "AP9"))) == expected


WITH_FINDING = "{{ messages.0.role }}"


@pytest.mark.parametrize(
    ("code", "comment"),
    [
        ("AP901", "ignore[AP202]"),
        ("AP901", "ignore[AP2]   "),
        ("AP901", "ignore because of the old engine"),
        ("AP901", "ignore-file[AP202]"),
        ("AP902", "ignore[AP201] nothing is appended here"),
        ("AP902", "ignore[AP203, AP204] nothing of both"),
        ("AP902", "ignore-file[AP4] nothing unsafe"),
        ("AP903", "ignore[AP777] no such rule"),
        ("AP903", "ignore[E501] of another linter"),
        ("AP903", "ignore-file[AP202, AP29] one of both"),
    ],
)
def test_comments_that_are_no_good_are_found(tmp_path: Path, code: str, comment: str) -> None:
    source = f"{{# autoparser: {comment} #}}\n{WITH_FINDING}"
    assert code in codes(run(write(tmp_path, a=source), select=("AP2", "AP4", "AP9")))


@pytest.mark.parametrize(
    "source",
    [
        f"{{# autoparser: ignore[AP202] one engine only #}}\n{WITH_FINDING}",
        f"{WITH_FINDING}{{# autoparser: ignore[AP2] one engine only #}}",
        f"{{# autoparser: ignore-file[AP202] one engine only #}}{WITH_FINDING}",
        f"{{# autoparser is a parser, ignore it #}}{WITH_FINDING}",
        f"{{# ruff: ignore[E501] #}}{WITH_FINDING}",
        f"{{{{ '{{# autoparser: ignore[AP777] #}}' }}}}{WITH_FINDING}",
    ],
)
def test_good_comments_and_other_ones_are_left_alone(tmp_path: Path, source: str) -> None:
    assert set(codes(run(write(tmp_path, a=source), select=("AP2", "AP9")))) <= {"AP202"}


def test_a_comment_is_not_called_unused_where_its_rule_did_not_run(tmp_path: Path) -> None:
    source = "{# autoparser: ignore[AP202] reason #}\n{{ messages[0].role }}"
    assert codes(run(write(tmp_path, a=source), select=("AP203", "AP9"))) == []


# --------------------------------------------------------------------------------------------- baseline


def test_findings_in_the_baseline_do_not_count_and_new_ones_do(tmp_path: Path) -> None:
    folder, baseline = write(tmp_path, a=NUMERIC), tmp_path / "baseline.json"
    write_baseline(baseline, run(folder, select=("AP2",)).violations)
    moved = f"\n\n{NUMERIC.replace('{{ messages.0', '   {{ messages.0')}"
    write(tmp_path, a=moved)
    report = run(folder, select=("AP2",), baseline=baseline)
    assert codes(report) == [] and len(report.known) == 1 and report.exit_code == 0
    write(tmp_path, a=f"{moved}\n{{{{ messages.0.role }}}}")
    assert len(run(folder, select=("AP2",), baseline=baseline).violations) == 1
    # The same line once more is one more finding.
    write(tmp_path, a="{{ messages.0.role }}\n" + NUMERIC)
    assert len(run(folder, select=("AP2",), baseline=baseline).violations) == 1


def test_a_baseline_holds_wherever_in_the_project_one_works(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "pyproject.toml").write_text("")
    (tmp_path / "deep").mkdir()
    write(tmp_path / "deep", a=NUMERIC)
    monkeypatch.chdir(tmp_path)
    (known,) = run(Path("deep"), select=("AP2",)).violations
    monkeypatch.chdir(tmp_path / "deep")
    (found,) = run(Path(), select=("AP2",)).violations
    assert (known.path, found.path) == ("deep/a.jinja", "a.jinja")
    assert known.fingerprint == found.fingerprint
    assert run(Path(), select=("AP2",), per_file_ignores={"deep/*": ("AP202",)}).violations == ()


NO_BASELINES = ("[]", "{", '{"version": 7, "findings": []}', '{"version": 1, "findings": [1]}')


@pytest.mark.parametrize("text", NO_BASELINES)
def test_what_is_no_baseline_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "baseline.json"
    path.write_text(text)
    with pytest.raises(InputError):
        read_baseline(path)


# ------------------------------------------------------------------------------------------------ config


def test_pyproject_is_read_from_above(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text(
        '[tool.autoparser]\nselect = ["AP2"]\nengines = ["minijinja"]\nfail-on = "error"\n'
        '[tool.autoparser.per-file-ignores]\n"old/*" = ["AP202"]\n'
    )
    (tmp_path / "deep").mkdir()
    config = read_config(tmp_path / "deep")
    assert (config.select, config.engines, config.fail_on) == (("AP2",), ("minijinja",), Severity.ERROR)
    assert config.wants("AP203", "old/a.jinja") and not config.wants("AP202", "old/a.jinja")
    assert not config.wants("AP301", "new/a.jinja")


@pytest.mark.parametrize(
    "line", ['selct = ["AP2"]', 'select = "AP2"', 'fail-on = "bad"', "per-file-ignores = 1", "select = ["]
)
def test_a_wrong_configuration_is_refused(tmp_path: Path, line: str) -> None:
    (tmp_path / "pyproject.toml").write_text(f"[tool.autoparser]\n{line}\n")
    with pytest.raises(InputError, match=r"pyproject\.toml"):
        read_config(tmp_path)


@pytest.mark.parametrize("options", [{"select": ("AP777",)}, {"ignore": ("X",)}, {"engines": ("nunjucks",)}])
def test_what_there_is_not_is_refused(tmp_path: Path, options: dict[str, tuple[str, ...]]) -> None:
    with pytest.raises(InputError):
        run(write(tmp_path, a=SOUND), **options)


def test_per_file_ignores_of_the_command_line() -> None:
    assert read_per_file(["a/*.jinja:AP1,AP2", "b:AP3"]) == {"a/*.jinja": ("AP1", "AP2"), "b": ("AP3",)}
    with pytest.raises(InputError):
        read_per_file(["AP1"])


# --------------------------------------------------------------------------------------------------- fix


def test_edits_that_overlap_are_made_once() -> None:
    assert apply_edits("abcdef", [Edit(3, 5, "X"), Edit(0, 2, "Y"), Edit(4, 6, "Z")]) == "YcXf"


def test_tokens_stand_where_they_say() -> None:
    source = "a\n  {%- if x -%}\n  {{ y.0 }}\n{# c #}\n{% endif %}\n"
    for token in read_tokens(source):
        assert source[token.start : token.end] == token.text
        assert source.split("\n")[token.line - 1][token.column - 1 :].startswith(token.text.split("\n")[0])
