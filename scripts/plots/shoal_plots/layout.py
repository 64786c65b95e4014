"""What is wrong with the layout of a finished figure: `problems(figure)` lists it in sentences."""

import contextlib
import itertools

import numpy as np
from matplotlib.colors import to_hex
from matplotlib.text import Text

from . import style, words

SLACK = 1.0  # points by which boxes of text may exceed an edge or overlap, because their ends are empty
LEGEND_SHARE = 1 / 3
MIN_FONT = 6.0  # points
MIN_AXES = 7.0  # mm
GUIDE = "guide"  # gid of lines without data, which may look alike
UNNAMED = "a line without a name"
NOTHING = (None, "None", "none", "", " ")
PART = "part"  # gid of lines that are part of another line, such as crosses at its end


@contextlib.contextmanager
def drawn_texts():
    """Collects the texts drawn within the block; tick labels beyond the limits, for example, are not drawn."""
    texts, draw = [], Text.draw

    def record(self, renderer, *rest, **keywords):
        if self.get_visible() and self.get_text().strip():
            texts.append(self)
        return draw(self, renderer, *rest, **keywords)

    Text.draw = record
    try:
        yield texts
    finally:
        Text.draw = draw


def quoted(text):
    """The words of a text, shortened."""
    words_ = " ".join(text.get_text().split())
    return f"'{words_}'" if len(words_) <= 40 else f"'{words_[:37]}…'"


def clipped_and_overlapping(texts, renderer, canvas, slack):
    boxes = [(text, text.get_window_extent(renderer)) for text in texts]
    for text, box in boxes:
        if box.x0 < canvas.x0 - slack or box.y0 < canvas.y0 - slack or box.x1 > canvas.x1 + slack or box.y1 > canvas.y1 + slack:
            yield f"the text {quoted(text)} is clipped"
    for (text, box), (other, other_box) in itertools.combinations(boxes, 2):
        width = min(box.x1, other_box.x1) - max(box.x0, other_box.x0)
        height = min(box.y1, other_box.y1) - max(box.y0, other_box.y0)
        if width > slack and height > slack:
            yield f"the texts {quoted(text)} and {quoted(other)} overlap"
    for text in texts:
        if text.get_fontsize() < MIN_FONT:
            yield f"the text {quoted(text)} is of {text.get_fontsize():g} points, less than {MIN_FONT:g}"


def all_axes(figure):
    """The axes that show something."""
    return [axes for axes in figure.axes if axes.get_visible()]


def large_legend(figure, renderer, canvas):
    legends = [*figure.legends, *(legend for part in figure.subfigs for legend in part.legends),
               *(axes.get_legend() for axes in all_axes(figure) if axes.get_legend())]
    share = sum(box.width * box.height for box in (legend.get_window_extent(renderer) for legend in legends))
    share /= canvas.width * canvas.height
    if share > LEGEND_SHARE:
        yield f"the legend takes {share:.0%} of the figure, more than a third"


def marks_outside(figure, canvas, slack):
    """Marks without a line that lie outside their axes, where they are cut off; unclipped lines far outside their axes."""
    for axes in all_axes(figure):
        box = axes.get_window_extent()
        for line in axes.get_lines():
            joined = line.get_linestyle() not in NOTHING
            if line.get_gid() == GUIDE or line.get_clip_on() and joined:
                continue
            x, y = line.get_transform().transform(line.get_xydata()).T
            x, y = x[known := np.isfinite(x) & np.isfinite(y)], y[known]
            room = 3 * slack
            if (x < box.x0 - room).any() or (x > box.x1 + room).any() or (y < box.y0 - room).any() or (y > box.y1 + room).any():
                yield f"a mark of '{line.get_label()}' lies outside its panel"


def look_of(line):
    """The look of a line: colour, dashes and marker; None for an invisible line."""
    marker = line.get_marker() if line.get_marker() not in NOTHING else ""
    dashes = line.get_linestyle()
    if dashes in ("None", "none", " ", ""):
        dashes = ""
    elif dashes == "--":  # set_linestyle replaces any sequence of dashes by this
        dashes = tuple(round(part, 3) for part in line._unscaled_dash_pattern[1] or ())
    if not marker and not dashes:
        return None
    colour = line.get_color() if dashes else line.get_markeredgecolor()
    fill = to_hex(line.get_markerfacecolor()) if marker and line.get_fillstyle() != "none" \
        and str(line.get_markerfacecolor()) != "none" else ""
    return to_hex(colour), dashes, marker, fill


def inked(line):
    """Points [n, 2] on the canvas along a drawn line, at most one point apart, and the half-width of its marks."""
    points = line.get_transform().transform(line.get_xydata())
    points = points[np.isfinite(points).all(axis=1)]
    marker = 0.5 * line.get_markersize() * line.figure.dpi / 72 if line.get_marker() not in NOTHING else 0
    if line.get_linestyle() in ("None", "none", " ", "") or len(points) < 2:
        return points, marker
    count = np.minimum(np.ceil(np.abs(np.diff(points, axis=0)).max(axis=1)).astype(int) + 1, 10000)
    return np.concatenate([np.linspace(*ends, steps) for ends, steps in zip(zip(points, points[1:]), count)]), marker


def runs_through(ink, box):
    """Whether a drawn line touches a box."""
    points, room = ink
    return bool(((points > (box.x0 - room, box.y0 - room)) & (points < (box.x1 + room, box.y1 + room))).all(axis=1).any())


def under_curves(figure, texts, renderer):
    """Texts within panels that lie under a curve."""
    drawn = set(map(id, texts))
    for axes in all_axes(figure):
        lines = [line for line in axes.get_lines() if line.get_visible() and line.get_gid() != GUIDE]
        for text in axes.texts if lines else []:
            box = text.get_window_extent(renderer)
            if id(text) in drawn and any(line.get_zorder() > text.get_zorder() and runs_through(inked(line), box) for line in lines):
                yield f"the text {quoted(text)} lies under a curve"


def leaving_pictures(figure, texts, renderer, slack):
    """Texts that extend beyond axes with a picture (without axis lines), where neighbouring drawings may cut them."""
    drawn = set(map(id, texts))
    for axes in all_axes(figure):
        frame = axes.get_window_extent(renderer).padded(slack)
        for text in axes.texts if not axes.axison else []:
            box = text.get_window_extent(renderer)
            if id(text) in drawn and not (frame.contains(box.x0, box.y0) and frame.contains(box.x1, box.y1)):
                yield f"the text {quoted(text)} leaves its picture"


def twin_lines(figure):
    """Lines with the same look in one panel; and lines with the same look but different names in different panels."""
    names = {}
    for axes in all_axes(figure):
        seen = {}
        for line in axes.get_lines():
            look = look_of(line)
            if look is None or not line.get_visible() or not len(line.get_xdata()) or line.get_gid() in (GUIDE, PART):
                continue
            label = line.get_label() if not str(line.get_label()).startswith("_") else UNNAMED
            if seen and UNNAMED in (label, *seen.values()):
                yield "of several lines in a panel one has no name"
            if look in seen:
                yield f"'{seen[look]}' and '{label}' look alike in one panel"
            seen[look] = label
            if not str(line.get_label()).startswith("_") and names.setdefault(look, label) != label:
                yield f"'{names[look]}' and '{label}' look alike in different panels"


def is_number(text):
    text = text.replace("−", "-").replace("$", "").replace("\\mathdefault", "")
    return any(sign.isdigit() for sign in text) and not any(sign.isalpha() for sign in text.replace("times", "").replace("e", ""))


def unlabelled(figure, texts):
    """Axes with numbers but without a label, or with a label without a unit; a shared label counts for all its axes."""
    drawn = set(map(id, texts))
    for axes in all_axes(figure):
        if not axes.axison:
            continue
        for axis, shared in ((axes.xaxis, axes.get_shared_x_axes()), (axes.yaxis, axes.get_shared_y_axes())):
            which = axis.axis_name
            ticks = [tick.label1 for tick in axis.get_major_ticks()] + [tick.label2 for tick in axis.get_major_ticks()]
            shown = [text.get_text() for text in ticks if id(text) in drawn]
            label = axis.label.get_text()
            if not label:
                siblings = shared.get_siblings(axes)
                label = next((text for other in siblings if (text := getattr(other, f"get_{which}label")())), "")
            if not shown or not any(map(is_number, shown)):
                continue  # names of things
            if not label:
                yield f"the {which} axis of a panel has no label (its ticks: {', '.join(shown[:3])} …)"
            elif not words.has_unit(label):
                yield f"the label '{' '.join(label.split())}' has no unit"


def bad_sizes(figure, renderer):
    width, height = figure.get_size_inches()
    if not any(abs(width - allowed) < 1e-6 for allowed in style.WIDTHS.values()):
        yield f"the figure is {width / style.MM:.0f} mm wide, neither 88 nor 180"
    if height > style.MAX_HEIGHT + 1e-6:
        yield f"the figure is {height / style.MM:.0f} mm high, more than {style.MAX_HEIGHT / style.MM:.0f}"
    for axes in all_axes(figure):
        box = axes.get_window_extent(renderer)
        low = min(box.width, box.height) / figure.dpi / style.MM
        if axes.axison and axes.get_label() != "<colorbar>" and low < MIN_AXES:
            yield f"a panel is {low:.1f} mm wide or high, less than {MIN_AXES:g}"


def problems(figure):
    """The problems of the layout of a figure, in sentences; an empty list if there are none."""
    renderer = figure.canvas.get_renderer()
    with drawn_texts() as texts:
        figure.draw(renderer)
    texts = list({id(text): text for text in texts}.values())
    canvas, slack = figure.bbox, SLACK * figure.dpi / 72
    found = [*clipped_and_overlapping(texts, renderer, canvas, slack), *large_legend(figure, renderer, canvas),
             *under_curves(figure, texts, renderer), *leaving_pictures(figure, texts, renderer, slack),
             *marks_outside(figure, canvas, slack), *twin_lines(figure), *unlabelled(figure, texts), *bad_sizes(figure, renderer)]
    return list(dict.fromkeys(found))
