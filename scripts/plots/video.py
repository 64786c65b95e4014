"""A video of the water of one run, on the surface as it moves: a frame per snapshot.

    /usr/bin/python3 scripts/plots/video.py results/moving-surfaces/moving-surfaces.h5

The surface is raised by the elevation times --exaggeration and coloured by the elevation; the camera stays. Needs ffmpeg.
"""

import shutil
import subprocess
import sys

import numpy as np
import rendering
import shoal_plot as sp

DPI = 100


class Frame:
    """A square page: the image, what is seen, the time, and the scale of the colours."""

    def __init__(self, water, size):
        self.water, self.size = water, size
        inches = size / DPI
        self.figure = sp.plt.figure(figsize=(inches, inches), dpi=DPI)
        self.figure.set_layout_engine("none")  # all places are given
        page = self.figure.add_axes((0, 0, 1, 1))
        page.set_axis_off()
        self.picture = page.imshow(np.zeros((size, size, 3)), extent=(0, 1, 0, 1), interpolation="none")
        page.text(0.04, 0.965, water.title, va="top", fontsize=9, color="#333333")
        self.time = page.text(0.96, 0.965, "", va="top", ha="right", fontsize=9, color="#333333", family="monospace")
        scale = self.figure.add_axes((0.3, 0.05, 0.4, 0.014))
        bar = self.figure.colorbar(sp.plt.cm.ScalarMappable(water.norm, rendering.SEA), cax=scale,
                                   orientation="horizontal", ticks=[-water.limit, 0, water.limit])
        bar.outline.set_linewidth(0.4)
        bar.ax.set_xticklabels([f"−{water.limit:g}", "0", f"{water.limit:g} m"], fontsize=7)
        bar.ax.tick_params(length=2, width=0.4, pad=1.5)
        bar.ax.set_title("elevation", fontsize=7, pad=2.5)

    def bytes_at(self, place):
        self.picture.set_data(self.water.image(place, self.size))
        self.time.set_text(f"t = {self.water.times[place]:5.2f} s")
        self.figure.canvas.draw()
        return np.asarray(self.figure.canvas.buffer_rgba())[..., :3].tobytes()


def main():
    chosen = sp.arguments(__doc__.splitlines()[0], figure=False, **rendering.VIEW,
                          run={"default": "0001", "metavar": "ID", "help": "the run shown (default: %(default)s)"},
                          size={"type": int, "default": 480, "help": "pixels across and down, even (default: %(default)s)"},
                          rate={"type": float, "help": "frames per second (default: as many as snapshots in a second)"},
                          quality={"type": int, "default": 24, "help": "x264's CRF, lower is better (default: %(default)s)"},
                          name={"help": "name of the video (default: the file's)"})
    if not shutil.which("ffmpeg"):
        print("video.py: there is no ffmpeg; run: sudo apt-get install -y ffmpeg", file=sys.stderr)
        sys.exit(3)
    if chosen.size < 64 or chosen.size % 2:
        sp.refuse(f"--size {chosen.size}: an even number from 64 up is needed")
    results = sp.Results(chosen.file)
    run = next((run for run in results.runs if run.id == chosen.run), None)
    if run is None:
        sp.refuse(f"{chosen.file}: no run {chosen.run}; there are: " + ", ".join(run.id for run in results.runs))
    water = rendering.Water(results, run, chosen.eye, chosen.exaggeration, chosen.limit, chosen.wires)
    if len(water.times) < 2:
        sp.refuse(f"{chosen.file}: a video needs snapshots at more than one time, e.g. --snapshots every:0.04")
    rate = chosen.rate or 1 / np.median(np.diff(water.times))
    path = chosen.output / f"{chosen.name or chosen.file.stem}.mp4"
    part = path.with_suffix(".part.mp4")
    frame = Frame(water, chosen.size)
    coder = subprocess.Popen(
        ["ffmpeg", "-loglevel", "error", "-y", "-f", "rawvideo", "-pix_fmt", "rgb24", "-s", f"{chosen.size}x{chosen.size}",
         "-r", f"{rate:g}", "-i", "-", "-c:v", "libx264", "-preset", "slow", "-crf", f"{chosen.quality}", "-pix_fmt",
         "yuv420p", "-movflags", "+faststart", str(part)], stdin=subprocess.PIPE)
    try:
        for place in range(len(water.times)):
            coder.stdin.write(frame.bytes_at(place))
        coder.stdin.close()
    except BrokenPipeError:
        pass  # ffmpeg has said why
    if coder.wait():
        part.unlink(missing_ok=True)
        sys.exit(3)
    part.replace(path)
    print(path)


if __name__ == "__main__":
    main()
