"""The fixtures, and what their analyses are.

Run as a program, it writes each `analysis.json` anew; a person reads the difference before it is kept.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from autoparser_cli.inference import analyze
from autoparser_cli.reports.json import analysis_to_json, to_text
from autoparser_cli.templates import ChatTemplate

FIXTURES = Path(__file__).parent.parent / "fixtures"


def fixture_folders() -> list[Path]:
    """Find the folders that hold a template, in order."""
    return sorted(path.parent for path in FIXTURES.glob("*/template.jinja"))


def analysis_of(folder: Path) -> dict[str, Any]:
    """Analyze a fixture's template; return what does not depend on where the file is.

    The proof is left out: it is whole or it is a failure, whatever number of steps it has.
    """
    report = analysis_to_json(analyze(ChatTemplate.load(folder / "template.jinja")))
    kept = {name: value for name, value in report.items() if name not in ("template", "proof")}
    plain: dict[str, Any] = json.loads(json.dumps(kept))
    return plain


if __name__ == "__main__":
    for fixture in fixture_folders():
        (fixture / "analysis.json").write_text(f"{to_text(analysis_of(fixture))}\n")
