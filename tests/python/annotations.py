"""Checks the type annotations of the package with mypy, and that its stub lists what the module has: annotations.py PACKAGE"""

import ast
import subprocess
import sys
from pathlib import Path

import shoal

sys.path.insert(0, str(Path(__file__).parent.parent / "support"))
from skip import require  # noqa: E402

require("mypy")

package = Path(sys.argv[1])
stub = ast.parse((package / "_core.pyi").read_text())
listed = {"": set()}
for node in stub.body:
    name = getattr(node, "name", None) or getattr(getattr(node, "target", None), "id", None)
    if name:
        listed[""].add(name)
    if isinstance(node, ast.ClassDef):
        listed[node.name] = {one.name for one in node.body if isinstance(one, ast.FunctionDef)}


def compare(where, of):
    present = {name for name in vars(of) if not name.startswith("__")}
    wrong = present.symmetric_difference({name for name in listed[where] if not name.startswith("__")} - {"Floats", "Ints"})
    if wrong:
        sys.exit(f"_core.pyi and the module differ{' in ' + where if where else ''}: {', '.join(sorted(wrong))}")


compare("", shoal._core)
for name in ("Mesh", "Water", "ShallowWater", "Simulation"):
    compare(name, getattr(shoal._core, name))
sys.exit(subprocess.call([sys.executable, "-m", "mypy", "--strict", "--ignore-missing-imports", "--cache-dir=/dev/null",
                          str(package)]))
