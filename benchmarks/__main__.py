"""Everything that is measured, in one table: `python -m benchmarks [--markdown]`."""

from __future__ import annotations

import sys
from itertools import chain

from benchmarks import bench_analysis, bench_parsing, startup
from benchmarks.table import print_rows

if __name__ == "__main__":
    print_rows(
        chain(bench_parsing.rows(), bench_analysis.rows(), startup.rows()), markdown="--markdown" in sys.argv
    )
