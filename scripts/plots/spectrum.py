"""Plot the ratio of discrete to continuous frequency of all waves against wavenumber, from files of `shoal spectrum --output`.

    /usr/bin/python3 scripts/plots/spectrum.py results/spectrum/fefv.h5 results/spectrum/dec.h5 results/spectrum/kinetic.h5

The wavenumber k is that of the corresponding continuous wave, in units of √(4π nV/area), below which a surface has as many waves as the
mesh has vertices; larger wavenumbers belong to a spurious branch. Further panels show the decay rate, and the share of each wave's
elevation in the continuous waves below that limit.
"""

import pathlib

import numpy as np
from shoal_plots import layout, style
from shoal_plots.arguments import arguments, refuse
from shoal_plots.page import Page
from shoal_plots.results import open_group

SIZES = [4.2, 2.6, 1.6]  # of marks, one size per file, so that coincident marks of several schemes remain visible
PANELS = {"ratio": "frequency, discrete / continuous", "decay": "decay rate / continuous frequency",
          "share": "share of the energy in resolved waves (1)"}


class Spectrum:
    def __init__(self, path):
        group = open_group(path, "spectrum")
        self.attributes = {name: value.decode() if isinstance(value, bytes) else value for name, value in group.attrs.items()}
        data = {name: group[name][()] for name in
                ("angular_frequency", "decay_rate", "share", "spurious", "wavenumber")}
        known = np.isfinite(data["wavenumber"]) & (data["wavenumber"] > 0)
        if not known.any():
            refuse(f"{path}: no continuous waves are known on {self.attributes['mesh_name']}")
        wavenumber = data["wavenumber"][known]
        exact = np.sqrt(self.attributes["gravity"] * self.attributes["depth"]) * wavenumber
        self.x = wavenumber / np.sqrt(4 * np.pi * self.attributes["vertices"] / self.attributes["area"])
        self.ratio = data["angular_frequency"][known] / exact
        self.decay = data["decay_rate"][known] / exact
        self.share = data["share"][known]
        self.spurious = data["spurious"][known] > 0
        self.name = self.attributes["discretization"]
        self.resolves_all = self.attributes["depth_unknowns"] <= self.attributes["vertices"]


def mark(spectrum, size, spurious=False):
    colour = style.FIXED["discretization"].get(spectrum.name, "#000000")
    return {"linestyle": "none", "marker": "o", "markersize": size, "markeredgewidth": 0.5, "markeredgecolor": colour,
            "markerfacecolor": "none" if spurious else colour}


def scatter(axes, spectrum, values, size):
    for spurious in (False, True):
        chosen = spectrum.spurious == spurious
        if chosen.any():
            axes.plot(spectrum.x[chosen], values[chosen], gid=layout.PART, **mark(spectrum, min(size, 2.6) if spurious else size, spurious))


def main():
    chosen = arguments(__doc__, positional={"more": {"nargs": "*", "type": pathlib.Path, "help": "further files"}},
                       name={"default": "spectrum", "help": "name of the figure"})
    spectra = [Spectrum(path) for path in [chosen.file, *chosen.more]]
    page = Page(["all"], PANELS, chosen.width, 58, sharey=False)
    sizes = [SIZES[i % len(SIZES)] for i in range(len(spectra))]
    ratio, decay, share = page.row("all")
    for spectrum, size in zip(spectra, sizes):
        scatter(ratio, spectrum, spectrum.ratio, size)
        if spectrum.decay.any():
            scatter(decay, spectrum, spectrum.decay, 2.6)
        if np.isfinite(spectrum.share).any():
            scatter(share, spectrum, spectrum.share, size)
    for kind, axes in zip(PANELS, page.row("all")):
        axes.axvline(1, color=style.GREY, linewidth=0.8, linestyle=(0, (3, 2)), zorder=0, gid=layout.GUIDE)
        axes.set(xlim=(0, None), ylim=(0, None))
        axes.set_ylabel(PANELS[kind])
    ratio.axhline(1, color=style.GREY, linewidth=0.6, zorder=0, gid=layout.GUIDE)
    ratio.annotate("one wave per vertex", (1, 0), xytext=(-3, 4), textcoords="offset points", rotation=90, ha="right", va="bottom",
                   fontsize=6.5, color=style.GREY)
    page.xlabel("wavenumber k / √(4π nV / area)")
    entries = {spectrum.name: style.plt.Line2D([], [], **mark(spectrum, size)) for spectrum, size in zip(spectra, sizes)}
    if any(spectrum.spurious.any() for spectrum in spectra):
        entries["spurious"] = style.plt.Line2D([], [], **{**mark(spectra[0], 2.6, True), "markeredgecolor": style.GREY})
    page.legend([("", entries)])
    page.subtitle(", ".join(dict.fromkeys(spectrum.attributes["mesh_name"] for spectrum in spectra)))
    undamped = [spectrum.name for spectrum in spectra if not spectrum.decay.any()]
    whole = [spectrum.name for spectrum in spectra if not np.isfinite(spectrum.share).any() and spectrum.resolves_all]
    unknown = [spectrum.name for spectrum in spectra if not np.isfinite(spectrum.share).any() and not spectrum.resolves_all]
    page.note(f"no decay: {', '.join(undamped)}" if undamped else "",
              f"all waves are resolved, as there is a depth per vertex: {', '.join(whole)}" if whole else "",
              f"share not known: {', '.join(unknown)}" if unknown else "")
    page.save(chosen, chosen.name)


if __name__ == "__main__":
    main()
