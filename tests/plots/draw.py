"""Draws figures within this process, as if their scripts were started, with the strict check of their layout."""

import contextlib
import io
import pathlib
import runpy
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from skip import require

require("numpy", "scipy", "h5py", "matplotlib", "PIL")
SCRIPTS = pathlib.Path(__file__).resolve().parents[2] / "scripts" / "plots"
IMAGES = {"pictures.py", "stills.py"}  # drawn small, as tests are to be quick
sys.path.insert(0, str(SCRIPTS))


def draw(script, arguments, *, figure=True, strict=True, dpi=60):
    """(exit code, stdout, stderr) of a script of scripts/plots."""
    options = ["--formats", "png", "--dpi", str(dpi), *(["--strict"] if strict else [])] if figure else []
    options += ["--pixels", "40"] if script in IMAGES else []
    output, errors, argv = io.StringIO(), io.StringIO(), sys.argv
    sys.argv = [str(SCRIPTS / script), *map(str, arguments), *options]
    try:
        with contextlib.redirect_stdout(output), contextlib.redirect_stderr(errors):
            runpy.run_path(sys.argv[0], run_name="__main__")
        code = 0
    except SystemExit as stop:
        code = stop.code or 0
    finally:
        sys.argv = argv
        if "shoal_plots.words" in sys.modules:
            sys.modules["shoal_plots.words"].RENAMED.clear()
    return code, output.getvalue(), errors.getvalue()
