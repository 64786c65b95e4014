"""Which part of a surface is dry land, how high water and land stand, and what the water beside the land is coloured by."""

import numpy as np

# The colour of dry land, which occurs in no colour scale for water.
LAND = np.array([0.66, 0.60, 0.48])
DRY_SHARE = 1e-3  # default limit of dry depths, as a fraction of the largest depth in the first snapshot with water


def dry_depth(run, given=None):
    """The depth up to which a place counts as dry, m: as given, that of the run's scene, or a fraction of the largest initial depth."""
    if given is not None:
        return given
    if run.get("wet_depth") is not None:
        return run["wet_depth"]
    for depth in run.rows("snapshots/depth_at_vertices"):
        if (largest := np.max(depth, where=np.isfinite(depth), initial=0)) > 0:  # later depths of an unstable run can have any value
            return DRY_SHARE * largest
    return 0


class Shore:
    """A run's surface at a snapshot: `height` [nV] in m, where the water's surface or the land is above the surface at rest;
    `elevation` [nV], that of the water, beside land that of the water nearby, by which it is coloured; `dry` [nF, 3], whether
    the corners of triangles are dry.

    Where the scheme's cells are the triangles, whole triangles are dry, and the elevation at a vertex is the mean of the wet ones
    around it: the mean of their depths, wet and dry, over the bed of the vertex would be a wall of water along each shore.
    """

    def __init__(self, results, run, time, limit, reference=None):
        vertices, faces = results.surface_at(run, time)
        cells = run.cells_at(time) if reference is None else None
        self.height = run.elevation_at(time, reference)
        if cells is None:
            depth = self.height + run.bed
            wet = ~(depth <= limit)  # NaN is not dry
            self.dry = ~wet[faces]
            # The water adjacent to each dry vertex.
            first, second = np.concatenate([faces[:, [0, 1]], faces[:, [1, 2]], faces[:, [2, 0]]]).T
            ends, others = np.concatenate([first, second]), np.concatenate([second, first])
            beside, wet_beside = self.height[others], wet[others]
            sums = np.bincount(ends, np.where(wet_beside, beside, 0), minlength=len(vertices))
            count = np.bincount(ends, wet_beside, minlength=len(vertices))
            self.elevation = np.where(wet, self.height, sums / np.maximum(count, 1))
            return
        depth, elevation = cells
        wet = ~(depth <= limit)
        self.dry = np.repeat(~wet[:, None], 3, axis=1)
        area = np.linalg.norm(np.cross(vertices[faces[:, 1]] - vertices[faces[:, 0]], vertices[faces[:, 2]] - vertices[faces[:, 0]]), axis=1)
        weight = np.repeat(np.where(wet, area, 0), 3)
        sums = np.bincount(faces.ravel(), weight * np.repeat(np.where(wet, elevation, 0), 3), minlength=len(vertices))
        weights = np.bincount(faces.ravel(), weight, minlength=len(vertices))
        self.elevation = np.where(weights > 0, sums / np.where(weights > 0, weights, 1), 0)
        self.height = np.where(weights > 0, self.elevation, self.height)

    @property
    def has_land(self):
        return bool(self.dry.any())
