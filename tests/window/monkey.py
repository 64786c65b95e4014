"""monkey.py SHOAL-APP SECONDS SEED [OPTION...]: plays at random with every key and button, and expects that the program never breaks.

It is no failure that a state becomes unstable; one that is not finite is. The last session is repeated by `shoal`, beside SHOAL-APP,
to the same state.

What it did is written to monkey-SEED.log, and the session to monkey-SEED.toml, in the present folder. Everything follows from the
seed but when things happen, which depends on how fast the machine is.
"""

import pathlib
import random
import re
import subprocess
import sys
import time

import display as screen

WIDTH, HEIGHT = 800, 600
KEYS = ["space"] * 8 + ["m", "n", "p", "o", "o", "c", "f", "r", "F1", "F3", "F3", "F5", "F6", "F7", "F11", "F12"]
HELD = ["w", "a", "s", "d", "q", "e", "v", "v"]


class Monkey:
    def __init__(self, player, seed, log):
        self.player, self.random, self.log = player, random.Random(seed), log

    def point(self):
        """Mostly where the water is; else anywhere, panels included."""
        if self.random.random() < 0.6:
            return self.random.gauss(WIDTH / 2, 90) // 1, self.random.gauss(HEIGHT / 2, 90) // 1
        return self.random.randrange(WIDTH), self.random.randrange(HEIGHT)

    def act(self):
        def tool(*arguments):
            self.log.write(" ".join(map(str, arguments)) + "\n")
            self.player.display.tool(*arguments)

        x, y = (min(max(0, int(v)), most - 1) for v, most in zip(self.point(), (WIDTH, HEIGHT)))
        kind = self.random.choices(["key", "fly", "look", "wheel", "push", "drag", "click", "type"],
                                   [8, 2, 2, 2, 2, 1, 6, 1])[0]
        tool("mousemove", x, y)
        if kind == "key":
            tool("key", self.random.choice(KEYS))
        elif kind == "fly":
            key = self.random.choice(HELD)
            tool("keydown", key)
            time.sleep(self.random.random() * 0.3)
            tool("keyup", key)
        elif kind == "wheel":
            tool("click", self.random.choice([4, 5]))
        elif kind in ("look", "push", "drag"):
            button = {"look": 1, "push": 2, "drag": 3}[kind]
            control = self.random.random() < 0.5
            if control:
                tool("keydown", "ctrl")
            tool("mousedown", button)
            for _ in range(self.random.randrange(1, 6)):
                x, y = min(max(0, x + self.random.randrange(-40, 41)), WIDTH - 1), min(max(0, y + self.random.randrange(-40, 41)), HEIGHT - 1)
                tool("mousemove", x, y)
                time.sleep(0.03)
            tool("mouseup", button)
            if control:
                tool("keyup", "ctrl")
        elif kind == "click":
            tool("click", *self.random.choice([[1], ["--repeat", 2, "--delay", 60, 1]]))
        else:  # into whatever field has the focus
            tool("type", "--", self.random.choice(["0", "1e9", "-1", "nan", "0.5", "walk", "1/60", ";'\"#"]))
            tool("key", self.random.choice(["Return", "Tab", "BackSpace"]))
        time.sleep(0.05 + 0.1 * self.random.random())


def judge_stops(output):
    """How often a session stopped by itself, and which of them without a finite number."""
    stops = [line for line in output.splitlines() if "stopped at" in line]
    return len(stops), [line for line in stops if "not finite" in line]


def repeat(shoal, name):
    """The last session as a run: with its checksum or, where it stopped by itself, to an end of that kind."""
    text = pathlib.Path(f"{name}.toml").read_text()
    run = subprocess.run([shoal, "run", f"{name}.toml", "--output", f"{name}.h5", "--fresh", "--quiet"], capture_output=True, text=True)
    table = subprocess.run([shoal, "table", f"{name}.h5", "--columns", "outcome,state_checksum", "--as", "csv"], capture_output=True,
                           text=True).stdout
    checksum = re.search(r"state_checksum ([0-9a-f]{16})", text)
    if checksum is None:
        if "the session stopped at" not in text or "finished" in table:
            sys.exit(f"the session stopped by itself, and its run does not: {table}{run.stderr}")
        return "its last session stops when it is repeated too"
    if run.returncode != 0 or checksum.group(1) not in table:
        sys.exit(f"the run is not the session, {checksum.group(1)}: {table}{run.stderr}")
    return "its last session is repeated to the last bit"


def main():
    app, seconds, seed = pathlib.Path(sys.argv[1]).resolve(), float(sys.argv[2]), int(sys.argv[3])
    screen.require_tools()
    display = screen.Display(WIDTH, HEIGHT)
    display.environment["ASAN_OPTIONS"] = display.environment.get("ASAN_OPTIONS", "detect_leaks=1")
    name = f"monkey-{seed}"
    actions = 0
    try:
        player = screen.Player(display, [app, *sys.argv[4:], "--size", f"{WIDTH}x{HEIGHT}", "--record", f"{name}.toml"], ".")
        with open(f"{name}.log", "w") as log:
            monkey = Monkey(player, seed, log)
            end = time.monotonic() + seconds
            while time.monotonic() < end:
                if player.process.poll() is not None:
                    sys.exit(f"after {actions} actions it ended with {player.process.returncode}: {player.process.stdout.read()}")
                monkey.act()
                actions += 1
        for button in (1, 2, 3):
            display.tool("mouseup", button)
        for _ in range(5):  # a field that is typed into takes the first for itself
            player.key("Escape")
        output, _ = player.process.communicate(timeout=120)
        status = player.process.returncode
    finally:
        display.close()
    if status != 0:
        sys.exit(f"it ended with {status}: {output}")
    if re.search(r"ERROR|LeakSanitizer|runtime error", output):
        sys.exit(output)
    stopped, not_finite = judge_stops(output)
    if not_finite:
        sys.exit(f"after {actions} actions: {not_finite}")
    said = [line for line in output.splitlines() if "stopped at" not in line]
    print(f"{actions} actions in {seconds:g} s; {stopped} sessions stopped by themselves; {repeat(app.parent / 'shoal', name)}; "
          f"{' '.join(said) or 'nothing else was said'}")


if __name__ == "__main__":
    main()
