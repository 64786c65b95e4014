"""Water on a surface as an image: perspective, what is hidden removed per pixel, lit so that the shape shows."""

import numpy as np
import shoal_plot as sp
from matplotlib.colors import LinearSegmentedColormap, Normalize

SUPERSAMPLING = 2  # each pixel is the mean of 2×2
CANDIDATES = 2_000_000  # pixels that are looked at in one go
BACKGROUND = np.array([[0.97, 0.975, 0.98], [0.82, 0.85, 0.88]])  # top, bottom
SHADOW_PIXELS = 512
GROUND = np.array([0.80, 0.76, 0.70])
SEA = LinearSegmentedColormap.from_list("sea", ["#06356b", "#0f63a8", "#2f97d3", "#7fcfe3", "#d8f2f0", "#ffffff"])


def vertex_normals(vertices, faces):
    """Unit normals [nV, 3], the mean of the triangles around weighted with their areas."""
    a, b, c = (vertices[faces[:, corner]] for corner in range(3))
    face_normals = np.cross(b - a, c - a)
    normals = np.stack([np.bincount(faces.ravel(), np.repeat(face_normals[:, part], 3), minlength=len(vertices))
                        for part in range(3)], axis=1)
    return normals / np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-300)


def frame_of(eye, up=(0.0, 0.0, 1.0)):
    """Rows right, up, towards the eye."""
    towards = np.asarray(eye, float) / np.linalg.norm(eye)
    right = np.cross(up, towards)
    right /= np.linalg.norm(right)
    return np.stack([right, np.cross(towards, right), towards])


class Camera:
    """Looks from `eye` at `middle`; a sphere of `radius` about it fills the image. `distance` is in radii."""

    def __init__(self, eye, middle, radius, distance=6.0, up=(0.0, 0.0, 1.0)):
        self.up, self.frame = up, frame_of(eye, up)
        self.middle, self.radius, self.distance = np.asarray(middle, float), radius, distance

    def project(self, points, size):
        """Pixel coordinates [n, 2] and nearness [n], which is linear over a triangle's image."""
        right, up, towards = ((points - self.middle) / self.radius @ self.frame.T).T
        nearness = 1 / (self.distance - towards)
        scale = 0.5 * size * np.sqrt(self.distance**2 - 1) * nearness  # the silhouette of the sphere touches the border
        return np.stack([0.5 * size + scale * right, 0.5 * size - scale * up], axis=1), nearness

    @property
    def position(self):
        return self.middle + self.distance * self.radius * self.frame[2]


def rasterize(pixels, nearness, faces, size):
    """What is in front in each pixel: (pixel [k], face [k], barycentric coordinates [k, 3]) of those that are covered.

    Triangles are seen from the side from which their corners run clockwise in the image, whose rows go down.
    """
    a, b, c = (pixels[faces[:, corner]] for corner in range(3))
    twice_area = (b[:, 0] - a[:, 0]) * (c[:, 1] - a[:, 1]) - (c[:, 0] - a[:, 0]) * (b[:, 1] - a[:, 1])
    low = np.ceil(np.minimum(np.minimum(a, b), c) - 0.5).astype(int)
    high = np.floor(np.maximum(np.maximum(a, b), c) - 0.5).astype(int)
    low, high = np.maximum(low, 0), np.minimum(high, size - 1)
    extent = high - low + 1
    seen = np.flatnonzero((twice_area < 0) & (extent > 0).all(axis=1))
    # Barycentric coordinates are linear in the image: at the box's first pixel, and their change to the right and down.
    first = low + 0.5
    start, across, down = (np.empty((len(faces), 3), np.float32) for _ in range(3))
    with np.errstate(divide="ignore", invalid="ignore"):  # triangles without area are not seen
        for corner, (v, w) in enumerate(((b, c), (c, a), (a, b))):
            start[:, corner] = ((v[:, 0] - first[:, 0]) * (w[:, 1] - first[:, 1]) -
                                (w[:, 0] - first[:, 0]) * (v[:, 1] - first[:, 1])) / twice_area
            across[:, corner] = (v[:, 1] - w[:, 1]) / twice_area
            down[:, corner] = (w[:, 0] - v[:, 0]) / twice_area
    parts = []
    side = extent[seen].max(axis=1)
    for box in np.unique(side):
        alike = seen[side == box]  # triangles whose boxes are as large
        y, x = (part.ravel() for part in np.indices((box, box)))
        for some in np.array_split(alike, -(-len(alike) * box * box // CANDIDATES)):
            weights = [start[some, corner, None] + across[some, corner, None] * x.astype(np.float32) +
                       down[some, corner, None] * y.astype(np.float32) for corner in range(3)]
            triangle, place = np.nonzero(np.minimum(np.minimum(*weights[:2]), weights[2]) >= 0)
            column, row = low[some[triangle], 0] + x[place], low[some[triangle], 1] + y[place]
            kept = (column < size) & (row < size)
            parts.append(((row * size + column)[kept], some[triangle[kept]],
                          np.stack([w[triangle[kept], place[kept]] for w in weights], axis=1)))
    if not parts:
        return np.zeros(0, int), np.zeros(0, int), np.zeros((0, 3))
    pixel, face, weight = (np.concatenate(column) for column in zip(*parts))
    order = np.argsort(np.einsum("ij,ij->i", weight, nearness[faces[face]]), kind="stable")
    front = np.full(size * size, -1)
    front[pixel[order]] = order  # the last one that is written to a pixel stays: the nearest
    front = front[front >= 0]
    return pixel[front], face[front], weight[front]


def shadow(points, normals, light, vertices, faces, camera):
    """Part of the light [k] that reaches each point, softened over the neighbouring pixels of the light's own view."""
    view = Camera(light, camera.middle, 1.02 * camera.radius, distance=60.0, up=camera.up)
    pixels, nearness = view.project(vertices, SHADOW_PIXELS)
    pixel, face, weight = rasterize(pixels, nearness, faces, SHADOW_PIXELS)
    nearest = np.zeros(SHADOW_PIXELS**2)
    nearest[pixel] = np.einsum("ij,ij->i", weight, nearness[faces[face]])
    at, depth = view.project(points + 0.03 * camera.radius * normals, SHADOW_PIXELS)
    lit = np.zeros(len(points))
    reach = np.arange(-4, 5, 4)
    for right in reach:
        for down in reach:
            x, y = (np.clip(np.floor(at[:, part]).astype(int) + step, 0, SHADOW_PIXELS - 1)
                    for part, step in ((0, right), (1, down)))
            lit += depth >= nearest[y * SHADOW_PIXELS + x]
    return lit / len(reach) ** 2


def render(vertices, faces, values, colours, camera, size, wires=0.0):
    """An image [size, size, 3] in 0 … 1 of the surface in the colours of the values [nV].

    `colours` takes values to [k, 3 or 4]; `wires` is how strongly the edges of the triangles show.
    """
    fine = size * SUPERSAMPLING
    pixels, nearness = camera.project(vertices, fine)
    pixel, face, weight = rasterize(pixels, nearness, faces, fine)
    corners = faces[face]
    true = weight * nearness[corners]  # perspective: what is linear on the triangle is not in its image
    true /= true.sum(axis=1, keepdims=True)
    normals = vertex_normals(vertices, faces)
    normal = np.einsum("ij,ijk->ik", true, normals[corners])
    normal /= np.linalg.norm(normal, axis=1, keepdims=True)
    point = np.einsum("ij,ijk->ik", true, vertices[corners])
    eye = camera.position - point
    eye /= np.linalg.norm(eye, axis=1, keepdims=True)

    right, up, towards = camera.frame
    key = -0.55 * right + 0.75 * up + 0.6 * towards
    key /= np.linalg.norm(key)
    fill = 0.8 * right + 0.1 * up + 0.5 * towards
    fill /= np.linalg.norm(fill)
    half = key + eye
    half /= np.linalg.norm(half, axis=1, keepdims=True)
    reached = shadow(point, normal, key, vertices, faces, camera)
    diffuse = np.clip(normal @ key, 0, 1) * reached
    facing = np.clip(np.einsum("ij,ij->i", normal, eye), 0, 1)
    gloss = np.clip(np.einsum("ij,ij->i", normal, half), 0, 1) ** 60 * reached * (diffuse > 0)
    brightness = 0.52 + 0.12 * (normal @ up) + 0.50 * diffuse + 0.16 * np.clip(normal @ fill, 0, 1)

    colour = colours(np.einsum("ij,ij->i", true, values[corners]))[:, :3] * brightness[:, None]
    if wires:
        edge = np.linalg.norm(pixels[corners[:, [1, 2, 0]]] - pixels[corners[:, [2, 0, 1]]], axis=2)
        twice_area = np.abs(np.cross(pixels[corners[:, 1]] - pixels[corners[:, 0]],
                                     pixels[corners[:, 2]] - pixels[corners[:, 0]]))
        away = (weight * twice_area[:, None] / np.maximum(edge, 1e-12)).min(axis=1)  # pixels to the nearest edge
        colour *= 1 - wires * np.clip(1.2 - away / (0.6 * SUPERSAMPLING), 0, 1)[:, None]
    rim = 0.25 * (1 - facing) ** 4
    colour = colour * (1 - rim[:, None]) + rim[:, None] * BACKGROUND[0] + 0.40 * gloss[:, None]

    shade = np.linspace(0, 1, fine)[:, None, None]
    image = np.broadcast_to(BACKGROUND[0] * (1 - shade) + BACKGROUND[1] * shade, (fine, fine, 3)).reshape(-1, 3).copy()
    image[pixel] = np.clip(colour, 0, 1)
    return image.reshape(size, SUPERSAMPLING, size, SUPERSAMPLING, 3).mean(axis=(1, 3))


class Water:
    """The free surface of a run, in the colours of its elevation, at each of its snapshots.

    It is drawn at position + exaggeration · elevation · normal, what is dry in the colour of the ground; the camera stays
    and has all of it in view.
    """

    def __init__(self, results, run, eye, exaggeration, limit=None, wires=0.1, up=(0.0, 0.0, 1.0)):
        if not np.any(np.cross(eye, up)):
            sp.refuse("--eye and --up point along one line")
        self.results, self.run, self.wires = results, run, wires
        self.times = run.snapshot_times()
        if not len(self.times):
            sp.refuse(f"run {run.id} has no snapshots")
        self.elevations = [run.elevation_at(time) for time in self.times]
        self.surfaces = []
        for time, elevation in zip(self.times, self.elevations):
            vertices, faces = results.surface_at(run, time)
            raised = vertices + exaggeration * elevation[:, None] * vertex_normals(vertices, faces)
            self.surfaces.append((raised, faces))
        # Almost all of the elevations; a splash may go beyond the colours.
        self.limit = limit or sp.nice_floor(1.2 * np.percentile(np.abs(self.elevations), 99) or 1.0)
        low, high = (np.array([getattr(vertices, which)(axis=0) for vertices, _ in self.surfaces])
                     for which in ("min", "max"))
        middle = 0.5 * (low.min(axis=0) + high.max(axis=0))
        radius = max(np.linalg.norm(vertices - middle, axis=1).max() for vertices, _ in self.surfaces)
        self.camera = Camera(eye, middle, 1.05 * radius, up=up)

    @property
    def norm(self):
        return Normalize(-self.limit, self.limit)

    @property
    def title(self):
        motion = self.run.attributes.get("motion", "none")
        return f"{self.run['scene']} on {self.run['mesh_name']}" + (f", {motion}" if motion != "none" else "")

    def image(self, place, size):
        # Of scenes with dry ground, whose beds are uniform.
        dry = self.run["wet_depth"] - self.run["depth"] if "wet_depth" in self.run.attributes else -np.inf

        def colours(elevation):
            return np.where(elevation[:, None] > dry, SEA(self.norm(elevation))[:, :3], GROUND)

        return render(*self.surfaces[place], self.elevations[place], colours, self.camera, size, self.wires)


def look(text):
    """x,y,z of an option."""
    eye = np.array([float(part) for part in text.split(",")])
    if eye.shape != (3,) or not np.any(eye):
        raise ValueError(text)
    return eye


look.__name__ = "direction x,y,z"  # argparse says: invalid … value

VIEW = {
    "eye": {"type": look, "default": look("1,-1.2,0.8"), "metavar": "X,Y,Z", "help": "the direction that is looked from"},
    "up": {"type": look, "default": look("0,0,1"), "metavar": "X,Y,Z", "help": "the direction that is up in the picture"},
    "exaggeration": {"type": float, "default": 1.0, "help": "of the elevation (default: %(default)g)"},
    "limit": {"type": float, "help": "elevation in m at the ends of the colours"},
    "wires": {"type": float, "default": 0.1, "help": "how strongly edges show, 0 … 1 (default: %(default)g)"},
}
