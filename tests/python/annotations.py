"""Checks the type annotations of the package with mypy, and that its stub lists what the module has, with the arguments and defaults
that the docstrings of pybind11 show: annotations.py PACKAGE"""

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
listed, arguments = {"": set()}, {}


def arguments_of(function):
    """The names of the arguments, and "name=default" where they have one."""
    names = [one.arg for one in function.args.args]
    defaults = [None] * (len(names) - len(function.args.defaults)) + function.args.defaults
    return [name if default is None else f"{name}={ast.unparse(default)}" for name, default in zip(names, defaults)]


for node in stub.body:
    name = getattr(node, "name", None) or getattr(getattr(node, "target", None), "id", None)
    if name:
        listed[""].add(name)
    if isinstance(node, ast.ClassDef):
        listed[node.name] = {one.name for one in node.body if isinstance(one, ast.FunctionDef)}
        arguments.update(((node.name, one.name), arguments_of(one)) for one in node.body if isinstance(one, ast.FunctionDef))
    if isinstance(node, ast.FunctionDef):
        arguments["", node.name] = arguments_of(node)


def compare(where, of):
    present = {name for name in vars(of) if not name.startswith("__")}
    wrong = present.symmetric_difference({name for name in listed[where] if not name.startswith("__")} - {"Floats", "Ints"})
    if wrong:
        sys.exit(f"_core.pyi and the module differ{' in ' + where if where else ''}: {', '.join(sorted(wrong))}")


def compare_arguments():
    compared = 0
    for (where, name), in_stub in arguments.items():
        of = getattr(shoal._core, where) if where else shoal._core
        line = (getattr(of, name).__doc__ or "").partition("\n")[0]
        if not line.startswith(name + "("):
            continue  # a property
        function = ast.parse(f"def {line}: ...").body[0]
        if function.args.vararg:
            continue  # overloaded
        in_module = arguments_of(function)
        # The stub may leave the value of a default to the module.
        same = len(in_stub) == len(in_module) and all(a == b or a == b.partition("=")[0] + "=..." for a, b in zip(in_stub, in_module))
        if not same:
            sys.exit(f"_core.pyi has {where}.{name}({', '.join(in_stub)}), the module {', '.join(in_module)}")
        compared += 1
    assert compared > 30, compared


compare("", shoal._core)
compare_arguments()
for name in ("Mesh", "Water", "ShallowWater", "Simulation"):
    compare(name, getattr(shoal._core, name))
sys.exit(subprocess.call([sys.executable, "-m", "mypy", "--strict", "--ignore-missing-imports", "--cache-dir=/dev/null",
                          str(package)]))
