"""A display without a screen, keys and mouse as a person uses them, and what is to be seen."""

import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
from skip import skip

TOOLS = ("Xvfb", "xdotool", "ffmpeg")


def require_tools():
    missing = [tool for tool in TOOLS if not shutil.which(tool)]
    if missing:
        skip(f"missing: {', '.join(missing)}")


class Display:
    """An Xvfb of its own."""

    def __init__(self, width, height):
        self.size = (width, height)
        self.folder = tempfile.TemporaryDirectory()
        read, write = os.pipe()
        # Without -noreset the server begins anew when its last client leaves, as xdotool does, and refuses who comes just then.
        self.server = subprocess.Popen(
            ["Xvfb", "-displayfd", str(write), "-screen", "0", f"{width}x{height}x24", "-nolisten", "tcp", "-noreset", "-nocursor",
             "-fbdir", self.folder.name],
            pass_fds=[write], stderr=subprocess.DEVNULL)
        os.close(write)
        with os.fdopen(read) as numbers:
            self.name = f":{numbers.readline().strip()}"
        self.environment = {**os.environ, "DISPLAY": self.name, "LIBGL_ALWAYS_SOFTWARE": "1"}

    def close(self):
        self.server.terminate()
        self.server.wait()
        self.folder.cleanup()

    def tool(self, *arguments):
        return subprocess.run(["xdotool", *map(str, arguments)], env=self.environment, check=True,
                              capture_output=True, text=True).stdout

    def picture(self):
        """The bytes of all pixels, red, green and blue, from the file to which the server draws, in the format of xwd."""
        width, height = self.size
        dump = (Path(self.folder.name) / "Xvfb_screen0").read_bytes()
        head, colors, row = (int.from_bytes(dump[4 * i:4 * i + 4], "big") for i in (0, 19, 12))
        begin = head + 12 * colors
        rows = np.frombuffer(dump[begin:begin + row * height], np.uint8).reshape(height, row)
        return rows[:, :4 * width].reshape(height, width, 4)[:, :, 2::-1].tobytes()


class Player:
    """The program in its window, which fills the display."""

    def __init__(self, display, command, folder, patience=10):
        self.display = display
        self.process = subprocess.Popen(list(map(str, command)), env=display.environment, cwd=folder,
                                        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        for _ in range(10 * patience):
            time.sleep(0.1)
            if self.process.poll() is not None:
                raise AssertionError(f"the program ended: {self.process.stdout.read()}")
            found = subprocess.run(["xdotool", "search", "--onlyvisible", "--name", "^Shoal$"],
                                   env=display.environment, capture_output=True, text=True).stdout.split()
            if found:
                break
        else:
            self.process.kill()
            raise AssertionError(f"there is no window after {patience} s")
        self.window = found[0]
        display.tool("windowmove", self.window, 0, 0)
        display.tool("windowfocus", "--sync", self.window)
        time.sleep(1)

    def key(self, *names):
        for name in names:
            self.display.tool("key", "--delay", 60, name)
            time.sleep(0.15)

    def move(self, x, y):
        self.display.tool("mousemove", x, y)
        time.sleep(0.15)

    def drag(self, button, x, y, to_x, to_y, parts=10):
        self.move(x, y)
        self.display.tool("mousedown", button)
        for part in range(1, parts + 1):
            self.move(x + (to_x - x) * part // parts, y + (to_y - y) * part // parts)
        self.display.tool("mouseup", button)
        time.sleep(0.1)

    def end(self):
        self.key("Escape")
        output, _ = self.process.communicate(timeout=30)
        return self.process.returncode, output


def different_pixels(one, other):
    return np.count_nonzero(np.any(colors(one) != colors(other), axis=1))


def colors(picture):
    return np.frombuffer(picture, np.uint8).reshape(-1, 3)


def comes_to_rest(display, timeout=10):
    """The picture once it stays the same for a third of a second, or None."""
    end = time.monotonic() + timeout
    before = display.picture()
    while time.monotonic() < end:
        time.sleep(0.35)
        now = display.picture()
        if now == before:
            return now
        before = now
    return None


def becomes(display, condition, timeout=10):
    """Whether the picture comes to meet the condition; a program that draws slowly has its time."""
    end = time.monotonic() + timeout
    while time.monotonic() < end:
        if condition(display.picture()):
            return True
        time.sleep(0.1)
    return False
