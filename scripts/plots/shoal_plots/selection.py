"""Selection of the runs, or rows of a table, to draw. Numbers may be fractions such as 1/60."""

import argparse
import math
import operator
import re
from fractions import Fraction

from .arguments import refuse

COMPARISONS = {"=": None, "!=": None, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge}
ROUNDING = 1e-9  # relative; accepts 1/60 typed as 0.0166666667


def parse_number(text):
    """The number of a text such as 0.1, 1e-4 or 1/60; None if it is not a number."""
    try:
        return float(Fraction(text))
    except (TypeError, ValueError, ZeroDivisionError):
        try:
            return float(text)
        except (TypeError, ValueError):
            return None


def given_number(text):
    """The same for argparse."""
    value = parse_number(text)
    if value is None or not math.isfinite(value):
        raise argparse.ArgumentTypeError(f"'{text}' is not a number such as 0.025 or 1/60")
    return value


def run_id(text):
    """"2" → "0002"."""
    return text.zfill(4) if text.isdigit() else text


def same(value, wanted):
    """Whether an attribute or a cell is this value, as a word or as a number."""
    a, b = parse_number(value), parse_number(wanted)
    if a is not None and b is not None:
        return math.isclose(a, b, rel_tol=ROUNDING)
    return str(value) == str(wanted)


class Condition:
    """NAME=VALUE, or with several values as NAME=A|B, or with one of != < <= > >= in place of =."""

    def __init__(self, text):
        match = re.match(r"\s*([^=!<>]+?)\s*(!=|<=|>=|=|<|>)\s*(.*?)\s*$", text)
        if not match:
            refuse(f"'{text}' is not NAME=VALUE, with one of = != < <= > >=")
        self.name, self.comparison, wanted = match.groups()
        self.values = [run_id(value) for value in wanted.split("|")] if self.name == "id" else wanted.split("|")
        if COMPARISONS[self.comparison] and parse_number(wanted) is None:
            refuse(f"'{text}': '{wanted}' is not a number")

    def holds(self, attributes):
        """Whether a run's attributes, or a row of a table, satisfy the condition."""
        value = attributes.get(self.name)
        compare = COMPARISONS[self.comparison]
        if compare:
            value, wanted = parse_number(value), parse_number(self.values[0])
            return value is not None and compare(value, wanted)
        return any(same("" if value is None else value, wanted) for wanted in self.values) == (self.comparison == "=")


def chosen_rows(rows, texts, names):
    """The rows of a table that satisfy all conditions; refuses names that no row has."""
    conditions = [Condition(text) for text in texts]
    for condition in conditions:
        if condition.name not in names:
            refuse(f"no column {condition.name}; there are: {', '.join(filter(None, names))}")
    return [row for row in rows if all(condition.holds(row) for condition in conditions)]


def chosen_runs(runs, texts=(), ids=()):
    """The runs of these numbers (2 means 0002; none: all) that satisfy all conditions."""
    known = {run.id for run in runs}
    for one in map(run_id, ids):
        if one not in known:
            refuse(f"there is no run {one}; there are: {', '.join(sorted(known))}")
    conditions = [Condition(text) for text in texts]
    names = {"id"}.union(*(run.attributes for run in runs))
    for condition in conditions:
        if condition.name not in names:
            refuse(f"no run has an attribute '{condition.name}'")
    wanted = set(map(run_id, ids))
    return [run for run in runs if (not wanted or run.id in wanted)
            and all(condition.holds({**run.attributes, "id": run.id}) for condition in conditions)]
