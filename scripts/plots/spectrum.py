"""Discrete over continuous frequency of all waves, over wavenumber, from files of `shoal spectrum --output`.

    /usr/bin/python3 scripts/plots/spectrum.py results/spectrum/fefv.h5 results/spectrum/dec.h5 results/spectrum/kinetic.h5

The wavenumber k is that of the continuous wave that a discrete one stands for, in units of √(4π nV/area), below which a
surface has as many waves as the mesh has vertices: what lies beyond is a spurious branch. Beside the frequency the decay
rate, and the share of each wave's elevation that lies in the continuous waves below that mark.
"""

import pathlib

import numpy as np
import shoal_plot as sp

SIZES = [4.2, 2.6, 1.6]  # of marks, a size for each file: where those of several schemes coincide all of them show


class Spectrum:
    def __init__(self, path):
        group = sp.open_group(path, "spectrum")
        self.attributes = dict(group.attrs)
        data = {name: group[name][()] for name in
                ("angular_frequency", "decay_rate", "share", "spurious", "wavenumber")}
        known = np.isfinite(data["wavenumber"]) & (data["wavenumber"] > 0)
        if not known.any():
            sp.refuse(f"{path}: no continuous waves are known on {self.attributes['mesh_name']}")
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
    colour = sp.DISCRETIZATION_COLOURS.get(spectrum.name, "#000000")
    return {"linestyle": "none", "marker": "o", "markersize": size, "markeredgewidth": 0.5, "markeredgecolor": colour,
            "markerfacecolor": "none" if spurious else colour}


def scatter(axes, spectrum, values, size):
    for spurious in (False, True):
        chosen = spectrum.spurious == spurious
        axes.plot(spectrum.x[chosen], values[chosen], **mark(spectrum, min(size, 2.6) if spurious else size, spurious))


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
    sizes = [SIZES[i % len(SIZES)] for i in range(len(spectra))]
    for spectrum, size in zip(spectra, sizes):
        scatter(axes_of[0, "ratio"], spectrum, spectrum.ratio, size)
        if spectrum.decay.any():
            scatter(axes_of[0, "decay"], spectrum, spectrum.decay, 2.6)
        scatter(axes_of[0, "share"], spectrum, spectrum.share, size)
    for axes in axes_of.values():
        axes.axvline(1, color=sp.GREY, linewidth=0.8, linestyle=(0, (3, 2)), zorder=0)
        axes.set(xlim=(0, None), ylim=(0, None))
    axes_of[0, "ratio"].axhline(1, color=sp.GREY, linewidth=0.6, zorder=0)
    axes_of[0, "ratio"].annotate("one wave per vertex", (1, 0), xytext=(-3, 4), textcoords="offset points", rotation=90,
                                 ha="right", va="bottom", fontsize=6.5, color=sp.GREY)
    for spectrum, size in zip(spectra, sizes):
        axes_of[0, "ratio"].plot([], [], **mark(spectrum, size),
                                 label=f"{spectrum.name}, {spectrum.attributes['mesh_name']}")
    if any(spectrum.spurious.any() for spectrum in spectra):
        axes_of[0, "ratio"].plot([], [], **{**mark(spectra[0], 2.6, True), "markeredgecolor": sp.GREY}, label="spurious")
    sp.legend_below(figure, axes_of.values())
    undamped = ", ".join(spectrum.name for spectrum in spectra if not spectrum.decay.any())
    trivial = {True: "all, as it has\na depth per vertex", False: "not known"}
    unseen = {"decay": [f"{undamped}: none"] if undamped else [],
              "share": [f"{spectrum.name}: {trivial[bool(spectrum.resolves_all)]}"
                        for spectrum in spectra if not np.isfinite(spectrum.share).any()]}
    for kind, lines in unseen.items():
        axes_of[0, kind].annotate("\n".join(lines), (0.04, 0.8), xycoords="axes fraction", va="top", fontsize=7,
                                  color=sp.GREY)
    sp.save(figure, chosen, chosen.name)


if __name__ == "__main__":
    main()
