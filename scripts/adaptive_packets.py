"""Packets (Lee & O'Sullivan 2007, section 4) in one dimension on cells of two sizes: which waves come back from where the size changes?

    /usr/bin/python3 scripts/adaptive_packets.py             a table in results/adaptive-packets/, in a minute
    /usr/bin/python3 scripts/adaptive_packets.py --keep      also copies it to results/committed/

A ring of fine cells of side Δ and coarse ones of side 2Δ. A group of small waves runs from one part into the other, and the same group over
cells that are all like those where it starts. The difference between both runs, on that side, is the reflected wave; the table has its
energy over that of the group. The scheme is that of discretizations/grid/grid.md#packets on cells of sides w: a cell sends N packets of
side s'w/N, and the gradient at its centre C follows from the elevations at C and at the centres W and E of its neighbours, at the
distances a and b:

    parabola   [(b/a)(h_C − h_W) + (a/b)(h_E − h_C)]/(a + b)      through the three centres (the source)
    plain      (h_E − h_W)/(a + b)
    sides      ½[(h_C − h_W)/a + (h_E − h_C)/b]                   the mean of the slopes at both sides

With s' = s for all cells (`same`) a coarse cell gives a fine neighbour twice the water that it gets back, so that still water does not
stay at rest. With s' = 1/(1 − (s−1)Δ/(s w)) (`even`, ours) every cell gives each neighbour the volume (s−1)ηΔ/2Ns per width.
"""

import argparse
import pathlib

import numpy as np

GRAVITY, DEPTH = 9.81, 1.0
GRADIENTS = {
    "parabola": lambda a, b, west, east: ((b / a) * west + (a / b) * east) / (a + b),
    "plain": lambda a, b, west, east: (west + east) / (a + b),
    "sides": lambda a, b, west, east: 0.5 * (west / a + east / b),
}
WAVELENGTHS = [8, 16, 32]  # Δ
WAYS = {"fine to coarse": (1, 2), "coarse to fine": (2, 1)}
AMPLITUDE = 1e-6  # m: displacements stay far below the overlap, so that the steps are linear
COURANT = 0.2  # of a wave in the finest cells
SHORTEST = 4  # cells: waves of this length stand still on a grid of central differences
REST_STEPS = 1000


class Ring:
    """Packets on a ring of cells with the sides `widths`, m; `depth` and `velocity` are at their centres."""

    def __init__(self, widths, packets=3, smoothing=1.05, gradient="parabola", overlap="even"):
        self.widths = np.asarray(widths, dtype=float)
        self.packets, self.gradient = packets, GRADIENTS[gradient]
        least = self.widths.min() if overlap == "even" else self.widths
        self.smoothing = 1 / (1 - (smoothing - 1) / smoothing * least / self.widths)
        self.edges = np.concatenate([[0], np.cumsum(self.widths)])
        self.centres = self.edges[:-1] + 0.5 * self.widths
        self.to_east = 0.5 * (self.widths + np.roll(self.widths, -1))
        self.to_west = np.roll(self.to_east, 1)

    def velocity_at(self, velocity, offset):
        """Linear between the centres, at these offsets from them."""
        east = velocity + offset / self.to_east * (np.roll(velocity, -1) - velocity)
        west = velocity - offset / self.to_west * (np.roll(velocity, 1) - velocity)
        return np.where(offset < 0, west, east)

    def deposit(self, low, high, amounts):
        """Σ over packets from `low` to `high` of amounts [of what, packets], by the part of each that lies over a cell."""
        count, length = len(self.widths), self.edges[-1]
        around = np.concatenate([self.edges[:-1] - length, self.edges[:-1], self.edges + length])
        first = np.searchsorted(around, low, side="right") - 1
        last = np.searchsorted(around, high, side="right") - 1
        arrived = np.zeros((len(amounts), count))
        for step in range((last - first).max() + 1):
            cell = np.minimum(first + step, len(around) - 2)
            part = np.maximum(np.minimum(high, around[cell + 1]) - np.maximum(low, around[cell]), 0) / (high - low)
            for sums, amount in zip(arrived, amounts):
                sums += np.bincount(cell % count, amount * part, minlength=count)
        return arrived

    def step(self, depth, velocity, dt):
        low, high, water = [], [], depth * self.widths / self.packets
        for p in range(self.packets):
            offset = ((p + 0.5) / self.packets - 0.5) * self.widths
            at = self.centres + offset + dt * self.velocity_at(velocity, offset)
            half = 0.5 * self.smoothing * self.widths / self.packets
            low.append(at - half)
            high.append(at + half)
        water = np.tile(water, self.packets)
        volume, momentum = self.deposit(np.concatenate(low), np.concatenate(high), [water, water * np.tile(velocity, self.packets)])
        depth = volume / self.widths
        west, east = depth - np.roll(depth, 1), np.roll(depth, -1) - depth
        return depth, momentum / volume - dt * GRAVITY * self.gradient(self.to_west, self.to_east, west, east)

    def wave(self, wavelength, at, spread):
        """Depth and velocity of a group of waves towards growing x, with the speed that overlapping packets give them, √(2gH/s)."""
        k = 2 * np.pi / wavelength
        x = self.centres - at
        elevation = AMPLITUDE * np.exp(-0.5 * (x / spread) ** 2) * np.cos(k * x)
        return DEPTH + elevation, elevation * np.sqrt(GRAVITY / DEPTH * self.smoothing / 2)


def energy(widths, depth, velocity, smoothing):
    """½ Σ w (g h² + (2/s) H v²), m⁴/s²: velocities move 2/s times their water, so that waves keep this but for their damping."""
    return 0.5 * np.sum(widths * (GRAVITY * (depth - DEPTH) ** 2 + 2 / smoothing * DEPTH * velocity**2))


def reflected(wavelength, sizes, gradient, packets=3, smoothing=1.05):
    """The energy that comes back, over that of the wave, which runs from cells of the first into those of the second size."""
    first, second = sizes
    side = 16 * wavelength  # of each part, Δ
    count = round(side / first), round(side / second)
    both = Ring(np.repeat([first, second], count), packets, smoothing, gradient)
    alone = Ring(np.full(2 * count[0], first), packets, smoothing, gradient)
    alone.smoothing = np.full(len(alone.widths), both.smoothing[0])
    dt = COURANT / np.sqrt(GRAVITY * DEPTH)
    states = [(ring, *ring.wave(wavelength, 0.5 * side, 1.5 * wavelength)) for ring in (both, alone)]
    s = alone.smoothing[0]
    group = np.sqrt(2 * GRAVITY * DEPTH / s) * np.cos(2 * np.pi / wavelength * first)
    for _ in range(round(0.9 * side / (group * dt))):  # what came back is then near the middle
        states = [(ring, *ring.step(depth, velocity, dt)) for ring, depth, velocity in states]
    (_, depth, velocity), (_, depth_alone, velocity_alone) = states
    part = slice(count[0] // 16, count[0])  # what went through may come around the ring
    back = energy(alone.widths[part], DEPTH + depth[part] - depth_alone[part],
                  velocity[part] - velocity_alone[part], s)
    return back / energy(alone.widths, depth_alone, velocity_alone, s)


def rest_error(overlap):
    """The largest |h| and |v| of still water after REST_STEPS steps."""
    ring = Ring(np.repeat([1, 2], [100, 50]), overlap=overlap)
    depth, velocity = np.full(150, DEPTH), np.zeros(150)
    for _ in range(REST_STEPS):
        depth, velocity = ring.step(depth, velocity, COURANT / np.sqrt(GRAVITY * DEPTH))
    return abs(depth - DEPTH).max(), abs(velocity).max()


def table():
    lines = ["| from | wavelength, Δ | " + " | ".join(GRADIENTS) + " |", "|" + "---|" * (2 + len(GRADIENTS))]
    for way, sizes in WAYS.items():
        for wavelength in WAVELENGTHS:
            if wavelength > SHORTEST * sizes[0]:
                lines.append(f"| {way} | {wavelength} | " + " | ".join(f"{reflected(wavelength, sizes, name):.2e}" for name in GRADIENTS) + " |")
    return lines


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--keep", action="store_true", help="also copy the table to results/committed/")
    keep = parser.parse_args().keep
    rest = "; ".join(f"`{overlap}` {h:.1e} m and {v:.1e} m/s" for overlap in ("same", "even") for h, v in [rest_error(overlap)])
    text = "\n".join(["# Packets on cells of two sizes", "", "Made by `scripts/adaptive_packets.py --keep`.", "",
                      "Reflected energy over that of the wave, N = 3, s = 1.05, √(gH) Δt = 0.2 Δ:", "", *table(), "",
                      f"Still water after {REST_STEPS} steps, largest |h| and |v|: {rest}.", ""])
    root = pathlib.Path(__file__).resolve().parents[1] / "results"
    for folder in ["adaptive-packets"] + (["committed"] if keep else []):
        (root / folder).mkdir(parents=True, exist_ok=True)
        (root / folder / "adaptive-packets.md").write_text(text, encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main()
