"""Tabulate the error of the depth on icospheres at the end of breathing-zonal-flow, on the lines of the subdivision and off them.

    /usr/bin/python3 scripts/plots/subdivision_lines.py results/fefv-depth-order/fefv-depth-order.h5

The edges of the icosahedron and of its first subdivision, with their refinements in finer meshes, are lines at which the metric of
the mesh has a kink. Three quantities are compared on these lines and elsewhere: the error; the distance of the centroid of a dual cell
from its vertex; and −δK/g, where δK is the error of fefv's kinetic energy at a vertex (the mean over its triangles) for the exact
velocity, which the depth balances. Writes a Markdown table. Requires scipy.
"""

import numpy as np
from scipy.spatial import ConvexHull, cKDTree
from shoal_plots.arguments import arguments, refuse, save_table
from shoal_plots.results import Results, vertex_areas

LINES = 1  # level of the finest edges that count as lines


def level_of(vertices):
    """L of icosphere:L, whose vertices are those of level L − 1 and then the new ones."""
    return round(np.log((len(vertices) - 2) / 10) / np.log(4))


def on_lines(normals, finest):
    """Whether each vertex lies on an edge of level LINES."""
    count = 10 * 4**LINES + 2
    hull = ConvexHull(normals[:count]).simplices
    edges = np.unique(np.sort(hull[:, [[0, 1], [1, 2], [2, 0]]].reshape(-1, 2), axis=1), axis=0)
    there = np.zeros(len(normals), bool)
    there[:count] = True
    tree = cKDTree(normals)
    for _ in range(finest - LINES):
        middle = normals[edges].sum(axis=1)
        distance, place = tree.query(middle / np.linalg.norm(middle, axis=1, keepdims=True))
        if distance.max() > 1e-6:
            refuse("the mesh is no icosahedron subdivided at the middles of its edges")
        there[place] = True
        edges = np.concatenate([np.column_stack([edges[:, 0], place]), np.column_stack([place, edges[:, 1]])])
    return there


def fields(results, run):
    """(edge length, dual areas, relative error of the depth, offset of the centroids over it, −δK/g relative) at the end."""
    time = run.snapshot_times()[-1]
    x, faces = results.surface_at(run, time)
    exact = run.elevation_at(time, "")
    error = run.elevation_at(time) - exact
    thirds = np.linalg.norm(np.cross(x[faces[:, 1]] - x[faces[:, 0]], x[faces[:, 2]] - x[faces[:, 0]]), axis=1) / 6
    area = vertex_areas(x, faces)

    def mean(values):
        return np.bincount(faces.ravel(), np.repeat(thirds * values, 3), minlength=len(x)) / area

    normal = x / np.linalg.norm(x, axis=1, keepdims=True)
    centroids = x[faces].mean(axis=1)
    offset = np.stack([mean(centroids[:, part]) for part in range(3)], axis=1) - x
    offset -= normal * np.sum(offset * normal, axis=1, keepdims=True)
    edge = np.sqrt(12 / np.sqrt(3) * thirds.mean())
    axis = np.array([float(part) for part in str(run["axis"]).split(",")])
    axis /= np.linalg.norm(axis)
    rate = run["rate"] * (run["radius"] / np.linalg.norm(x, axis=1).mean()) ** 2

    def kinetic(points):
        return 0.5 * rate**2 * np.sum(np.cross(axis, points) ** 2, axis=1)

    depth = run.series("bed_depth_at_vertices") + exact
    scale = np.sqrt(np.sum(area * depth**2) / area.sum())
    balance = (kinetic(x) - mean(kinetic(centroids))) / run["gravity"]
    return edge, area, error / scale, np.linalg.norm(offset, axis=1) / edge, balance / scale


def main():
    chosen = arguments(__doc__, figure=False, name={"default": "distances", "help": "name of the table"})
    results = Results(chosen.file)
    lines = ["| radius | mesh | vertices | area | share of the squared error | rms error | order | centroid off its vertex, over the edge | "
             "correlation with −δK/g |", "|" + "---|" * 9]
    before = {}
    for run in results.runs:
        if run.refused or run.stopped_early or not run["mesh_name"].startswith("icosphere"):
            continue
        edge, area, error, offset, balance = fields(results, run)
        x, _ = results.mesh(run)
        there = on_lines(x / np.linalg.norm(x, axis=1, keepdims=True), level_of(x))
        for name, part in (("on lines", there), ("elsewhere", ~there)):
            if not part.any() or there.all():
                continue
            weight = area * part
            rms = np.sqrt(np.sum(weight * error**2) / weight.sum())
            alike = run["amplitude"], name
            order = f"{np.log(before[alike][1] / rms) / np.log(before[alike][0] / edge):.2f}" if alike in before else ""
            before[alike] = edge, rms
            correlation = np.sum(weight * error * balance) / np.sqrt(np.sum(weight * error**2) * np.sum(weight * balance**2))
            lines.append(f"| {'breathing' if run['amplitude'] else 'at rest'} | {run['mesh_name']} | {name} | {weight.sum() / area.sum():.2f} | "
                         f"{np.sum(weight * error**2) / np.sum(area * error**2):.2f} | {rms:.2e} | {order} | "
                         f"{np.sqrt(np.mean(offset[part] ** 2)):.4f} | {correlation:.2f} |")
    save_table(lines, chosen)


if __name__ == "__main__":
    main()
