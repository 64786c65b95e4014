"""Sizes, fonts, colours, and the looks of lines. Every figure takes them from here."""

import itertools

import matplotlib.pyplot as plt

MM = 1 / 25.4  # inches
WIDTHS = {"one": 88 * MM, "two": 180 * MM}  # width of one and of two page columns
MAX_HEIGHT = 240 * MM
FONT, SMALL = 7.5, 7.0  # points: names and titles; ticks, legends and notes

# Okabe and Ito's palette, distinguishable with any colour vision, without its yellow, which is pale on white.
PALETTE = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#8C510A"]
DASHES = ["-", (0, (5, 1.8)), (0, (1.2, 1.2)), (0, (7, 1.6, 1.2, 1.6)), (0, (3, 1.2, 1.2, 1.2, 1.2, 1.2)), (0, (9, 3))]
MARKERS = ["o", "s", "^", "D", "v", "P", "X", "*"]
GREY = "#555555"  # colour of notes
GUIDE = "#9A9A9A"  # colour of lines without data
BAND = 0.18  # opacity of an envelope
# Values whose colours are the same in every figure.
FIXED = {
    "integrator": dict(zip(["explicit", "implicit-euler", "newmark", "semi-implicit", "ssprk2", "ssprk3",
                            "newmark-analytic", "implicit-euler-velocity"], PALETTE)),
    "discretization": dict(zip(["fefv", "dec", "kinetic", "rusanov", "hllc", "roe"], PALETTE)),
}
# Looks of all integrators, for figures with more of them than colours.
INTEGRATORS = {
    **{name: {"color": colour, "marker": marker} for (name, colour), marker in zip(FIXED["integrator"].items(), MARKERS)},
    **{name: {"color": colour, "marker": marker}
       for name, colour, marker in zip(["rosenbrock", "ssprk43", "rk4", "dormand-prince"], PALETTE, ["<", ">", "p", "h"])},
}
CAPACITY = {"color": len(PALETTE), "linestyle": len(DASHES), "marker": len(MARKERS)}

plt.rcParams.update({
    "font.size": FONT,
    "axes.titlesize": FONT,
    "axes.labelsize": FONT,
    "legend.fontsize": SMALL,
    "xtick.labelsize": SMALL,
    "ytick.labelsize": SMALL,
    "axes.linewidth": 0.6,
    "xtick.major.width": 0.6,
    "ytick.major.width": 0.6,
    "xtick.minor.width": 0.4,
    "ytick.minor.width": 0.4,
    "xtick.major.size": 2.5,
    "ytick.major.size": 2.5,
    "xtick.minor.size": 1.5,
    "ytick.minor.size": 1.5,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.linewidth": 0.4,
    "grid.color": "#DDDDDD",
    "axes.axisbelow": True,
    "axes.formatter.useoffset": False,
    "lines.linewidth": 1.0,
    "lines.markersize": 3.6,
    "lines.markeredgewidth": 0.6,
    "legend.frameon": False,
    "legend.handlelength": 2.6,
    "legend.columnspacing": 1.4,
    "legend.labelspacing": 0.3,
    "legend.borderaxespad": 0.0,
    "legend.borderpad": 0.0,
    "pdf.fonttype": 42,  # text in the PDF stays text
    "figure.dpi": 150,
    "savefig.dpi": 300,
})


def values_of(channel, name, values):
    """A colour, kind of dashes or marker for each of `values` of the attribute `name`, all different: value → look."""
    stock = {"color": PALETTE, "linestyle": DASHES, "marker": MARKERS}[channel]
    fixed = FIXED.get(name, {}) if channel == "color" else {}
    kept = {value: fixed[value] for value in values if value in fixed}
    free = iter([one for one in stock if one not in kept.values()])
    return {value: kept[value] if value in kept else next(free) for value in values}


def looks():
    """Colour, dashes and marker of consecutive lines, all different: the first 8 differ in colour."""
    for turn, marker_turn in itertools.product(range(len(DASHES)), range(len(MARKERS))):
        for place, colour in enumerate(PALETTE):
            yield {"color": colour, "linestyle": DASHES[(place + turn) % len(DASHES)],
                   "marker": MARKERS[(place + turn + marker_turn) % len(MARKERS)]}
