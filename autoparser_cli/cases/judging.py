"""A case and its template's engine -> how it went.

Parsing cases are parsed whole, then in chunks; the result must be the expected one, and the same for every
cut. Without `truncated`, `partial` or a permission in the case, an error of the parse is a failure even where
the message is right: the output was understood only in part.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from autoparser_cli.cases.analysis_facts import check_analysis, check_render
from autoparser_cli.cases.chunking import assemble, cuts
from autoparser_cli.cases.comparing import (
    Mismatch,
    check_leaks,
    check_order,
    compare,
    describe,
    describe_expected,
)
from autoparser_cli.cases.engine import CaseParser, Engine, Outcome, generated_call, generated_text
from autoparser_cli.cases.grammar_facts import check_grammar, check_parsed
from autoparser_cli.cases.model import (
    JUDGED_KINDS,
    Case,
    CaseResult,
    ExpectedCall,
    ExpectedError,
    ExpectedMessage,
    Generator,
    Status,
)
from autoparser_cli.errors import AutoparserError, CaseError
from autoparser_cli.messages import Message


@dataclass(slots=True)
class _Notes:
    """What is found out on the way to a result."""

    error: str = ""
    prompt_ok: bool = False


def judge(case: Case, engine: Engine, *, chunks: bool = True) -> CaseResult:
    """Judge one case; never raises for what the case, the template or the parser does."""
    if case.kind not in JUDGED_KINDS:
        return result_of(case, Status.SKIPPED, f"cases of kind {case.kind} are not judged")
    notes = _Notes()
    try:
        _check(case, engine, notes, chunks=chunks)
    except Mismatch as wrong:
        return result_of(case, Status.FAILED, wrong.reason, notes, wrong.expected, wrong.got)
    except CaseError as error:
        return result_of(case, Status.INVALID, f"{case.where}: {error}", notes)
    except AutoparserError as error:
        return result_of(case, Status.FAILED, str(error), notes)
    except Exception as error:  # a bug met in one case must not hide the results of the others
        return result_of(case, Status.FAILED, f"internal error: {type(error).__name__}: {error}", notes)
    return result_of(case, Status.PASSED, "", notes)


def result_of(
    case: Case,
    status: Status,
    reason: str,
    notes: _Notes | None = None,
    expected: str = "",
    got: str = "",
) -> CaseResult:
    """Make a case's result."""
    return CaseResult(
        id=case.id,
        file=case.file,
        where=case.where,
        template=case.template.label,
        kind=case.kind,
        status=status,
        reason=reason,
        expected=expected,
        got=got,
        error=notes.error if notes else "",
        prompt_checked=case.rendered and notes is not None,
        prompt_ok=notes.prompt_ok if notes else False,
    )


def _check(case: Case, engine: Engine, notes: _Notes, *, chunks: bool) -> None:
    by_facts = _BY_FACTS.get(case.kind)
    if by_facts is not None and not (case.kind == "feature" and case.output is not None):
        by_facts(case, engine)
        return
    wrong_prompt = _prompt_mismatch(case, engine)
    notes.prompt_ok = wrong_prompt is None
    if case.generator is not None:
        _check_generated(case, case.generator, engine, notes)
    else:
        _check_output(case, engine, case.output or "", notes, chunks=chunks)
    if wrong_prompt is not None:
        raise wrong_prompt


def _check_lint(case: Case, engine: Engine) -> None:
    check_render(case, engine)
    check_parsed(case, engine)


_BY_FACTS: dict[str, Callable[[Case, Engine], None]] = {
    "analysis": check_analysis,
    "feature": check_analysis,
    "render": check_render,
    "lint": _check_lint,
    "grammar": check_grammar,
}


def _prompt_mismatch(case: Case, engine: Engine) -> Mismatch | None:
    """Compare the end of the rendered prompt with the recorded one, where both come from one template."""
    if not case.rendered or case.generation_prompt is None:
        return None
    recorded = case.generation_prompt
    try:
        prompt = engine.prompt(case)
    except AutoparserError as error:
        return Mismatch(f"the prompt cannot be rendered: {error}")
    if prompt.endswith(recorded):
        return None
    tail = prompt[-max(len(recorded), 40) :]
    return Mismatch("the rendered prompt does not end with the recorded generation prompt", recorded, tail)


def _check_output(case: Case, engine: Engine, output: str, notes: _Notes, *, chunks: bool) -> None:
    parser = engine.parser(case)
    if case.partial:
        _check_open(case, parser, output, chunks=chunks)
        return
    whole = parser.parse(output)
    notes.error = describe_error(whole)
    _check_whole(case, whole, output)
    if case.more.lenient is not None:
        forgiven = engine.parser(case, lenient=True).parse(output)
        compare(case, case.more.lenient, forgiven.message, what="lenient: ")
    if chunks:
        for cut in cuts(case, output):
            _check_cut(cut.name, cut.chunks, parser, whole)


def _check_whole(case: Case, whole: Outcome, output: str) -> None:
    message = whole.message
    if case.expect_error is not None:
        _check_refused(case.expect_error, whole, output)
        return
    if case.more.strict_error is not None:
        _check_strict_error(case, whole)
        _check_recognised(case, whole)
        return
    if case.expect is None:
        raise CaseError("the case has nothing to compare with")
    if whole.error is not None and case.more.lenient is not None:
        return  # the case says what the forgiving result is, and leaves the strict one free to be an error
    compare(case, case.expect, message)
    check_order("content", message.content, case.more.content_in_order)
    check_order("reasoning", message.reasoning_content, case.more.reasoning_in_order)
    check_leaks(case, message)
    if whole.error is not None and not (case.truncated or case.more.error_allowed):
        raise Mismatch("the message is right, but the parse has an error")


def _check_refused(wanted: ExpectedError, whole: Outcome, output: str) -> None:
    message = whole.message
    answers = {
        "no_tool_calls": not message.tool_calls,
        "content_passthrough": message.content.strip() == output.strip(),
        "exception": whole.error is not None,
    }
    if not any(answers[name] for name in wanted.accept):
        raise Mismatch(
            f"no valid call exists: {wanted.reason}", " or ".join(wanted.accept), describe(message)
        )


def _check_strict_error(case: Case, whole: Outcome) -> None:
    if whole.error is None:
        raise Mismatch("the strict result must be an error", "an error", describe(whole.message))
    wanted = case.more.strict_error
    if wanted is not None and wanted.offset is not None and wanted.offset != whole.error.offset:
        raise Mismatch(
            "the error is at another place", f"offset {wanted.offset}", f"offset {whole.error.offset}"
        )


def _check_recognised(case: Case, whole: Outcome) -> None:
    """Compare what was recognised up to the error, and the tail that was not used."""
    if case.more.recognised is not None:
        compare(case, case.more.recognised, whole.message, what="up to the error: ")
    unparsed = whole.error.unparsed if whole.error is not None else ""
    if not unparsed.startswith(case.more.unparsed_start):
        raise Mismatch("another text is left unparsed", case.more.unparsed_start, unparsed)


def _check_open(case: Case, parser: CaseParser, output: str, *, chunks: bool) -> None:
    """Compare what stands after the feed, before the close."""
    known = assemble(parser.stream().feed(output))
    if case.expect is not None:
        compare(case, case.expect, known, partial=True)
    check_leaks(case, known)
    if not chunks:
        return
    for cut in cuts(case, output):
        stream = parser.stream()
        found = assemble(delta for chunk in cut.chunks for delta in stream.feed(chunk))
        if found != known:
            raise Mismatch(f"cut into {cut.name}: another message", describe(known), describe(found))


def _check_cut(name: str, chunks: tuple[str, ...], parser: CaseParser, whole: Outcome) -> None:
    stream = parser.stream()
    deltas = [delta for chunk in chunks for delta in stream.feed(chunk)]
    result = stream.close()
    deltas += stream.last_deltas
    if result.message != whole.message:
        raise Mismatch(f"cut into {name}: another message", describe(whole.message), describe(result.message))
    if result != whole:
        raise Mismatch(f"cut into {name}: another error, repair or finding", _rest(whole), _rest(result))
    if whole.error is None:
        _check_sum(name, assemble(deltas), whole.message)


def describe_error(outcome: Outcome) -> str:
    """Say where an output stopped fitting, in one line; empty where it fits."""
    error = outcome.error
    if error is None:
        return ""
    wanted = ", ".join(map(repr, error.expected)) or "nothing more"
    place = f"line {error.line}, column {error.column}"
    return f"{place} (offset {error.offset}): expected {wanted}; not read: {error.unparsed[:80]!r}"


def _rest(outcome: Outcome) -> str:
    parts = (f"{name}: {getattr(outcome, name, None)}" for name in ("error", "repairs", "findings"))
    return "\n".join(parts)


def _check_sum(name: str, total: Message, message: Message) -> None:
    if total != message:
        raise Mismatch(
            f"cut into {name}: the deltas do not add up to the message", repr(message), repr(total)
        )


def _check_generated(case: Case, made: Generator, engine: Engine, notes: _Notes) -> None:
    """Feed a long output in short chunks; its time must not grow faster than its length."""
    tool, arguments = generated_call(case, made.path, generated_text(made.content_chars))
    wanted = ExpectedMessage(calls=(ExpectedCall(tool, arguments),))
    outcome, seconds = _feed_generated(case, engine, made.content_chars, made.chunk_chars)
    notes.error = describe_error(outcome)
    if describe(outcome.message) != describe_expected(wanted):
        raise Mismatch(
            "the generated call did not come back", f"one call of {tool}", describe(outcome.message)[:200]
        )
    if made.seconds is not None and seconds > made.seconds:
        raise Mismatch(f"took {seconds:.1f} s", f"at most {made.seconds} s", f"{seconds:.1f} s")
    if made.ratio is None:
        return
    _, quarter = _feed_generated(case, engine, made.content_chars // 4, made.chunk_chars)
    if seconds > made.ratio * quarter:
        raise Mismatch(
            f"a quarter of the length took {quarter:.2f} s", f"ratio {made.ratio}", f"{seconds:.2f} s"
        )


def _feed_generated(case: Case, engine: Engine, chars: int, chunk: int) -> tuple[Outcome, float]:
    """Feed and close; the seconds are of the processor, the better of two runs."""
    output = engine.generate(case, chars)
    parser = engine.parser(case)
    best: tuple[Outcome, float] | None = None
    for _ in range(2):
        stream = parser.stream()
        start = time.process_time()
        for at in range(0, len(output), chunk):
            stream.feed(output[at : at + chunk])
        outcome = stream.close()
        seconds = time.process_time() - start
        if best is None or seconds < best[1]:
            best = outcome, seconds
    assert best is not None
    return best
