"""Everything that is measured, in one table: `python -m benchmarks [--worst] [--markdown]`."""

from __future__ import annotations

import argparse
from itertools import chain

from benchmarks import bench_analysis, bench_parsing, startup
from benchmarks.table import print_rows, worst


def main() -> None:
    """Measure and print."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--worst", action="store_true", help="of each kind only the worst, at the end")
    arguments.add_argument("--markdown", action="store_true")
    options = arguments.parse_args()
    rows = chain(bench_parsing.rows(), bench_analysis.rows(), startup.rows())
    print_rows(worst(rows) if options.worst else rows, markdown=options.markdown)


if __name__ == "__main__":
    main()
