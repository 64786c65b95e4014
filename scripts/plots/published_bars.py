"""Frames that Angst published and ours on meshes of the same size: two panels of stacked bars, each with its own scale.

    /usr/bin/python3 scripts/plots/published_bars.py results/table-7-1/table.csv table-7-1 --stages animation flattening

Reads what published_table.py reads. A bar is a frame, cut into its stages; grey is what lies in none of them. A stage has its
colour in both panels. Labels: `--label VERTICES=TEXT`.
"""

import published
import shoal_plot as sp

plt = sp.plt
REST = "#D0D0D0"


def labels_of(chosen):
    labels = {}
    for text in chosen.label:
        size, _, label = text.partition("=")
        if not size.isdigit() or not label:
            sp.refuse(f"--label: '{text}' is not VERTICES=TEXT")
        labels[int(size)] = label
    return labels


def bars(axes, values_of, stages, colours, names, remarks, room):
    """values_of: for each bar the ms of each of `stages`, then of the frame; None where there is no bar. `room` of the longest
    bar is left for its remark."""
    for place, values in enumerate(values_of):
        if values is None:
            axes.annotate("no run", (0, place), xytext=(4, 0), textcoords="offset points", va="center", color=sp.GREY)
            continue
        left = 0
        for stage, value in [*zip(stages, values), (None, max(0.0, values[-1] - sum(values[:-1])))]:
            axes.barh(place, value, left=left, height=0.68, color=colours.get(stage, REST), edgecolor="white", linewidth=0.4)
            left += value
        axes.annotate(f"{values[-1]:.3g} ms{remarks[place]}", (left, place), xytext=(3, 0), textcoords="offset points", va="center", fontsize=7)
    axes.set_yticks(range(len(names)), names)
    axes.invert_yaxis()
    axes.grid(axis="y", visible=False)
    axes.set_xlim(0, (1 + room) * max(values[-1] for values in values_of if values))
    axes.set_xlabel("ms in a frame")


def main():
    chosen = sp.arguments(__doc__.splitlines()[0], positional={"published": {"choices": sorted(published.TABLES)}},
                          stages={"nargs": "+", "default": [], "help": "stages of ours, in order"},
                          label={"action": "append", "default": [], "help": "VERTICES=TEXT, what our mesh is"},
                          name={"default": "frames", "help": "name of the figure"})
    source = published.TABLES[chosen.published]()
    rows, _, _ = published.read(chosen.file, source, chosen.stages)
    labels = labels_of(chosen)
    ours = {}
    for row, size, values in rows:
        ours.setdefault(size, (row["mesh_name"], values))
    stages = list(dict.fromkeys([*chosen.stages, *source.stages]))
    colours = dict(zip(stages, sp.PALETTE))
    sizes = sorted(source.models)
    heights = [0.55 + 0.36 * len(sizes), 0.2]
    figure = plt.figure(figsize=(sp.PAGE_WIDTH, 0.2 + sum(heights)))
    grid = figure.add_gridspec(2, 2, height_ratios=heights)
    left, right, below = figure.add_subplot(grid[0, 0]), figure.add_subplot(grid[0, 1]), figure.add_subplot(grid[1, :])
    below.axis("off")
    bars(left, [source.models[size][1] for size in sizes], source.stages, colours,
         [f"{source.models[size][0]}\n{size} vertices" for size in sizes], [""] * len(sizes), 0.2)
    left.set_title(f"published: {source.title}", loc="left")
    faster = {size: source.models[size][1][-1] / values[-1] for size, (_, values) in ours.items() if size in source.models}
    if not faster:
        sp.refuse(f"{chosen.file}: no run has the number of vertices of a published model")
    bars(right, [ours[size][1] if size in ours else None for size in sizes], chosen.stages, colours,
         [labels.get(size, ours[size][0] if size in ours else "") for size in sizes],
         [f", {faster[size]:.0f} times as fast" if size in faster else "" for size in sizes], 0.95)
    zoom = left.get_xlim()[1] / right.get_xlim()[1]
    right.set_title(f"Shoal, one core; scale stretched {zoom:.0f} times", loc="left")
    handles = [plt.Rectangle((0, 0), 1, 1, color=colours[stage]) for stage in stages]
    if stages:
        below.legend([*handles, plt.Rectangle((0, 0), 1, 1, color=REST)], [*stages, "other" if source.stages else "other, or not told apart"], loc="center", ncol=len(stages) + 1,
                     handlelength=1, columnspacing=1.2)
    sp.save(figure, chosen, chosen.name)


if __name__ == "__main__":
    main()
