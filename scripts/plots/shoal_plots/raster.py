"""Surfaces as images: perspective, what is hidden removed per pixel, lit so that the shape shows.

The light is matt and only darkens: no highlight brings in a colour that the scale of colours may have.
"""

import numpy as np

SUPERSAMPLING = 2  # each pixel is the mean of 2×2
CANDIDATES = 2_000_000  # pixels processed at once
BACKGROUND = 1.0  # white, as paper
SHADOW_PIXELS = 512
AMBIENT, DIFFUSE, FILL = 0.66, 0.40, 0.10  # of the light from everywhere, from the upper left, from the right


def vertex_normals(vertices, faces):
    """Unit normals [nV, 3]: the area-weighted mean over the surrounding triangles."""
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
    """Looks from `eye` at `middle`; a sphere of `radius` about `middle` fills the image. `distance` is in radii."""

    def __init__(self, eye, middle, radius, distance=6.0, up=(0.0, 0.0, 1.0)):
        self.up, self.frame = up, frame_of(eye, up)
        self.middle, self.radius, self.distance = np.asarray(middle, float), radius, distance

    def project(self, points, size):
        """Pixel coordinates [n, 2] and nearness [n], which is linear over a triangle's image."""
        right, up, towards = ((points - self.middle) / self.radius @ self.frame.T).T
        nearness = 1 / (self.distance - towards)
        scale = 0.5 * size * np.sqrt(self.distance**2 - 1) * nearness  # the silhouette of the sphere touches the border
        return np.stack([0.5 * size + scale * right, 0.5 * size - scale * up], axis=1), nearness


def rasterize(pixels, nearness, faces, size):
    """The frontmost triangle in each covered pixel: (pixel [k], face [k], barycentric coordinates [k, 3]).

    Triangles are seen from the side from which their corners run clockwise in the image, whose rows go down.
    """
    a, b, c = (pixels[faces[:, corner]] for corner in range(3))
    twice_area = (b[:, 0] - a[:, 0]) * (c[:, 1] - a[:, 1]) - (c[:, 0] - a[:, 0]) * (b[:, 1] - a[:, 1])
    low = np.ceil(np.minimum(np.minimum(a, b), c) - 0.5).astype(int)
    high = np.floor(np.maximum(np.maximum(a, b), c) - 0.5).astype(int)
    low, high = np.maximum(low, 0), np.minimum(high, size - 1)
    extent = high - low + 1
    seen = np.flatnonzero((twice_area < 0) & (extent > 0).all(axis=1))
    # Barycentric coordinates are linear in the image: their values at the first pixel of the box, and their change to the right and down.
    first = low + 0.5
    start, across, down = (np.empty((len(faces), 3), np.float32) for _ in range(3))
    with np.errstate(divide="ignore", invalid="ignore"):  # triangles without area are invisible
        for corner, (v, w) in enumerate(((b, c), (c, a), (a, b))):
            start[:, corner] = ((v[:, 0] - first[:, 0]) * (w[:, 1] - first[:, 1]) -
                                (w[:, 0] - first[:, 0]) * (v[:, 1] - first[:, 1])) / twice_area
            across[:, corner] = (v[:, 1] - w[:, 1]) / twice_area
            down[:, corner] = (w[:, 0] - v[:, 0]) / twice_area
    parts = []
    side = extent[seen].max(axis=1)
    for box in np.unique(side):
        alike = seen[side == box]  # triangles with boxes of this size
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
    front[pixel[order]] = order  # the last triangle written to a pixel remains: the nearest
    front = front[front >= 0]
    return pixel[front], face[front], weight[front]


def visible(vertices, faces, camera, size):
    """The triangles of which a part is seen."""
    return np.unique(rasterize(*camera.project(vertices, size), faces, size)[1])


def shadow(points, normals, light, vertices, faces, camera):
    """The fraction of the light [k] that reaches each point, softened over the neighbouring pixels of the light's own view."""
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


def render(vertices, faces, values, colours, camera, size, wires=0.0, shadows=True, dry=None, land=None):
    """An image [size, size, 3] in 0 … 1 of the surface in the colours of the values [nV].

    `colours` takes values to [k, 3 or 4]; `wires` is how strongly the edges of the triangles show; without
    `shadows` nothing throws one, which is enough for a sphere. Of the corners that are `dry` [nF, 3] the part of a triangle up
    to the middles of its edges has the colour `land`.
    """
    fine = size * SUPERSAMPLING
    pixels, nearness = camera.project(vertices, fine)
    pixel, face, weight = rasterize(pixels, nearness, faces, fine)
    corners = faces[face]
    true = weight * nearness[corners]  # perspective: a linear function on the triangle is not linear in its image
    true /= true.sum(axis=1, keepdims=True)
    normals = vertex_normals(vertices, faces)
    normal = np.einsum("ij,ijk->ik", true, normals[corners])
    normal /= np.linalg.norm(normal, axis=1, keepdims=True)
    point = np.einsum("ij,ijk->ik", true, vertices[corners])

    right, up, towards = camera.frame
    key = -0.55 * right + 0.75 * up + 0.6 * towards
    key /= np.linalg.norm(key)
    fill = 0.8 * right + 0.1 * up + 0.5 * towards
    fill /= np.linalg.norm(fill)
    reached = shadow(point, normal, key, vertices, faces, camera) if shadows else 1.0
    brightness = AMBIENT + DIFFUSE * np.clip(normal @ key, 0, 1) * reached + FILL * np.clip(normal @ fill, 0, 1)
    brightness = np.minimum(brightness, 1)

    colour = colours(np.einsum("ij,ij->i", true, values[corners]))[:, :3]
    if dry is not None:
        colour = np.where(np.einsum("ij,ij->i", true, dry[face].astype(float))[:, None] > 0.5, land, colour)
    colour = colour * brightness[:, None]
    if wires:
        edge = np.linalg.norm(pixels[corners[:, [1, 2, 0]]] - pixels[corners[:, [2, 0, 1]]], axis=2)
        twice_area = np.abs(np.cross(pixels[corners[:, 1]] - pixels[corners[:, 0]],
                                     pixels[corners[:, 2]] - pixels[corners[:, 0]]))
        away = (weight * twice_area[:, None] / np.maximum(edge, 1e-12)).min(axis=1)  # pixels to the nearest edge
        colour *= 1 - wires * np.clip(1.2 - away / (0.6 * SUPERSAMPLING), 0, 1)[:, None]
    image = np.full((fine * fine, 3), BACKGROUND)
    image[pixel] = np.clip(colour, 0, 1)
    return image.reshape(size, SUPERSAMPLING, size, SUPERSAMPLING, 3).mean(axis=(1, 3))
