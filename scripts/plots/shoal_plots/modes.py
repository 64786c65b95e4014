"""The effect of a step on a wave, from its recorded amplitudes."""

import numpy as np

SMALLEST = 1e-4  # amplitudes below this fraction of the first are ignored as round-off
LARGEST = 1e2


def amplification(amplitudes):
    """The complex factor z by which a step multiplies the wave, with a phase in [0, π], or None if there are too few steps.

    The amplitudes c satisfy c(n+2) = s c(n+1) − p c(n), whose coefficients are fitted; z is the larger root of z² − s z + p.
    """
    amplitudes = amplitudes / amplitudes[0]
    size = np.abs(amplitudes[1:]) + np.abs(amplitudes[:-1])
    fit = np.flatnonzero((size < SMALLEST) | (size > LARGEST) | ~np.isfinite(size))
    last = max(fit[0] if len(fit) else len(size), 3)
    c = amplitudes[:last + 1]
    if len(c) < 4 or not np.all(np.isfinite(c)):
        return None
    weight = 1 / size[:len(c) - 2]  # gives every step the same weight
    matrix = np.column_stack([c[1:-1], -c[:-2]]) * weight[:, None]
    (trace, determinant), *_ = np.linalg.lstsq(matrix, c[2:] * weight, rcond=SMALLEST)
    roots = np.roots([1, -trace, determinant]).astype(complex)
    z = roots[np.argmax(np.abs(roots))]
    return abs(z) * np.exp(1j * abs(np.angle(z)))
