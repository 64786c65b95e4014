"""Runs, sweeps and analyses, as the program computes them, in this process: with schemes written in Python too."""

from __future__ import annotations

import inspect
import io
import json
import os
import re
import signal
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any, Callable, Dict, List, Mapping, NamedTuple, Optional, Sequence, Tuple, Type, Union

import numpy as np

from . import _core
from .results import Results, existing, open_results, read_group
from .schemes import Discretization, Flux, _sentence, register
from .water import _text, _texts

if TYPE_CHECKING:
    import pandas
    import xarray

PathLike = Union[str, "os.PathLike[str]"]
_interrupted = 128 + 2


#: Words of the program's sentences, and what to do in Python instead.
_words_of_python: List[Tuple[str, Union[str, Callable[["re.Match[str]"], str]]]] = [
    (r"(?:run the same command|the same command) without --fresh", "call it again without fresh=True"),
    (r"run the same command again|run the same command", "call it again"),
    (r"use --plugin LIB\.so|--plugin LIB\.so", "shoal.load_plugin or shoal.register"),
    (r"--fresh\b", "fresh=True"),
    (r"--quiet\b", "progress=False"),
    (r"--shapes\b", "shapes=True"),
    (r"--param ([\w.]+)=(\w+)", r"\1=\2"),
    (r"--([a-z][a-z-]*) ([A-Z]+\b|auto\b|\d[^\s;)]*|[\w-]+:[^\s;)]*[\w])", lambda found: f"{_key(found[1])}={_quoted(found[2])}"),
    (r"--([a-z][a-z-]*)", lambda found: _key(found[1])),
]


def _key(option: str) -> str:
    return option.replace("-", "_")


def _quoted(value: str) -> str:
    return value if re.fullmatch(r"[A-Z]+|\d+(\.\d+)?", value) else f'"{value}"'


def _in_python(sentence: str) -> str:
    """The sentence with what to do in Python where it names options of the program."""
    for words, instead in _words_of_python:
        sentence = re.sub(words, instead, sentence)
    return sentence


class Done(NamedTuple):
    """What a command did."""

    code: int  #: its exit code
    text: str  #: what it printed, if that is kept
    results: str  #: the path of the results that it computed, or ""


def command(*words: Any, keep_text: bool = False, meshes: Optional[Mapping[str, _core.Mesh]] = None,
            translate: bool = False) -> Done:
    """Executes a command of the program, `command("list", "scenes")`. `meshes` are known by their names. Raises `Error` and
    `MachineError` with the sentences of the program, and KeyboardInterrupt after Ctrl-C."""
    try:
        done = Done(*_core.command([os.fspath(word) if isinstance(word, os.PathLike) else str(word) for word in words], keep_text,
                                   dict(meshes or {}), _in_python if translate else None))
    except (_core.Error, _core.MachineError) as error:
        if not translate:
            raise
        raise type(error)(_in_python(str(error))) from None
    if done.code == _interrupted:
        raise KeyboardInterrupt
    return done


class _Meshes(Dict[str, _core.Mesh]):
    """The meshes that a call was given as objects, by the names under which its command knows them."""

    def named(self, value: Any) -> Any:
        """The value with names instead of meshes."""
        if isinstance(value, Mapping):
            return {key: self.named(one) for key, one in value.items()}
        if isinstance(value, (list, tuple)):
            return [self.named(one) for one in value]
        if not isinstance(value, _core.Mesh):
            return value
        if not value.name or "," in value.name:
            raise _core.Error(f"mesh: results record meshes by name, and {value.name!r} is none; "
                              f"make it with shoal.Mesh(…, name=\"…\")")
        if self.setdefault(value.name, value) is not value:
            raise _core.Error(f"mesh: two meshes are called '{value.name}'; make them with shoal.Mesh(…, name=\"…\")")
        return value.name


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
    became unstable is a result too: see its `outcome`. Called again after an interruption, it resumes.

    A `shoal.Mesh` is recorded by its name with its vertices and triangles; to resume, give the same mesh again."""
    meshes = _Meshes()
    return open_results(command("run", scene, *_options(meshes.named(options)), *_recording(output, fresh, progress),
                                meshes=meshes, translate=True).results)


def sweep(experiment: Union[PathLike, Mapping[str, Any]], *, output: Optional[PathLike] = None, jobs: int = 1, fresh: bool = False,
          progress: bool = True) -> Results:
    """Computes all runs of an experiment and opens the results. `experiment` is a file (`shoal sweep -h` explains it), or a
    dictionary with its keys, in which every value may be a list: all combinations are computed.

        shoal.sweep({"scene": "sphere-bump", "discretization": ["fefv", "dec"], "mesh": "icosphere:3", "dt": ["1/60", 0.01],
                     "parameters": {"amplitude": 0.05}}, output="bump.h5", jobs=2)

    Numbers in a list of `snapshots` are times of one run, as in `Simulation`; alternatives are texts, ["0.1,0.2", "every:0.1"].
    Meshes may be objects, as in `run`. Keys that are None are left out. `jobs` runs are computed at once, each in a process of its
    own. Called again after an interruption, it computes the rest."""
    recording = ["--jobs", jobs, *_recording(output, fresh, progress)]
    if not isinstance(experiment, Mapping):
        return open_results(command("sweep", experiment, *recording, translate=True).results)
    if output is None:
        raise _core.Error("sweep: output, the path of the results, is required for an experiment without a file")
    meshes = _Meshes()
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / (Path(output).stem + ".toml")
        file.write_text(to_toml(meshes.named(experiment)), encoding="utf-8")
        try:
            results = command("sweep", file, *recording, meshes=meshes, translate=True).results
        except _core.Error as error:  # the file is not the caller's
            raise type(error)(re.sub(rf"(experiment )?'?{re.escape(str(file))}'?(:\d+:\d+)?", "sweep", str(error))) from None
    return open_results(results)


def to_toml(experiment: Mapping[str, Any]) -> str:
    """The text of an experiment file with these keys."""
    lines, tables = [], []
    for key, value in experiment.items():
        if value is None:
            continue
        if isinstance(value, Mapping):
            tables.append(f"[{key}]\n" + to_toml(value))
        elif isinstance(value, (list, tuple)) and value and isinstance(value[0], Mapping):
            tables += [f"[[{key}]]\n" + to_toml(one) for one in value]
        else:
            lines.append(f"{key} = {_toml_value(_times(value) if key == 'snapshots' else value, key)}")
    return "\n".join(lines + tables) + "\n"


def _times(value: Any) -> Any:
    """Lists of numbers as the text of one run's times."""
    if isinstance(value, (list, tuple, np.ndarray)) and len(value) > 0:
        return [_times(one) for one in value] if isinstance(value[0], (str, list, tuple, np.ndarray)) else ",".join(map(_text, value))
    return value


def _toml_value(value: Any, key: str) -> str:
    if isinstance(value, (list, tuple)) or isinstance(value, np.ndarray) and value.ndim > 0:
        return "[" + ", ".join(_toml_value(one, key) for one in value) + "]"
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, str):
        escaped = value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
        return f'"{escaped}"'
    if isinstance(value, os.PathLike):
        return _toml_value(os.fspath(value), key)
    if not isinstance(value, (int, float, np.number)):
        raise _core.Error(f"{key}: required is a number, a text or a list of them, not {value!r}")
    return repr(value.item() if isinstance(value, np.generic) else value)


def _frame(text: str) -> "pandas.DataFrame":
    import pandas

    return pandas.read_csv(io.StringIO(text), dtype={"id": str})


def table(results: PathLike, *columns: str) -> "pandas.DataFrame":
    """A row per run of a results file: the columns of `shoal table`, or the named ones (`shoal table -h` lists them)."""
    words = ["--columns", ",".join(columns)] if columns else []
    return _frame(command("table", existing(results), "--as", "csv", *words, keep_text=True, translate=True).text)


def converge(what: PathLike, *, output: Optional[PathLike] = None, orders: Optional[str] = None,
             errors: Sequence[str] = (), jobs: int = 1, fresh: bool = False, progress: bool = True, **options: Any) -> "pandas.DataFrame":
    """Orders of convergence in space and time: a row per run, with its error and the order from the previous run.

    `what` is a scene, whose options may be lists (`mesh="icosphere:2,3,4"`, `dt=["1/60", "1/120"]`), an experiment file, or a
    results file. `orders` is "space", "time" or "both". `shoal converge -h` explains errors and orders. Meshes that are objects are
    one family, for orders in space, if their names are, such as "mine:20" and "mine:40"."""
    words: List[Any] = ["--as", "csv"]
    if orders is not None:
        words += ["--orders", orders]
    if errors:
        words += ["--errors", ",".join([errors] if isinstance(errors, str) else errors)]
    meshes = _Meshes()
    results: PathLike = what
    if Path(what).suffix != ".h5":  # computes, and says so beside its table
        results = command("converge", what, *words, "--jobs", jobs, *_options(meshes.named(options)),
                          *_recording(output, fresh, progress), keep_text=True, meshes=meshes, translate=True).results
    return _frame(command("converge", existing(results), *words, keep_text=True, translate=True).text)


def spectrum(discretization: str = "fefv", mesh: Union[str, _core.Mesh] = "icosphere:3", *, lowest: Optional[int] = None,
             shapes: bool = False, **parameters: Any) -> "xarray.Dataset":
    """The frequencies of all linear waves of a scheme on a mesh: angular_frequency (1/s), wavenumber (1/m) and multiplicity of
    the continuous level, whether a mode is spurious; with `shapes`, the elevations [mode, cell]. Counts are attributes."""
    meshes = _Meshes()
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "spectrum.h5"
        words: List[Any] = ["spectrum", "--discretization", discretization, "--mesh", meshes.named(mesh), "--output", file]
        for key, text in _texts(parameters).items():
            words += ["--param", f"{key}={text}"]
        if lowest is not None:
            words += ["--lowest", lowest]
        words += ["--shapes"] * shapes
        _in_a_process(lambda: command(*words, keep_text=True, meshes=meshes, translate=True).code)
        waves = read_group(file, "spectrum")
    names = dict(zip(waves["shapes" if shapes else "wavenumber"].dims, ("mode", "cell")))
    return waves.rename_dims(names)


def frontier(experiment: PathLike, *, output: Optional[PathLike] = None, jobs: int = 1, fresh: bool = False,
             progress: bool = True) -> "pandas.DataFrame":
    """The largest stable step of each combination of an experiment, by bisection (`shoal frontier -h`)."""
    return table(command("frontier", experiment, "--jobs", jobs, *_recording(output, fresh, progress), keep_text=True,
                         translate=True).results)


def _in_a_process(work: Callable[[], int], show: Callable[[str], Any] = lambda line: None) -> int:
    """The result of `work`, called in a forked process, which Ctrl-C ends at once. `show` receives the lines that C++ prints there."""
    text_end, text = os.pipe()
    result_end, result = os.pipe()
    _core.release_threads()
    child = os.fork()
    if child == 0:
        try:
            _core.die_with_parent()
            signal.signal(signal.SIGINT, signal.SIG_DFL)
            os.dup2(text, 1)
            try:
                ending: Any = work()
            except (_core.Error, _core.MachineError) as error:
                ending = (type(error).__name__, str(error))
            except BaseException as error:
                ending = ("RuntimeError", _sentence(error, error.__traceback__)[1])
            os.write(result, json.dumps(ending).encode())
        finally:
            os._exit(0)
    os.close(text)
    os.close(result)
    try:
        with open(text_end, encoding="utf-8", errors="replace") as lines, open(result_end, "rb") as ending_file:
            for line in lines:
                show(line)
            ending = json.loads(ending_file.read() or b"null")
    except BaseException:
        os.kill(child, signal.SIGKILL)
        raise
    finally:
        _, status = os.waitpid(child, 0)
    if isinstance(ending, list):
        raise getattr(_core, ending[0], RuntimeError)(ending[1])
    if ending is None:
        raise _core.MachineError(f"the process that computed this ended by signal {os.WTERMSIG(status)}")
    return int(ending)


def conformance(scheme: Union[str, Type[Flux], Type[Discretization]], *filters: str, progress: bool = True) -> bool:
    """Tests a scheme as every scheme of Shoal is tested: consistency, conservation, still water, dry land, orders, stability, …
    with every integrator. Prints the failures and returns whether there are none; with `progress`, also each test with its seconds.

    `scheme` is the name of a registered scheme or of an integrator, or a class, which is then registered. `filters` select tests by
    name or tag (`"[flux]"`), by default all but the slowest and those of several processes, in which no class of Python is called.
    The tests run in a process of their own, which Ctrl-C ends."""
    if inspect.isclass(scheme):
        register(scheme)
        scheme = scheme.name
    names = [*_core.discretizations(), *_core.integrators()]
    if scheme not in names:
        raise _core.Error(f"conformance: there is no discretization and no integrator '{scheme}'{_core.did_you_mean(str(scheme), names)}")
    words = ["--only", str(scheme), *["--progress"] * progress, *(filters or ("~[slow]~[parts]",))]

    def show(line: str) -> None:
        sys.stdout.write(line)
        sys.stdout.flush()

    code = _in_a_process(lambda: _core.conformance(words), show)
    if code not in (0, 1):
        raise _core.Error(f"conformance: {', '.join(map(repr, filters))} selects no test of '{scheme}'")
    return code == 0
