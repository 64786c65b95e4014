"""Make a video of the water of one run, or of several side by side, on the moving surface: a frame per snapshot.

    /usr/bin/python3 scripts/plots/video.py results/moving-surfaces/moving-surfaces.h5

The surface is raised by the elevation times --exaggeration and coloured by the elevation; the camera is fixed. Requires ffmpeg.
"""

import shutil
import subprocess
import sys

import numpy as np
from shoal_plots import style, water
from shoal_plots.arguments import arguments, refuse
from shoal_plots.results import Results
from shoal_plots.selection import given_number, run_id

DPI = 100


class Frame:
    """A square per run, side by side, each with the image, its title and the time; and the colour scale."""

    def __init__(self, waters, titles, size):
        self.waters, self.size, count = waters, size, len(waters)
        self.figure = style.plt.figure(figsize=(count * size / DPI, size / DPI), dpi=DPI)
        self.figure.set_layout_engine("none")  # all positions are explicit
        self.pictures = []
        for place, title in enumerate(titles):
            page = self.figure.add_axes((place / count, 0, 1 / count, 1))
            page.set_axis_off()
            self.pictures.append(page.imshow(np.zeros((size, size, 3)), extent=(0, 1, 0, 1), interpolation="none"))
            page.text(0.04, 0.965, title, va="top", fontsize=9, color="#333333")
        self.time = page.text(0.96, 0.965, "", va="top", ha="right", fontsize=9, color="#333333", family="monospace")
        first = waters[0]
        scale = self.figure.add_axes((0.5 - 0.2 / count, 42 / size, 0.4 / count, 7 / size))
        water.colour_bar(self.figure, scale, first.norm, water.SEA, [-first.limit, 0, first.limit], "elevation (m)", any(one.has_land for one in waters))

    def bytes_at(self, place):
        """The frame of all runs at the time of a snapshot of the first one."""
        time = self.waters[0].times[place]
        for picture, one in zip(self.pictures, self.waters):
            picture.set_data(one.image(int(np.argmin(np.abs(one.times - time))), self.size))
        self.time.set_text(f"t = {time:5.2f} s")
        self.figure.canvas.draw()
        return np.asarray(self.figure.canvas.buffer_rgba())[..., :3].tobytes()


def main():
    chosen = arguments(__doc__, figure=False, **water.VIEW,
                          run={"nargs": "+", "default": ["0001"], "metavar": "N", "help": "runs to show, 2 means 0002 (default: 0001)"},
                          titles={"nargs": "+", "metavar": "TEXT", "help": "titles of the runs (default: scene, mesh, motion)"},
                          size={"type": int, "default": 480, "help": "pixels across and down, even (default: %(default)s)"},
                          rate={"type": given_number, "help": "frames per second (default: snapshots per second)"},
                          quality={"type": int, "default": 24, "help": "x264's CRF, lower is better (default: %(default)s)"},
                          name={"help": "name of the video (default: the file's)"})
    if not shutil.which("ffmpeg"):
        print("video.py: there is no ffmpeg; run: sudo apt-get install -y ffmpeg", file=sys.stderr)
        sys.exit(3)
    if chosen.size < 64 or chosen.size % 2:
        refuse(f"--size {chosen.size}: an even number from 64 up is needed")
    results = Results(chosen.file)
    runs = {run.id: run for run in results.runs}
    chosen.run = [run_id(name) for name in chosen.run]
    for name in chosen.run:
        if name not in runs:
            refuse(f"{chosen.file}: no run {name}; there are: " + ", ".join(runs))
    if chosen.titles and len(chosen.titles) != len(chosen.run):
        refuse(f"{len(chosen.titles)} titles for {len(chosen.run)} runs")

    def water_of(name, limit):
        return water.Water(results, runs[name], chosen.eye, chosen.exaggeration, limit, chosen.wires, chosen.up, chosen.dry_depth)

    waters = [water_of(name, chosen.limit) for name in chosen.run]
    if len({one.limit for one in waters}) > 1:  # use the same colours for all
        waters = [water_of(name, max(one.limit for one in waters)) for name in chosen.run]
    camera = max((one.camera for one in waters), key=lambda camera: camera.radius)
    for one in waters:
        one.camera = camera
    if len(waters[0].times) < 2:
        refuse(f"{chosen.file}: a video needs snapshots at more than one time, e.g. --snapshots every:0.04")
    rate = chosen.rate or 1 / np.median(np.diff(waters[0].times))
    path = chosen.output / f"{chosen.name or chosen.file.stem}.mp4"
    part = path.with_suffix(".part.mp4")
    frame = Frame(waters, chosen.titles or [one.title for one in waters], chosen.size)
    coder = subprocess.Popen(
        ["ffmpeg", "-loglevel", "error", "-y", "-f", "rawvideo", "-pix_fmt", "rgb24", "-s",
         f"{len(waters) * chosen.size}x{chosen.size}", "-r", f"{rate:g}", "-i", "-", "-c:v", "libx264", "-preset", "slow", "-crf", f"{chosen.quality}", "-pix_fmt",
         "yuv420p", "-movflags", "+faststart", str(part)], stdin=subprocess.PIPE)
    try:
        for place in range(len(waters[0].times)):
            coder.stdin.write(frame.bytes_at(place))
        coder.stdin.close()
    except BrokenPipeError:
        pass  # ffmpeg has reported the reason
    if coder.wait():
        part.unlink(missing_ok=True)
        sys.exit(3)
    part.replace(path)
    print(path)


if __name__ == "__main__":
    main()
