"""``python -m mailgym`` is the command ``mailgym``."""

import sys

from mailgym.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
