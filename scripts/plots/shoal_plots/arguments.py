"""The command line of a plot, and refusals."""

import argparse
import os
import pathlib
import sys

from . import words


def refuse(message):
    """Reports bad input in one sentence and exits with code 2, like shoal itself."""
    print(f"{pathlib.Path(sys.argv[0]).name}: {message}", file=sys.stderr)
    sys.exit(2)


RUNS = {
    "only": {"nargs": "+", "action": "extend", "default": [], "metavar": "NAME=VALUE",
             "help": "runs to draw, e.g. dt=1/60 'mesh_name=torus:24x12|icosphere:3' 'amplitude>0.1'"},
    "run": {"nargs": "+", "action": "extend", "default": [], "metavar": "N", "help": "numbers of the runs to draw: 2 means 0002"},
}
WHERE = {"nargs": "+", "action": "extend", "default": [], "metavar": "COLUMN=VALUE",
         "help": "rows to draw, e.g. dt=1/60 'outcome=finished' 'mesh_name=torus:24x12|icosphere:3'"}
TABLE_NAME = {"help": "name of the table, written to NAME.md (default: print it)"}


def arguments(description, positional=None, figure=True, **extra):
    """Parses FILE and --output. `description` is the docstring of the script, with an example; `positional` and `extra` hold further
    arguments and options as name → keywords of add_argument. With `figure`, adds the options of `Page.save`."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=pathlib.Path, help="a Shoal HDF5 file, or a table of one as CSV")
    for name, keywords in (positional or {}).items():
        parser.add_argument(name, **keywords)
    parser.add_argument("--output", type=pathlib.Path, help="output folder (default: that of the file)")
    if figure:
        parser.add_argument("--width", choices=["one", "two"], help="width in columns of the page: 88 mm or 180 mm")
        parser.add_argument("--dpi", type=float, default=300, help="resolution of the PNG (default: 300)")
        parser.add_argument("--formats", nargs="+", choices=["png", "pdf"], default=["png", "pdf"])
        parser.add_argument("--strict", action="store_true", default=bool(os.environ.get("SHOAL_STRICT_FIGURES")),
                            help="exit with code 1 if the layout of the figure has problems (as with "
                                 "SHOAL_STRICT_FIGURES=1); otherwise warn")
        parser.add_argument("--rename", nargs="+", action="extend", default=[], metavar="'OLD -> NEW'",
                            help="rename labels, e.g. 'lower angle = 0° -> no clamp'")
    for name, keywords in extra.items():
        parser.add_argument(f"--{name.replace('_', '-')}", **keywords)
    chosen = parser.parse_args()
    if not chosen.file.is_file():
        refuse(f"there is no file {chosen.file}")
    for text in chosen.rename if figure else []:
        old, arrow, new = text.partition(" -> ")
        if not arrow:
            refuse(f"--rename: '{text}' is not 'OLD -> NEW'")
        words.RENAMED[old] = new
    if "/" in (getattr(chosen, "name", None) or ""):
        refuse(f"--name: '{chosen.name}' has a folder, which belongs to --output")
    chosen.output = chosen.output or chosen.file.parent
    try:
        chosen.output.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        refuse(f"--output: {error}")
    return chosen


def save_table(lines, chosen):
    """Writes a Markdown table to NAME.md, or prints it if there is no name."""
    text = "".join(f"{line}\n" for line in lines)
    if not chosen.name:
        print(text, end="")
        return
    path = chosen.output / f"{chosen.name}.md"
    path.write_text(text, encoding="utf-8")
    print(path)
