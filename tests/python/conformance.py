"""The conformance suite on schemes written in Python: conformance.py SCHEME FILTER…"""

import sys

import schemes  # noqa: F401  registers them
import shoal

sys.exit(0 if shoal.conformance(sys.argv[1], *sys.argv[2:]) else 1)
