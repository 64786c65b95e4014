#!/usr/bin/env python3
"""The JSON schema of experiment files accepts every experiment file of the repository, and refuses files that `shoal` refuses for their
keys, types or names.

    schema.py PROGRAM
"""
import json
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "support"))
from skip import require

require("jsonschema")
import jsonschema

BASE = "scene = 'rest'\n"
# In all of them a single thing is wrong.
WRONG = {
    "key": BASE + "integrater = 'newmark'",
    "scheme": BASE + "discretization = 'fevf'",
    "one scheme of a list": BASE + "discretization = ['fefv', 'fevf']",
    "type of a name": BASE + "integrator = 3",
    "type of a number": BASE + "dt = true",
    "text for a number": BASE + "dt = 'soon'",
    "empty list": BASE + "dt = []",
    "fraction of a whole number": BASE + "threads = 1.5",
    "parameter": BASE + "[parameters]\ndepht = 1",
    "bound of a parameter": BASE + "[parameters]\ndepth = -1",
    "choice of a parameter": BASE + "[parameters]\ndry_cells = 'x'",
    "parameter of a part": BASE + "[parameters]\nbfecc.limitr = 'none'",
    "key of a case": BASE + "[[case]]\njobs = 2",
    "table without a file": BASE + "[[table]]\ncolumns = ['id']",
    "key of a table": BASE + "[[table]]\nfile = 'a.md'\ncolums = ['id']",
    "figure without a script": BASE + "[[figure]]\nfile = 'a.png'",
    "group of one": BASE + "together = ['dt']",
    "number of jobs": BASE + "jobs = 0",
    "kind of result": BASE + "compute = 'frontiers'",
}
RIGHT = [
    "dt = '1/60'", "dt = ['auto', 0.1, '1e-2/3']", "dt = 'geometric:1/60:1/960:5'", "end = 3", "diagnostics = 'every:10'",
    "snapshots = 0.5", "snapshots = ['every:0.1', '0,1']", "mesh = ['icosphere:2,3', 'bunny.obj']", "seed = 'arithmetic:1:5:5'",
    "parameters.depth = ['1/2', 2]", "parameters.rest.depth = 1", "parameters.scene.depth = 1", "together = [['dt', 'end'], ['mesh', 'seed']]",
]  # fmt: skip


def main():
    schema = json.loads(subprocess.run([sys.argv[1], "schema"], check=True, capture_output=True, text=True).stdout)
    jsonschema.Draft7Validator.check_schema(schema)
    validator = jsonschema.Draft7Validator(schema)
    files = sorted((ROOT / "experiments").glob("*.toml"))
    assert len(files) > 90
    for file in files:
        errors = [f"{list(error.path)}: {error.message[:200]}" for error in validator.iter_errors(tomllib.loads(file.read_text()))]
        assert not errors, f"{file.name}: {errors}"
    for line in RIGHT:
        assert validator.is_valid(tomllib.loads(BASE + line)), line
    for name, text in WRONG.items():
        assert not validator.is_valid(tomllib.loads(text)), name
    documented = [name for name, key in schema["definitions"].items() if not key.get("description")]
    assert not documented, f"without a description: {documented}"


main()
