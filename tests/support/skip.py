"""Tests whose requirements this machine may lack."""

import importlib
import os
import sys


def skip(reason):
    """Ends the test as skipped or, if everything has been installed, as failed."""
    if os.environ.get("SHOAL_ALL_INSTALLED"):
        sys.exit(reason)
    print(f"SKIPPED: {reason}")
    sys.exit(0)


def require(*modules):
    """Skips the test unless Python has these modules, which are Debian packages."""
    for module in modules:
        try:
            importlib.import_module(module)
        except ImportError as missing:
            skip(f"Python has no {missing.name}")
