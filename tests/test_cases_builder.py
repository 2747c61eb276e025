"""Cases in Python tests: each step adds to the case, and `run` says what differs."""

from __future__ import annotations

from dataclasses import replace

import pytest

from autoparser_cli.cases import case
from autoparser_cli.cases.builder import CaseBuilder
from autoparser_cli.cases.model import Status
from autoparser_cli.errors import SourceError, ToolsError
from autoparser_cli.messages import Message, ToolCall
from autoparser_cli.templates import ChatTemplate
from tests.stub_engine import StubEngine

TEMPLATE = ChatTemplate.from_source("{{ messages[0].content }}", name="mine")


def stub(flaw: str = "") -> CaseBuilder:
    return replace(case(TEMPLATE), engine=StubEngine(flaw))


def test_a_message_that_is_expected_passes() -> None:
    message = Message("Hi", "so", (ToolCall("f", '{"a": 1}'),))
    built = stub().output('<think>so</think>Hi<call>f {"a":1}</call>')
    assert built.expect(message).run().status is Status.PASSED
    calls = [{"name": "f", "arguments": {"a": 1}}]
    assert built.expect(content="Hi", reasoning="so", tool_calls=calls).run().status is Status.PASSED


def test_a_failure_shows_expected_and_got() -> None:
    with pytest.raises(AssertionError, match="content differs") as caught:
        stub().output("Hi").expect(content="Ho").run()
    assert "--- expected\nreasoning: \ncontent: Ho" in str(caught.value)
    assert "--- got\nreasoning: \ncontent: Hi" in str(caught.value)


def test_every_option_reaches_the_case() -> None:
    built = (
        stub()
        .reasoning_format("none")
        .parallel_tool_calls(False)
        .enable_thinking(False)
        .template_kwargs(depth=2)
        .tool_choice("required")
        .json_schema({"type": "object"})
        .continue_final_message("reasoning")
        .generation_prompt("<bot>")
        .truncated()
        .built
    )
    options = built.options
    assert (options.reasoning_format, options.parallel_tool_calls) == ("none", False)
    assert (options.tool_choice, options.continue_final_message) == ("required", "reasoning")
    assert options.json_schema == {"type": "object"}
    assert built.template_kwargs == {"enable_thinking": False, "depth": 2}
    assert (built.generation_prompt, built.truncated) == ("<bot>", True)


def test_a_common_beginning_can_be_shared() -> None:
    base = stub().output("Hi")
    base.expect(content="Hi").run()
    with pytest.raises(AssertionError):
        base.expect(content="Ho").run()
    assert base.built.expect is None


def test_chunks_can_be_left_out() -> None:
    built = stub("cut").output("Hi there").expect(content="Hi there")
    assert built.result().status is Status.FAILED
    assert built.chunks(False).run().status is Status.PASSED


def test_an_error_can_be_expected() -> None:
    assert stub().output("<call>f {").expect_error().run().status is Status.PASSED
    with pytest.raises(AssertionError, match="no valid call exists"):
        stub().output("fine").expect_error().run()


def test_a_case_without_an_expectation_does_not_pass() -> None:
    with pytest.raises(AssertionError, match="nothing to compare with"):
        stub().output("Hi").run()


def test_bad_tools_and_templates_are_refused_at_once() -> None:
    with pytest.raises(ToolsError):
        stub().tools([{"type": "function"}])
    with pytest.raises(SourceError):
        case("gone.jinja")
