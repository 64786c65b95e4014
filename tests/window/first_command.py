"""first_command.py SOURCE LOG: the first command of README.md, with its option for the window, computes what README.md says of it."""

import csv
import re
import sys
from pathlib import Path

import display as screen

SIZE = (1280, 900)
PATIENCE = 600  # s


def printed(readme):
    """The energy that is left by integrator, as text, from the table of README.md."""
    header, numbers = re.search(r"^\| (`explicit`.*) \|\n\|[-:|]+\n\| (.*) \|$", readme, re.M).groups()
    return dict(zip([re.match(r"`([^`]+)`", cell)[1] for cell in header.split(" | ")], numbers.split(" | ")))


def main():
    source, log = Path(sys.argv[1]), Path(sys.argv[2])
    readme = (source / "README.md").read_text()
    assert re.search(r"^    scripts/reproduce\.sh .*--window", readme, re.M), "README.md has another first command"
    screen.require_tools()
    display = screen.Display(*SIZE)
    try:
        command = ["bash", "-c", 'exec scripts/reproduce.sh --window >"$0" 2>&1', log]  # too much for a pipe that nobody reads
        player = screen.Player(display, command, source, PATIENCE)
        status, _ = player.end()
    finally:
        display.close()
    assert status == 0, f"it ended with {status}: {log.read_text()[-2000:]}"
    with open(source / "results/sphere-integrators/table.csv") as file:
        rows = [row for row in csv.DictReader(file)
                if (row["discretization"], row["amplitude"]) == ("fefv", "0.1") and abs(float(row["dt"]) - 1 / 60) < 1e-12]
    energies = printed(readme)
    assert len(energies) == 5, energies
    for integrator, text in energies.items():
        [row] = [row for row in rows if row["integrator"] == integrator]
        percent, digits = 100 * float(row["energy_left"]), len(text.rstrip(" %").partition(".")[2])
        assert f"{percent:.{digits}f} %" == text, f"{integrator}: {percent} is not {text}"
    print("a window opened; the table of README.md is true")


if __name__ == "__main__":
    main()
