"""A page: panels in rows and columns, a line above that says what all that is drawn has in common, the legend and notes below.

The height of the figure follows from what stands on it: text and legends are measured, and the panels keep theirs.
"""

import functools
import pathlib
import re
import shlex
import sys

import matplotlib.ticker
import numpy as np
from matplotlib.font_manager import FontProperties

from . import layout, style, words
from .style import MM, plt

GAP = 1.2 * MM  # distance between parts of the page
MARGIN = 1.5 * MM
LEGEND_SHARE = 0.28  # maximum fraction of the figure for the legend; panels grow if it is long
NARROW = 45 * MM  # narrower columns of panels have fewer ticks
PLAIN = 1e-4, 1e5  # labels of logarithmic axes between these are written without powers of ten
TICK_GAP = 6 / 72  # inches, between labels side by side


def measure(figure, text, size=style.SMALL):
    """The width and the height of one line of text in inches."""
    renderer = figure.canvas.get_renderer()
    return np.array(renderer.get_text_width_height_descent(text, FontProperties(size=size), "$" in text)[:2]) / figure.dpi


def wrapped(figure, text, width, size=style.SMALL):
    """The text in lines that are at most `width` inches long, as far as its words allow."""
    lines = []
    text = re.sub(r"(?<=[\d)]) (?=(m|s|kg/m³|m/s²|1/s|J)\b)", words.NBSP, text.replace(" = ", f"{words.NBSP}={words.NBSP}"))
    for paragraph in text.split("\n"):
        line = ""
        for word in paragraph.split(" "):
            longer = f"{line} {word}" if line else word
            if line and measure(figure, longer, size)[0] > width:
                lines.append(line)
                line = word
            else:
                line = longer
        lines.append(line)
    return "\n".join(lines)


def tick_texts(ticks):
    """The labels of an axis in one notation: 0.05, 20; or 2 × 10⁻⁵, 5 × 10⁴ if one of them would otherwise be long."""
    if all(PLAIN[0] <= tick < PLAIN[1] for tick in ticks):
        return [f"{tick:g}" for tick in ticks]
    powers = np.floor(np.log10(ticks) + 1e-9).astype(int)
    mantissas = [f"{tick / 10.0**power:.3g}" for tick, power in zip(ticks, powers)]
    return [("" if mantissa == "1" else rf"${mantissa}\times$") + f"$10^{{{power}}}$" for mantissa, power in zip(mantissas, powers)]


def apart(places, sizes, gap):
    """Whether texts of these sizes, centred at their positions along a line, are at least `gap` apart."""
    sizes = np.asarray(sizes)
    return bool(np.all(np.diff(places) >= 0.5 * (sizes[1:] + sizes[:-1]) + gap))


def choices_of_ticks(low, high, most):
    """Labelled ticks of a logarithmic axis over few powers of ten, from many to few, each at least two, then one."""
    decades = np.arange(np.floor(np.log10(low)), np.ceil(np.log10(high)) + 1)

    def inside(ticks):
        return [tick for tick in ticks if low * (1 - 1e-9) <= tick <= high * (1 + 1e-9)]

    subs = [(1, 1.5, 2, 3, 4, 5, 6, 8)] if high < 8 * low else []
    choices = [inside(part * 10.0**decade for decade in decades for part in parts) for parts in [*subs, (1, 2, 5), (1, 3), (1,)]]
    choices += [inside(matplotlib.ticker.MaxNLocator(count).tick_values(low, high)) for count in range(most, 0, -1)]
    choices = [ticks for ticks in choices if len(ticks) > 1]
    return [*choices, [choices[-1][0]]] if choices else [[high]]


def tidy_log(axis, most, fits):
    """Powers of ten on a logarithmic axis, or multiples by 1, 2, 5 if there are few; at most about `most` labels, and only as many as
    `fits(ticks, texts)` allows."""
    low, high = sorted(axis.get_view_interval())
    decades = np.log10(high) - np.log10(low)
    axis.set_minor_formatter(matplotlib.ticker.NullFormatter())
    axis.set_minor_locator(matplotlib.ticker.LogLocator(subs=range(2, 10), numticks=50) if decades < 5 else
                           matplotlib.ticker.LogLocator(numticks=50))
    if decades >= (2 if most > 4 else 1.2):
        locators = [matplotlib.ticker.LogLocator(subs=(1,), numticks=count) for count in range(max(3, most), 1, -1)]
        formatter = matplotlib.ticker.LogFormatterMathtext()
        formatter.axis = axis
        fitting = (one for one in locators if fits(ticks := one.tick_values(low, high), map(formatter, ticks)))
        axis.set_major_locator(next(fitting, locators[-1]))
        axis.set_major_formatter(formatter)
        return
    choices = choices_of_ticks(low, high, most)
    ticks = next((ticks for ticks in choices if fits(ticks, tick_texts(ticks))), choices[-1])
    axis.set_major_locator(matplotlib.ticker.FixedLocator(ticks))
    axis.set_major_formatter(matplotlib.ticker.FixedFormatter(tick_texts(ticks)))
    if ticks is choices[0]:  # otherwise minor ticks show that the axis is logarithmic
        axis.set_minor_locator(matplotlib.ticker.NullLocator())


class Page:
    """`page[row, column]` are the axes; `rows` and `columns` are any names for them.

    `width` is "one" or "two" columns of a printed page, None: two where there is more than one panel across; `panel` is
    the height of a row of panels in mm with what is written on it, or `heights` those of each; `ticks` the number of ticks
    along a panel, by default as its width allows.
    """

    def __init__(self, rows, columns, width=None, panel=33, sharex=True, sharey="row", heights=None, ticks=None):
        self.rows, self.columns = list(rows), list(columns)
        self.width = style.WIDTHS[width or ("two" if len(self.columns) > 1 else "one")]
        heights = heights or [panel] * len(self.rows)
        self.panels_height = (sum(heights) + 6) * MM
        self.figure = plt.figure(figsize=(self.width, self.panels_height))
        self.figure.set_layout_engine("constrained", w_pad=0.02, h_pad=0.02, wspace=0.02, hspace=0.02)
        grid = self.figure.subplots(len(self.rows), len(self.columns), squeeze=False, sharex=sharex, sharey=sharey,
                                    gridspec_kw={"height_ratios": heights})
        self.axes = {(row, column): grid[i, k] for i, row in enumerate(self.rows) for k, column in enumerate(self.columns)}
        self.row_height = min(heights) * MM
        self.ticks = ticks
        self.column_width = (self.width - 12 * MM) / len(self.columns)
        self._subtitle, self._notes, self._groups, self._last = [], [], {}, []

    def __getitem__(self, place):
        return self.axes[place]

    def column(self, column):
        return [self.axes[row, column] for row in self.rows]

    def row(self, row):
        return [self.axes[row, column] for column in self.columns]

    # --- texts

    def measure(self, text, size=style.SMALL):
        """The width of one line of text in inches."""
        return measure(self.figure, text, size)[0]

    def wrapped(self, text, width, size=style.SMALL):
        """The text in lines that are at most `width` inches long, as far as its words allow."""
        return wrapped(self.figure, text, width, size)

    def subtitle(self, text):
        """The common settings of everything drawn, above the panels."""
        self._subtitle += [text] if text else []

    def note(self, *texts):
        """Notes below the legend; empty ones are ignored."""
        self._notes += [text for text in texts if text]

    def legend(self, groups, column=None):
        """Adds groups (heading, {text: handle}), a row or more each, to the legend of the page or to one below a column of
        panels; existing entries are not repeated."""
        legend = self._groups.setdefault(column, {})
        for heading, entries in groups:
            for text, handle in entries.items():
                legend.setdefault(heading, {}).setdefault(text, handle)

    def legend_of(self, lines, drawn):
        """The legend of the `Lines`; `drawn[column]` are those in a column of panels. One common legend or, if no line is in two
        columns, one below each column."""
        if len(lines.combinations) < 2:
            return
        apart = len(self.columns) > 1 and sum(map(len, drawn.values())) == len(set().union(*drawn.values()))
        for column in self.columns if apart else [None]:
            here = [one for one in lines.combinations if not apart or one in drawn[column]]
            self.legend(lines.legend(only=here), column)

    def title(self, place, text):
        """The title of a panel."""
        self.axes[place].set_title(self.wrapped(text, self.column_width - 4 * MM, style.FONT), loc="left")

    def ylabel(self, row, text):
        """The label of the vertical axes of a row, on the first panel."""
        axes = self.axes[row, self.columns[0]]
        axes.set_ylabel(self.wrapped(text, self.row_height - 3 * MM, style.FONT))

    def xlabel(self, text, column=None):
        """The label of the horizontal axes of a column, or of all."""
        for name in self.columns if column is None else [column]:
            axes = self.axes[self.rows[-1], name]
            axes.set_xlabel(self.wrapped(text, self.column_width - 2 * MM, style.FONT))

    def at_last(self, act):
        """Calls `act()` once the panels have their final sizes."""
        self._last.append(act)

    # --- layout

    def _fit(self, axes, axis, ticks, texts):
        """Whether the labels of a logarithmic axis fit beside each other in all panels that share it."""
        low, high = sorted(axis.get_view_interval())
        across = axis is axes.xaxis
        shared = (axes.get_shared_x_axes() if across else axes.get_shared_y_axes()).get_siblings(axes)
        boxes = [one.get_window_extent() for one in shared]
        length = min(box.width if across else box.height for box in boxes) / self.figure.dpi
        scale = length / (np.log(high) - np.log(low))
        shown = [(scale * (np.log(tick) - np.log(low)), measure(self.figure, text)[0 if across else 1])
                 for tick, text in zip(ticks, texts) if low * (1 - 1e-9) <= tick <= high * (1 + 1e-9)]
        return not shown or apart(*zip(*shown), TICK_GAP if across else 0)

    def _tidy_ticks(self):
        across = self.ticks or (4 if self.column_width < NARROW else 7)
        down = 4 if self.row_height < 25 * MM else 5
        for axes in self.axes.values():
            for axis, most in ((axes.xaxis, across), (axes.yaxis, down)):
                if axis.get_scale() == "log":
                    tidy_log(axis, most, functools.partial(self._fit, axes, axis))
                elif axis.get_scale() == "linear" and isinstance(axis.get_major_locator(), matplotlib.ticker.AutoLocator):
                    axis.set_major_locator(matplotlib.ticker.MaxNLocator(most, steps=[1, 2, 2.5, 5, 10]))

    def _build_legend(self, entries, columns, width):
        entries = {self.wrapped(text, width - 12 * MM): handle for text, handle in entries.items()}
        return self.figure.legend(entries.values(), entries.keys(), loc="lower left", ncol=columns)

    def _fitted_legend(self, entries, width):
        """The legend with as many columns as fit in `width`, filled evenly, and its size in inches."""
        renderer = self.figure.canvas.get_renderer()
        widest = max(map(self.measure, entries))
        columns = max(1, min(len(entries), int(width / (widest + 8 * MM)) + 1))
        while True:
            columns = -(-len(entries) // -(-len(entries) // columns))  # evenly
            legend = self._build_legend(entries, columns, width)
            box = legend.get_window_extent(renderer)
            if columns == 1 or box.width / self.figure.dpi <= width:
                return legend, box.width / self.figure.dpi, box.height / self.figure.dpi
            legend.remove()
            columns -= 1

    def _stack(self, groups, left, width, y):
        """Stacks a legend per group, from `y` upwards; `left` and `width` in inches. Returns [(artist, x, y)], the top, and the area of
        the legends."""
        heading_width = max((self.measure(heading) for heading in groups if heading), default=-2 * MM) + 2 * MM
        placed, area = [], 0
        for heading, entries in reversed(groups.items()):
            legend, wide, high = self._fitted_legend(entries, width - heading_width)
            x = left + (heading_width or max(0, 0.5 * (width - wide)))
            placed.append((legend, x, y))
            if heading:
                text = self.figure.text(0, 0, heading, ha="left", va="top", fontsize=style.SMALL, color=style.GREY)
                placed.append((text, left, y + high))
            y += high + GAP
            area += wide * high
        return placed, y, area

    def _text(self, texts, va):
        return self.figure.text(0, 0, self.wrapped("; ".join(texts), self.width - 2 * MARGIN), ha="left", va=va,
                                fontsize=style.SMALL, color=style.GREY, linespacing=1.1)

    def finish(self):
        """Places everything and sets the height of the figure."""
        self._tidy_ticks()
        placed, area, y = [], 0, 0.6 * MARGIN  # (artist, x, y) in inches, from the bottom up
        if self._notes:
            placed.append((self._text(self._notes, "bottom"), MARGIN, y))
            y += self._height(placed[-1][0]) + GAP
        common = self._groups.pop(None, {})
        if common:
            more, y, area = self._stack(common, MARGIN, self.width - 2 * MARGIN, y)
            placed += more
        each = (self.width - 2 * MARGIN) / len(self.columns)
        stacks = [self._stack(groups, MARGIN + self.columns.index(column) * each, each - 2 * GAP, y)
                  for column, groups in self._groups.items()]
        highest = max([top for _, top, _ in stacks], default=y)
        placed += [(artist, x, low + highest - top) for more, top, _ in stacks for artist, x, low in more]
        area += sum(covered for *_, covered in stacks)
        below = highest + 0.4 * GAP if placed else 0
        title = self._text(self._subtitle, "top") if self._subtitle else None
        above = self._height(title) + MARGIN if title else 0
        panels = max(self.panels_height, area / self.width / LEGEND_SHARE - above - below)
        height = panels + above + below
        self.figure.set_size_inches(self.width, height)
        for artist, x, y in [*placed, *([(title, MARGIN, height - 0.5 * MARGIN)] if title else [])]:
            if artist in self.figure.legends:
                artist.set_bbox_to_anchor((x / self.width, y / height), transform=self.figure.transFigure)
            else:
                artist.set_position((x / self.width, y / height))
        self.figure.get_layout_engine().set(rect=(0.004, below / height, 0.99, panels / height))
        self.figure.align_ylabels()
        self._refine()

    def _refine(self):
        """Places everything that depends on the sizes of the panels: labels of logarithmic axes, and late drawings."""
        if any("log" in (axes.get_xscale(), axes.get_yscale()) for axes in self.axes.values()):
            self.figure.draw_without_rendering()
            self._tidy_ticks()
        if self._last:
            self.figure.draw_without_rendering()
        for act in self._last:
            act()

    def _height(self, text):
        return text.get_window_extent(self.figure.canvas.get_renderer()).height / self.figure.dpi

    def save(self, chosen, name):
        self.finish()
        save(self.figure, chosen, name)


def save(figure, chosen, name):
    """Writes NAME.png and NAME.pdf with the command that made them, and without a date: same data, same bytes.

    What is wrong with the layout goes to stderr; with --strict the exit code is then 1.
    """
    found = layout.problems(figure)
    command = shlex.join(["python3", f"scripts/plots/{pathlib.Path(sys.argv[0]).name}", *sys.argv[1:]])  # the path in the repository, from any working directory
    metadata = {"png": {"Description": command}, "pdf": {"Subject": command, "CreationDate": None}}
    for kind in chosen.formats:
        path = chosen.output / f"{name}.{kind}"
        figure.savefig(path, metadata=metadata[kind], **({"dpi": chosen.dpi} if kind == "png" else {}))
        print(path)
    plt.close(figure)
    for problem in found:
        print(f"{name}: layout: {problem}", file=sys.stderr)
    if found and chosen.strict:
        sys.exit(1)
