"""``python -m bgcore`` is the command ``bgcore``."""

import sys

from bgcore.cli import main

if __name__ == "__main__":
    sys.exit(main())
