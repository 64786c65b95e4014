"""Curves over time: envelopes, changes on a logarithmic axis, crosses where runs ended; and slopes of whole orders."""

import itertools

import numpy as np

from . import layout, style
from .results import kept

BINS = 120  # intervals of an envelope over the width of a panel
PEAKS = 40  # points of an upper envelope over the width of a panel
MANY_EXTREMES = 80  # curves with more extremes are drawn as envelopes
ROUNDING = 1e-16  # smaller changes are drawn as this
NEAR_ONE = 0.1
STOP_MARKERS = ["x", "+", (3, 2, 0), (3, 2, 180)]  # remain visible if several end at one point
CLEAR = 1.0  # points, around the number of a slope
BESIDE = 6.5  # points, distance of the number of a slope from its line if it is not on the line
MARKS = 5  # per line, at different positions for each line, so that marks of coincident curves are side by side


def count_of_extremes(values):
    """The number of turns of a curve, ignoring those below a hundredth of its range."""
    finite = values[np.isfinite(values)]
    if len(finite) < 3:
        return 0
    step = np.diff(finite)
    step = step[np.abs(step) > 1e-3 * (np.ptp(finite) or 1)]
    return int(np.count_nonzero(np.diff(np.sign(step))))


def envelope(time, values, count=BINS):
    """(time, smallest, mean, largest) over `count` equal intervals of time, omitting intervals without a value."""
    span = (time[-1] - time[0]) or 1
    place = np.minimum(((time - time[0]) / span * count).astype(int), count - 1)
    rows = [(time[part].mean(), np.nanmin(values[part]), np.nanmean(values[part]), np.nanmax(values[part]))
            for one in range(count) if np.isfinite(values[part := place == one]).any()]
    return np.array(rows).T if rows else np.empty((4, 0))


def bins_for(values):
    """The number of intervals with two oscillations each, at most BINS."""
    return int(np.clip(count_of_extremes(values) // 4, 3, BINS))


def upper_envelope(time, values, count=None):
    """(time, largest): the largest value in each of `count` equal intervals of time, at its own time; and the last value."""
    count = count or bins_for(values)
    if len(time) <= 2 * count:
        return time, values
    edges = np.linspace(0, len(time), count + 1).astype(int)
    finite = np.where(np.isfinite(values), values, -np.inf)
    peaks = [low + int(np.argmax(finite[low:high])) for low, high in zip(edges, edges[1:])]
    if not np.isfinite(values[-1]) or values[-1] > values[peaks[-1]]:
        peaks.append(len(time) - 1)
    return time[peaks], values[peaks]


def change(run, quantity):
    """(time, |1 − ratio|) of energy or mass, the largest in each interval; without the first value, which is 0."""
    time, ratio = kept(run, quantity)
    time, values = time[1:], np.abs(1 - ratio[1:])
    return upper_envelope(time, np.where(np.isnan(values), np.nan, np.maximum(values, ROUNDING)), BINS)


def lie_on_one(curves):
    """Whether at least half of the curves [(time, ratio)] stay within NEAR_ONE of 1, so that only their changes distinguish them."""
    near = [np.nanmax(np.abs(values - 1), initial=0) < NEAR_ONE for _, values in curves if np.isfinite(values).any()]
    return bool(near) and 2 * sum(near) >= len(near)


def draw(axes, time, values, look, label, place=0, of=1, as_envelope=None, span=None):
    """A line with a few marks, or the envelope of a curve that oscillates fast as a band about its mean.

    `place` of `of` lines says where its marks stand. `as_envelope`: "band", "max", "none" or None, which decides by the curve;
    `span` is the time that all curves take.
    """
    if as_envelope == "max":
        time, values = upper_envelope(time, values, max(3, round(PEAKS * time[-1] / (span or time[-1] or 1))))
    elif as_envelope == "band" or (as_envelope is None and count_of_extremes(values) > MANY_EXTREMES):
        at, low, mean, high = envelope(time, values, bins_for(values))
        if len(at):
            axes.fill_between(at, low, high, color=look["color"], alpha=style.BAND, linewidth=0, zorder=1.5)
            time, values = at, mean
    every = max(1, len(time) // MARKS)
    first = int(every * (place + 0.5) / max(of, 1)) % every if every > 1 else 0
    return axes.plot(time, values, label=label, markevery=(first, every), **look)


def mark_stops(axes, stops):
    """Crosses where runs ended early or left the axes upwards for good.

    `stops` holds (run, time, values, colour) each; the limits of the axes are set before.
    """
    bottom, top = axes.get_ylim()
    for place, (_, time, values, colour) in enumerate(stops):
        if not len(time):
            continue
        last = max(np.flatnonzero(values <= top), default=0)  # the last point inside; NaN counts as outside
        x, y = time[last], np.clip(values[last], bottom, top)
        if values[last + 1:].size and values[last + 1] > top:  # the point on the edge where the line leaves for good
            part = np.clip((top - values[last]) / (values[last + 1] - values[last]), 0, 1)
            x, y = time[last] + (time[last + 1] - time[last]) * part, top
        axes.plot(x, y, marker=STOP_MARKERS[place % len(STOP_MARKERS)], markersize=5, markeredgewidth=1.3,
                  color=colour, linestyle="none", clip_on=False, zorder=5, gid=layout.PART)


def stops_text(stops, label, most=6):
    """A note on runs that ended early: [run], run → its name."""
    texts = list(dict.fromkeys(", ".join(filter(None, (label(run), run.outcome_text))) for run in stops))
    if len(texts) > most:
        texts = [*texts[:most], f"and {len(texts) - most} more"]
    return "crosses, runs that ended early: " + "; ".join(texts) if texts else ""


def slopes(axes, orders):
    """Draws grey lines of whole orders through the upper right of the drawn data; `slope_labels` numbers them."""
    left, right = axes.get_xlim()
    bottom, top = axes.get_ylim()
    x = np.array([left, right])
    for power in orders:
        axes.plot(x, top * (x / right) ** power, color=style.GUIDE, linewidth=0.6, linestyle=(0, (1, 2)), zorder=0.5,
                  gid=layout.GUIDE)
    axes.set_xlim(left, right)
    axes.set_ylim(bottom, top)


def slope_labels(axes, orders):
    """Places the numbers of `slopes`, each near the free end of its line (left or below), on the line or else beside it, away from
    curves. Requires the final size of the panel."""
    left, right = axes.get_xlim()
    bottom, top = axes.get_ylim()
    renderer = axes.figure.canvas.get_renderer()
    point = axes.figure.dpi / 72
    guides = [layout.inked(line) for line in axes.get_lines() if line.get_gid() == layout.GUIDE]
    curves = [layout.inked(line) for line in axes.get_lines() if line.get_gid() != layout.GUIDE]
    taken = []
    for place, power in enumerate(orders):
        label = axes.annotate(f"{power}", (right, top), xytext=(0, 0), textcoords="offset points", color=style.GREY, fontsize=6.5,
                              ha="center", va="center", zorder=0.6,
                              bbox={"boxstyle": "round,pad=0.08", "facecolor": "white", "edgecolor": "none"})
        end = max(left * (right / left) ** 0.05, right * (bottom / top) ** (1 / power) * (right / left) ** 0.06)
        slope = np.diff(axes.transData.transform([(end, top * (end / right) ** power), (right, top)]), axis=0)[0]
        beside = BESIDE * np.array([-slope[1], slope[0]]) / np.linalg.norm(slope)
        others = [*curves, *guides[:place], *guides[place + 1:]]
        for part, side in itertools.product(np.linspace(0, 0.9, 31), (0, 1, -1)):
            at = end * (right / end) ** part
            label.xy = at, top * (at / right) ** power
            label.set_position(side * beside)
            box = label.get_window_extent(renderer).padded(CLEAR * point)
            if (axes.bbox.x0 < box.x0 and box.y1 < axes.bbox.y1 and not any(layout.runs_through(ink, box) for ink in others)
                    and not any(box.overlaps(number) for number in taken)):
                break
        taken.append(box)
