"""The wheel of what is built, installed without an index in a fresh virtual environment, computes there and is uninstalled.

    wheel_installed.py SOURCE BUILD FOLDER
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import zipfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from skip import require

require("pip", "venv", "numpy")  # Debian's pip brings setuptools and wheel
source, build, folder = (pathlib.Path(argument).resolve() for argument in sys.argv[1:])
shutil.rmtree(folder, ignore_errors=True)
folder.mkdir(parents=True)
# Nothing of the build or of the caller's settings helps the installed package.
clean = {name: value for name, value in os.environ.items() if not name.startswith(("PIP_", "PYTHON", "LD_LIBRARY"))}
clean["PIP_CONFIG_FILE"] = os.devnull
clean["PIP_NO_CACHE_DIR"] = "1"


def command(*words, **environment):
    done = subprocess.run([str(word) for word in words], cwd=folder, env={**clean, **environment}, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if done.returncode != 0:
        sys.exit(f"exit code {done.returncode} of {' '.join(map(str, words))}:\n{done.stdout}")
    return done.stdout


command(sys.executable, "-m", "pip", "wheel", "--no-build-isolation", "--wheel-dir", folder, source,
        SHOAL_BUILD_DIR=str(build))
left = [*source.glob("*.egg-info"), *source.glob("experiments/python/*.egg-info")]
assert not left, f"building the wheel leaves {left} in the source tree"

wheel, = folder.glob("*.whl")
tag = f"cp{sys.version_info.major}{sys.version_info.minor}"
assert wheel.name.startswith("shoal-") and f"-{tag}-{tag}-linux_" in wheel.name, wheel.name
archive = zipfile.ZipFile(wheel)
names = archive.namelist()
package = source / "experiments/python/shoal"
modules = [f"shoal/{path.name}" for path in package.iterdir() if path.suffix in (".py", ".pyi", ".typed")]
missing = {*modules, "shoal/libshoal_petsc.so"} - set(names)
assert not missing, f"the wheel is without {missing}"
print(f"{wheel.name}: {wheel.stat().st_size / 1e6:.1f} MB, {len(names)} files")

archive.extractall(folder / "files")
for library in (folder / "files/shoal").glob("*.so"):
    # A run path that starts or ends in a colon means the current folder.
    for path in re.findall(r"R(?:UN)?PATH\).*\[(.*)\]", command("readelf", "--dynamic", library)):
        assert str(build) not in path and all(path.split(":")), f"run path of {library.name}: {path}"

command(sys.executable, "-m", "venv", "--system-site-packages", "--without-pip", "environment")  # the machine's pip serves
python = folder / "environment/bin/python"
command(python, "-m", "pip", "install", "--no-index", wheel)
print(command(python, "-c", """
import pathlib
import sys
import numpy as np
import shoal

assert pathlib.Path(shoal.__file__).is_relative_to(sys.prefix), shoal.__file__

def drop(integrator, **parts):
    water = shoal.ShallowWater("icosphere:2", "fefv", integrator, elevation=lambda x: 0.1 * np.exp(-4 * (1 - x[:, 2])), **parts)
    water.step(0.01, 10)
    assert abs(water.time - 0.1) < 1e-12
    return water.output("depth_at_vertices")

drop("ssprk3")
difference = np.abs(drop("newmark", linear_solver="petsc") - drop("newmark", linear_solver="cholmod")).max()
print(f"solutions of petsc and cholmod differ by {difference:.1e} m")
assert difference < 1e-10  # a direct solver by default; depths are of the order of 1 m
"""))

command(python, "-m", "pip", "uninstall", "--yes", "shoal")
left = list((folder / "environment").glob("lib/*/*/shoal*"))
assert not left, f"uninstalled, it leaves {left}"
