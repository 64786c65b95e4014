"""Schemes in Python: a flux that is the same as one in C++, and a discretization."""

import numpy as np

import shoal


@shoal.register
class Rusanov(shoal.Flux):
    """The flux of Rusanov (1962), times a factor of damping."""

    name = "python-rusanov"
    positive = True
    damping = shoal.Parameter(1.0, min=1.0, max=2.0, meaning="factor of the damping")

    def flux(self, left, right, gravity):
        s = self.damping * self.speed(left, right, gravity)
        a, b = left.volume_flux(), right.volume_flux()
        return (0.5 * (a + b) - 0.5 * s * (right.depth - left.depth),
                0.5 * (left.momentum_flux(gravity) + right.momentum_flux(gravity)) - 0.5 * s * (b - a),
                0.5 * (a * left.tangential + b * right.tangential)
                - 0.5 * s * (right.depth * right.tangential - left.depth * left.tangential))

    def speed(self, own, other, gravity):
        return np.maximum(abs(own.normal) + np.sqrt(gravity * own.depth), abs(other.normal) + np.sqrt(gravity * other.depth))


@shoal.register
class Linear(shoal.Discretization):
    """Linear elements for the depth, a velocity per triangle; the gradient and the divergence are adjoint."""

    name = "python-p1"
    cells = "vertex"

    def setup(self):
        mesh, x = self.mesh, self.mesh.corners
        opposite = np.stack([x[:, (c + 2) % 3] - x[:, (c + 1) % 3] for c in range(3)], axis=1)
        self.gradient = np.cross(mesh.face_normals[:, None], opposite) / (2 * mesh.face_areas[:, None, None])  # of the hats
        self.height = (2 * mesh.face_areas / np.linalg.norm(opposite, axis=2).max(axis=1)).min()

    def rates(self, depth, velocity, normal_acceleration):
        # v_t = aₙ∇h + ½η∇aₙ,  A η_t = Σ A η v·∇φ
        faces, areas = self.mesh.faces, self.mesh.face_areas
        gradient = lambda of: np.einsum("kc,kcx->kx", of[faces], self.gradient)
        mean = lambda of: of[faces].mean(axis=1)[:, None]
        acceleration = (mean(normal_acceleration) * gradient(depth - self.cell_bed)
                        + 0.5 * mean(depth) * gradient(normal_acceleration))
        inflow = np.einsum("kx,kcx->kc", areas[:, None] * mean(depth) * velocity, self.gradient)
        return np.bincount(faces.ravel(), inflow.ravel(), len(depth)) / self.cell_areas, acceleration

    def stable_dt(self, depth, velocity, normal_acceleration):
        fastest = np.sqrt(max(0.0, (-normal_acceleration).max() * depth.max()))
        return 0.4 * self.height / fastest if fastest > 0 else np.inf
