"""Many items on several cores: every result, the order asked for, and items that end their process."""

from __future__ import annotations

import os

import pytest

from autoparser_cli.inference.processes import in_order, run_all


def double(number: int) -> int:
    return number * 2


def lost(number: int) -> int:
    return -number


def end_process_at_three(number: int) -> int:
    if number == 3:
        os._exit(1)
    return number * 2


def end_process_at_multiples_of_five(number: int) -> int:
    if number % 5 == 0:
        os._exit(1)
    return number


def raise_at_three(number: int) -> int:
    if number == 3:
        raise ValueError("three")
    return number


def process_id(number: int) -> int:
    return os.getpid()


def process_id_or_end_at_three(number: int) -> int:
    if number == 3:
        os._exit(1)
    return os.getpid()


@pytest.mark.parametrize("jobs", [1, 2, 50])
def test_every_item_has_its_result(jobs: int) -> None:
    assert dict(run_all(double, range(10), lost=lost, jobs=jobs)) == {n: n * 2 for n in range(10)}


def test_nothing_gives_nothing() -> None:
    assert list(run_all(double, [], lost=lost)) == []


def test_one_job_stays_in_this_process_and_in_order() -> None:
    found = list(run_all(process_id, range(3), lost=lost, jobs=1, weight=float))
    assert found == [(place, os.getpid()) for place in range(3)]


def test_several_jobs_leave_this_process() -> None:
    ids = {result for _, result in run_all(process_id, range(4), lost=lost, jobs=2)}
    assert os.getpid() not in ids


def test_an_item_that_ends_its_process_ends_no_other() -> None:
    found = dict(run_all(end_process_at_three, range(6), lost=lost, jobs=2))
    assert found == {0: 0, 1: 2, 2: 4, 3: -3, 4: 8, 5: 10}


def test_only_what_may_have_ended_a_process_gets_one_of_its_own() -> None:
    found = dict(run_all(process_id_or_end_at_three, range(40), lost=lost, jobs=2))
    assert found.pop(3) == -3
    assert len(found) == 39
    assert len(set(found.values())) <= 8


def test_several_items_that_end_their_processes_are_all_told() -> None:
    found = dict(run_all(end_process_at_multiples_of_five, range(30), lost=lost, jobs=2))
    assert found == {number: -number if number % 5 == 0 else number for number in range(30)}


def test_an_exception_is_not_swallowed() -> None:
    with pytest.raises(ValueError, match="three"):
        list(run_all(raise_at_three, range(6), lost=lost, jobs=2))


def test_results_come_in_order_and_as_soon_as_they_can() -> None:
    asked: list[int] = []

    def arriving() -> object:
        for place in (1, 0, 2, 4, 3):
            asked.append(place)
            yield place, f"r{place}"

    ordered = in_order(arriving())  # type: ignore[arg-type]
    assert next(ordered) == "r0"
    assert asked == [1, 0]
    assert list(ordered) == ["r1", "r2", "r3", "r4"]
