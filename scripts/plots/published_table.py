"""Write a Markdown table of the stages of a frame in ms beside those published by Angst.

    /usr/bin/python3 scripts/plots/published_table.py results/table-7-1/table.csv table-7-1 --stages animation flattening

The input is the output of `shoal table FILE.h5 --as csv --columns …`. Rows with the number of vertices of a published model are listed
beside it.
"""

import os

from shoal_plots import published
from shoal_plots.arguments import TABLE_NAME, arguments, save_table


def line(cells):
    return "| " + " | ".join(cells) + " |"


def rates_of(frame, parts):
    """The cells of a frame that takes `frame` ms and whose picture takes those of `parts`, if that is known."""
    def rate(ms):
        return f"{1000 / ms:.3g}" if ms > 1 else f"{1000 / ms:.0f}"

    if parts is None:
        return [rate(frame), "–", "–", "–"]
    picture = sum(parts)
    return [rate(frame), " + ".join(f"{part:.3g}" for part in parts), f"{picture / (frame + picture):.0%}", rate(frame + picture)]


def table(chosen):
    """The lines of the table."""
    source = published.TABLES[chosen.published]()
    stages = chosen.stages + [stage for stage in source.stages if stage not in chosen.stages]
    rows, left_out, missing = published.read(chosen.file, source, chosen.stages)
    drawn = published.pictures(chosen.file) if chosen.pictures else {}
    rates = ["frames/s", *(["picture [ms]", "share of the picture", "frames/s with it"] if chosen.pictures else [])]
    yield line(["mesh", "vertices", "triangles", *(f"{stage} [ms]" for stage in stages), "frame [ms]", *rates])
    yield "|---" * (4 + len(stages) + len(rates)) + "|"
    shares = []
    for row, size, values in rows:
        ours = dict(zip([*chosen.stages, "frame"], values))
        cells = [f"{ours[stage]:.3g}" if stage in ours else "–" for stage in [*stages, "frame"]]
        cells += rates_of(ours["frame"], drawn.get(row.get("id")))
        yield line([row["mesh_name"], str(size), row["triangles"], *cells[:len(stages) + 1 + len(rates)]])
        if "flattening" in ours:
            shares.append(f"{ours['flattening'] / ours['frame']:.0%} ({size})")
        if size not in source.models:
            continue
        name, times, rendering = source.models[size]
        theirs = dict(zip([*source.stages, "frame"], times))
        cells = [f"{theirs[stage]:.3g}" if stage in theirs else "–" for stage in [*stages, "frame"]] + rates_of(theirs["frame"], [rendering])
        yield line([f"published: {name}", "", "", *cells[:len(stages) + 1 + len(rates)]])
        ratios = [f"{theirs[stage] / ours[stage]:.0f}" if theirs.get(stage) and ours.get(stage) else "–"
                  for stage in [*stages, "frame"]]
        yield line(["times as fast", "", "", *ratios, *["–"] * len(rates)])
    yield ""
    yield f"Published: {source.title}; {source.note}."
    if drawn:
        yield ("Our pictures, 800 × 600 pixels as in the window: preparing the surfaces + drawing them with a software renderer in the place of a "
               "graphics card.")
    if shares:
        yield f"Flattening takes of a frame (vertices): {', '.join(shares)}."
    for text in [*left_out, *(f"{name}: no run with its number of vertices" for name in missing)]:
        yield f"Left out: {text}."
    yield (f"One core; when the table was made {os.getloadavg()[0]:.1f} of {os.cpu_count()} cores were busy on average over the last "
           "minute.")


def main():
    chosen = arguments(__doc__, figure=False, positional={"published": {"choices": sorted(published.TABLES), "help": "the published table"}},
                          stages={"nargs": "+", "default": [], "help": "stages of our runs, in order"},
                          pictures={"action": "store_true", "help": "with the time of a picture, from pictures.csv beside the input, which "
                                                                    "scripts/experiment.sh measures"},
                          name=TABLE_NAME)
    save_table(table(chosen), chosen)


if __name__ == "__main__":
    main()
