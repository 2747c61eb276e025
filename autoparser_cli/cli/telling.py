"""Messages -> standard error, in which names and texts from strangers cannot control the terminal."""

from __future__ import annotations

import sys

from autoparser_cli.reports.printable import printable


def tell(message: str) -> None:
    """Write a message and a line end."""
    sys.stderr.write(f"{printable(message)}\n")
