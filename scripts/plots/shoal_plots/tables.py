"""Tables as CSV, as `shoal table FILE.h5 --as csv --columns …` and `shoal converge … --as csv` write them."""

import csv
import math
import re

from . import words
from .arguments import refuse

ROUNDING = 1e-16  # smaller differences from 1 are set to this value, so that a logarithmic axis shows them


def number(text):
    """The number in a cell, or None."""
    try:
        return float(text)
    except (TypeError, ValueError):
        return None


def column_of(expression):
    """The column to which an expression refers: NAME or |1-NAME|."""
    match = re.fullmatch(r"\|1-(.+)\|", expression)
    return match[1] if match else expression


def value(row, expression):
    """The number of an expression in a row: a column, or |1-NAME|, its distance from 1; None if there is none."""
    result = number(row.get(column_of(expression)))
    if result is None or not math.isfinite(result):
        return None
    return result if column_of(expression) == expression else max(abs(1 - result), ROUNDING)


def read(path, wanted, numbers=()):
    """The rows of a table, name → text, which must have the columns of the expressions in `wanted` and `numbers`; a cell of the latter is a
    number or empty."""
    try:
        with open(path, newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
    except (OSError, UnicodeDecodeError, csv.Error):
        refuse(f"{path}: not a table as `shoal table --as csv` writes it")
    if not rows:
        refuse(f"{path}: a table without rows")
    for at, row in enumerate(rows, 1):
        if None in row or None in row.values():
            refuse(f"{path}: row {at} does not have the {len(row) - (None in row)} fields of the head")
    missing = [name for name in map(column_of, [*wanted, *numbers]) if name not in rows[0]]
    if missing:
        refuse(f"{path}: no column {', '.join(missing)}; there are: {', '.join(filter(None, rows[0]))}")
    for name in map(column_of, numbers):
        for at, row in enumerate(rows, 1):
            if row[name] and number(row[name]) is None:
                refuse(f"{path}: column {name}, row {at}: '{row[name]}' is not a number")
    return rows


def shared_text(rows, without=()):
    """The scheme, mesh and step that all rows share, for the line above a figure."""
    names = [name for name in ("scene", "mesh_name", "discretization", "integrator", "advection", "amplitude", "dt")
             if name in rows[0] and name not in without]
    return "; ".join(words.attribute_text(name, rows[0][name]) for name in names
                     if rows[0][name] and len({row[name] for row in rows}) == 1)
