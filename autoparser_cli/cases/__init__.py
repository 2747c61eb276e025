"""Case files: recorded outputs with the messages they mean, run offline; and the same in Python tests."""

from autoparser_cli.cases.builder import CaseBuilder, case
from autoparser_cli.cases.known import KnownDisagreement, read_known
from autoparser_cli.cases.model import Case, CaseResult, RunReport, Status
from autoparser_cli.cases.running import RunOptions, run_cases, run_paths

__all__ = [
    "Case",
    "CaseBuilder",
    "CaseResult",
    "KnownDisagreement",
    "RunOptions",
    "RunReport",
    "Status",
    "case",
    "read_known",
    "run_cases",
    "run_paths",
]
