"""Discrete over continuous frequency of all waves, over wavenumber, from files of `shoal spectrum --output`.

    /usr/bin/python3 scripts/plots/spectrum.py results/spectrum/fefv.h5 results/spectrum/dec.h5 results/spectrum/kinetic.h5

The wavenumber k is that of the continuous wave that a discrete one stands for, in units of √(4π nV/area), below which a
surface has as many waves as the mesh has vertices: what lies beyond is a spurious branch. Beside the frequency the decay
rate, and the share of each wave's elevation that lies in the continuous waves below that mark.
"""

import pathlib
import sys

import h5py
import numpy as np
import shoal_plot as sp
from matplotlib.lines import Line2D

COLOURS = {"fefv": "#0072B2", "dec": "#D55E00", "kinetic": "#009E73"}


class Spectrum:
    def __init__(self, path):
        with h5py.File(path, "r") as file:
            if "spectrum" not in file:
                sys.exit(f"{path}: holds no spectrum")
            group = file["spectrum"]
            self.attributes = dict(group.attrs)
            data = {name: group[name][()] for name in
                    ("angular_frequency", "decay_rate", "share", "spurious", "wavenumber")}
        known = np.isfinite(data["wavenumber"]) & (data["wavenumber"] > 0)
        if not known.any():
            sys.exit(f"{path}: no continuous waves are known on {self.attributes['mesh_name']}")
        wavenumber = data["wavenumber"][known]
        exact = np.sqrt(self.attributes["gravity"] * self.attributes["depth"]) * wavenumber
        self.x = wavenumber / np.sqrt(4 * np.pi * self.attributes["vertices"] / self.attributes["area"])
        self.ratio = data["angular_frequency"][known] / exact
        self.decay = data["decay_rate"][known] / exact
        self.share = data["share"][known]
        self.spurious = data["spurious"][known] > 0
        self.name = self.attributes["discretization"]


def scatter(axes, spectrum, values):
    colour = COLOURS.get(spectrum.name, "#000000")
    for spurious, face in ((False, colour), (True, "none")):
        chosen = spectrum.spurious == spurious
        axes.plot(spectrum.x[chosen], values[chosen], linestyle="none", marker="o", markersize=2.2, markeredgewidth=0.5,
                  markeredgecolor=colour, markerfacecolor=face)


def main():
    chosen = sp.arguments(__doc__.splitlines()[0], positional={"more": {"nargs": "*", "type": pathlib.Path}},
                          name={"default": "spectrum", "help": "name of the figure"})
    spectra = [Spectrum(path) for path in [chosen.file, *chosen.more]]
    figure, axes_of = sp.panels([0], ["ratio", "decay", "share"],
                                lambda _, kind: {"ratio": "frequency, discrete / continuous",
                                                 "decay": "decay rate / continuous frequency",
                                                 "share": "share in the resolved waves"}[kind],
                                sharey=False, xlabel="k / √(4π nV / area)")
    figure.set_size_inches(sp.PAGE_WIDTH, 2.9)
    for spectrum in spectra:
        scatter(axes_of[0, "ratio"], spectrum, spectrum.ratio)
        if spectrum.decay.any():
            scatter(axes_of[0, "decay"], spectrum, spectrum.decay)
        scatter(axes_of[0, "share"], spectrum, spectrum.share)
    for axes in axes_of.values():
        axes.axvline(1, color="#555555", linewidth=0.8, linestyle=(0, (3, 2)), zorder=0)
        axes.set(xlim=(0, None), ylim=(0, None))
    axes_of[0, "ratio"].axhline(1, color="#555555", linewidth=0.6, zorder=0)
    axes_of[0, "ratio"].annotate("one wave per vertex", (1, 0), xytext=(-3, 4), textcoords="offset points", rotation=90,
                                 ha="right", va="bottom", fontsize=6.5, color="#555555")
    keys = [Line2D([], [], linestyle="none", marker="o", markersize=3, color=COLOURS.get(s.name, "#000000"),
                   label=f"{s.name}, {s.attributes['mesh_name']}") for s in spectra]
    keys.append(Line2D([], [], linestyle="none", marker="o", markersize=3, markeredgecolor="#555555",
                       markerfacecolor="none", label="spurious"))
    axes_of[0, "ratio"].legend(handles=keys, loc="lower left", fontsize=6.5)
    undamped = [s.name for s in spectra if not s.decay.any()]
    if undamped:
        axes_of[0, "decay"].annotate(f"{', '.join(undamped)}: none", (0.04, 0.94), xycoords="axes fraction", va="top",
                                     fontsize=7, color="#555555")
    sp.save(figure, chosen, chosen.name)


if __name__ == "__main__":
    main()
