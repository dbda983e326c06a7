"""`python -m analyzer`: the same as the command `postmortem`."""

import sys

from analyzer.cli import main

sys.exit(main())
