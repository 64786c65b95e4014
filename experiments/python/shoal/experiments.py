"""Runs, sweeps and analyses, as the program computes them, in this process: with schemes written in Python too."""

from __future__ import annotations

import inspect
import io
import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any, Dict, List, Mapping, Optional, Sequence, Tuple, Type, Union

from . import _core
from .results import Results, open_results, read_group
from .schemes import Discretization, Flux, register
from .water import _texts

if TYPE_CHECKING:
    import pandas
    import xarray

PathLike = Union[str, "os.PathLike[str]"]
_interrupted = 128 + 2


def command(*words: Any, keep_text: bool = False) -> Tuple[int, str]:
    """Executes a command of the program, `command("list", "scenes")`, and returns its exit code and, if kept, what it printed.
    Raises `Error` and `MachineError` with the sentences of the program, and KeyboardInterrupt after Ctrl-C."""
    code, text = _core.command([os.fspath(word) if isinstance(word, os.PathLike) else str(word) for word in words], keep_text)
    if code == _interrupted:
        raise KeyboardInterrupt
    return code, text


def _options(options: Mapping[str, Any]) -> List[str]:
    keys = set(_core.run_keys())
    words = []
    for key, text in _texts(options).items():
        words += [f"--{key.replace('_', '-')}", text] if key in keys else ["--param", f"{key}={text}"]
    return words


def _recording(output: Optional[PathLike], fresh: bool, progress: bool) -> List[str]:
    words = [] if output is None else ["--output", os.fspath(output)]
    return words + ["--fresh"] * fresh + ["--quiet"] * (not progress)


def run(scene: str, *, output: PathLike, fresh: bool = False, progress: bool = True, **options: Any) -> Results:
    """Computes one run of a scene, records it in `output` (HDF5) and opens it. Options are those of `Simulation`. A run that
    became unstable is a result too: see its `outcome`. Called again after an interruption, it resumes."""
    command("run", scene, *_options(options), *_recording(output, fresh, progress))
    return open_results(output)


def sweep(experiment: Union[PathLike, Mapping[str, Any]], *, output: Optional[PathLike] = None, jobs: int = 1, fresh: bool = False,
          progress: bool = True) -> Results:
    """Computes all runs of an experiment and opens the results. `experiment` is a file (`shoal sweep -h` explains it), or a
    dictionary with its keys, in which every value may be a list: all combinations are computed.

        shoal.sweep({"scene": "sphere-bump", "discretization": ["fefv", "dec"], "mesh": "icosphere:3", "dt": ["1/60", 0.01],
                     "parameters": {"amplitude": 0.05}}, output="bump.h5", jobs=2)

    `jobs` runs are computed at once, each in a process of its own. Called again after an interruption, it computes the rest."""
    if not isinstance(experiment, Mapping):
        from_file = ["--output", os.fspath(output)] if output is not None else []
        _, text = command("sweep", experiment, "--jobs", jobs, *from_file, *(["--fresh"] * fresh),
                          *(["--quiet"] * (not progress)))
        name = Path(experiment).stem
        return open_results(output if output is not None else Path("results") / name / f"{name}.h5")
    if output is None:
        raise _core.Error("sweep: output, the path of the results, is required for an experiment without a file")
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / (Path(output).stem + ".toml")
        file.write_text(to_toml(experiment), encoding="utf-8")
        command("sweep", file, "--jobs", jobs, *_recording(output, fresh, progress))
    return open_results(output)


def to_toml(experiment: Mapping[str, Any]) -> str:
    """The text of an experiment file with these keys."""
    lines, tables = [], []
    for key, value in experiment.items():
        if isinstance(value, Mapping):
            tables.append(f"[{key}]\n" + to_toml(value))
        elif isinstance(value, (list, tuple)) and value and isinstance(value[0], Mapping):
            tables += [f"[[{key}]]\n" + to_toml(one) for one in value]
        else:
            lines.append(f"{key} = {_toml_value(value)}")
    return "\n".join(lines + tables) + "\n"


def _toml_value(value: Any) -> str:
    if isinstance(value, (list, tuple)) or hasattr(value, "tolist") and getattr(value, "ndim", 0) > 0:
        return "[" + ", ".join(map(_toml_value, value)) + "]"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        escaped = value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
        return f'"{escaped}"'
    return repr(value.item() if hasattr(value, "item") else value)


def _frame(text: str) -> "pandas.DataFrame":
    import pandas

    return pandas.read_csv(io.StringIO(text), dtype={"id": str})


def table(results: PathLike, *columns: str) -> "pandas.DataFrame":
    """A row per run of a results file: the columns of `shoal table`, or the named ones (`shoal table -h` lists them)."""
    words = ["--columns", ",".join(columns)] if columns else []
    return _frame(command("table", results, "--as", "csv", *words, keep_text=True)[1])


def converge(what: PathLike, *, output: Optional[PathLike] = None, orders: Optional[str] = None,
             errors: Sequence[str] = (), jobs: int = 1, fresh: bool = False, progress: bool = True, **options: Any) -> "pandas.DataFrame":
    """Orders of convergence in space and time: a row per run, with its error and the order from the previous run.

    `what` is a scene, whose options may be lists (`mesh="icosphere:2,3,4"`, `dt=["1/60", "1/120"]`), an experiment file, or a
    results file. `orders` is "space", "time" or "both". `shoal converge -h` explains errors and orders."""
    words: List[Any] = ["converge", what, "--as", "csv"]
    if orders is not None:
        words += ["--orders", orders]
    if errors:
        words += ["--errors", ",".join([errors] if isinstance(errors, str) else errors)]
    if Path(what).suffix != ".h5":
        words += ["--jobs", jobs, *_options(options), *_recording(output, fresh, progress)]
    return _frame(command(*words, keep_text=True)[1])


def spectrum(discretization: str = "fefv", mesh: str = "icosphere:3", *, lowest: Optional[int] = None, shapes: bool = False,
             **parameters: Any) -> "xarray.Dataset":
    """The frequencies of all linear waves of a scheme on a mesh: angular_frequency (1/s), wavenumber (1/m) and multiplicity of
    the continuous level, whether a mode is spurious; with `shapes`, the elevations [mode, cell]. Counts are attributes."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "spectrum.h5"
        words: List[Any] = ["spectrum", "--discretization", discretization, "--mesh", mesh, "--output", file]
        for key, text in _texts(parameters).items():
            words += ["--param", f"{key}={text}"]
        if lowest is not None:
            words += ["--lowest", lowest]
        command(*words, *(["--shapes"] * shapes), keep_text=True)
        waves = read_group(file, "spectrum")
    names = dict(zip(waves["shapes" if shapes else "wavenumber"].dims, ("mode", "cell")))
    return waves.rename_dims(names)


def frontier(experiment: PathLike, *, output: Optional[PathLike] = None, jobs: int = 1, fresh: bool = False,
             progress: bool = True) -> "pandas.DataFrame":
    """The largest stable step of each combination of an experiment, by bisection (`shoal frontier -h`)."""
    return _frame(command("frontier", experiment, "--as", "csv", "--jobs", jobs, *_recording(output, fresh, progress),
                          keep_text=True)[1])


def conformance(scheme: Union[str, Type[Flux], Type[Discretization]], *filters: str) -> bool:
    """Tests a scheme as every scheme of Shoal is tested: consistency, conservation, still water, dry land, orders, stability, …
    with every integrator. Prints the failures and returns whether there are none.

    `scheme` is the name of a registered scheme, or a class, which is then registered. `filters` select tests by name or tag
    (`"[flux]"`), by default all but the slowest and those of several processes, in which no class of Python is called."""
    if inspect.isclass(scheme):
        register(scheme)
        scheme = scheme.name
    return _core.conformance(["--only", str(scheme), *(filters or ("~[slow]~[parts]",))]) == 0
