"""Plot frame times published by Angst and ours on meshes of the same size: two panels of stacked bars, each with its own scale.

    /usr/bin/python3 scripts/plots/published_bars.py results/table-7-1/table.csv table-7-1 --stages animation flattening

Reads the same table as published_table.py. A bar is a frame, divided into its stages; grey is the time outside all stages. A stage has
the same colour in both panels. Labels: `--label VERTICES=TEXT`.
"""

from shoal_plots import published, style
from shoal_plots.arguments import arguments, refuse
from shoal_plots.page import Page
from shoal_plots.style import plt

REST = "#D0D0D0"


def labels_of(chosen):
    labels = {}
    for text in chosen.label:
        size, _, label = text.partition("=")
        if not size.isdigit() or not label:
            refuse(f"--label: '{text}' is not VERTICES=TEXT")
        labels[int(size)] = label
    return labels


def bars(axes, values_of, stages, colours, names, remarks, room):
    """values_of: for each bar the ms of each of `stages`, then of the frame; None if there is no bar. `room` is the fraction of the
    longest bar that is left free for its remark."""
    for place, values in enumerate(values_of):
        if values is None:
            axes.annotate("no run", (0, place), xytext=(4, 0), textcoords="offset points", va="center", color=style.GREY)
            continue
        left = 0
        for stage, value in [*zip(stages, values), (None, max(0.0, values[-1] - sum(values[:-1])))]:
            axes.barh(place, value, left=left, height=0.68, color=colours.get(stage, REST), edgecolor="white", linewidth=0.4)
            left += value
        axes.annotate(f"{values[-1]:.3g} ms{remarks[place]}", (left, place), xytext=(3, 0), textcoords="offset points", va="center", fontsize=style.SMALL)
    axes.set_yticks(range(len(names)), names)
    axes.invert_yaxis()
    axes.grid(axis="y", visible=False)
    axes.set_xlim(0, (1 + room) * max(values[-1] for values in values_of if values))


def main():
    chosen = arguments(__doc__, positional={"published": {"choices": sorted(published.TABLES), "help": "the published table"}},
                          stages={"nargs": "+", "default": [], "help": "stages of our runs, in order"},
                          label={"action": "append", "default": [], "help": "VERTICES=TEXT, description of our mesh"},
                          name={"default": "frames", "help": "name of the figure"})
    source = published.TABLES[chosen.published]()
    rows, _, _ = published.read(chosen.file, source, chosen.stages)
    labels = labels_of(chosen)
    ours = {}
    for row, size, values in rows:
        ours.setdefault(size, (row["mesh_name"], values))
    stages = list(dict.fromkeys([*chosen.stages, *source.stages]))
    colours = dict(zip(stages, style.PALETTE))
    sizes = sorted(source.models)
    page = Page(["frames"], ["published", "ours"], chosen.width, 10 + 8 * len(sizes), sharex=False, sharey=False)
    left, right = page.row("frames")
    bars(left, [source.models[size][1] for size in sizes], source.stages, colours,
         [f"{source.models[size][0]}\n{size} vertices" for size in sizes], [""] * len(sizes), 0.2)
    page.title(("frames", "published"), f"published: {source.title}")
    faster = {size: source.models[size][1][-1] / values[-1] for size, (_, values) in ours.items() if size in source.models}
    if not faster:
        refuse(f"{chosen.file}: no run has the number of vertices of a published model")
    bars(right, [ours[size][1] if size in ours else None for size in sizes], chosen.stages, colours,
         [labels.get(size, ours[size][0] if size in ours else "") for size in sizes],
         [f", {faster[size]:.0f} times as fast" if size in faster else "" for size in sizes], 0.95)
    zoom = left.get_xlim()[1] / right.get_xlim()[1]
    page.title(("frames", "ours"), f"Shoal, one core; scale stretched {zoom:.0f} times")
    page.xlabel("time of a frame (ms)")
    entries = {stage: plt.Rectangle((0, 0), 1, 1, color=colours[stage]) for stage in stages}
    if stages:
        page.legend([("", {**entries, "other" if source.stages else "other, or not told apart": plt.Rectangle((0, 0), 1, 1, color=REST)})])
    page.save(chosen, chosen.name)


if __name__ == "__main__":
    main()
