"""The command ``bgcore``: one file a sub-command, nothing in them that a library user could want.

Nothing is imported here before ``main`` runs, since typer and rich come with the extra ``cli`` only.
"""

from __future__ import annotations

import errno
import os
import re
import sys

__all__ = ["main"]

# An XGID without its prefix often begins with '-', which would read as an option.
_BARE_XGID = re.compile(r"-[-A-Pa-p]{25}(:|%3A|$)")


def main() -> int:
    """Run the command with the arguments of this process.

    Returns
    -------
    int
        The status to exit with: 0 done, 1 the answer is no or the output could not be written, 2 something given was
        wrong, 130 interrupted.
    """
    try:
        status = run()
        if sys.stdout is not None:
            sys.stdout.flush()
    except KeyboardInterrupt:
        return 130
    except OSError as error:
        if not isinstance(error, BrokenPipeError) and error.errno != errno.EINVAL:  # Windows says EINVAL of a pipe
            print(f"bgcore: {error}", file=sys.stderr)
        # Python flushes once more at exit, and must not fail again.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    return status


def run() -> int:
    """Run the command; the status to exit with."""
    try:
        import rich  # noqa: F401
        import typer  # noqa: F401
    except ModuleNotFoundError as missing:
        print(f'bgcore: the command needs {missing.name}; add it with:  pip install "bgcore[cli]"', file=sys.stderr)
        return 1
    from bgcore.cli.app import app

    arguments = ["XGID=" + argument if _BARE_XGID.match(argument) else argument for argument in sys.argv[1:]]
    try:
        app(arguments, prog_name="bgcore")
    except SystemExit as ends:
        return ends.code if isinstance(ends.code, int) else int(ends.code is not None)
    return 0
