"""`python -m shoal COMMAND …`: the program `shoal`. `--plugin FILE.py` adds schemes that a Python file registers."""

from __future__ import annotations

import importlib.util
import sys
import traceback
from typing import List

from . import _core
from .experiments import command


def _load_python_plugins(words: List[str]) -> List[str]:
    """The words without --plugin FILE.py, whose files are imported."""
    rest: List[str] = []
    waiting = iter(words)
    for word in waiting:
        file = word[len("--plugin="):] if word.startswith("--plugin=") else next(waiting, "") if word == "--plugin" else ""
        if not file.endswith(".py"):
            rest += [word] if not file or word.startswith("--plugin=") else [word, file]
            continue
        spec = importlib.util.spec_from_file_location("shoal_plugin", file)
        if spec is None or spec.loader is None:
            raise _core.Error(f"plugin '{file}' is not a file of Python")
        try:
            spec.loader.exec_module(importlib.util.module_from_spec(spec))
        except FileNotFoundError as error:
            if error.filename != file:
                raise _failure(file, error) from None
            raise _core.Error(f"plugin '{file}': there is no such file") from None
        except (Exception, SystemExit) as error:
            raise _failure(file, error) from None
    return rest


def _failure(file: str, error: BaseException) -> _core.Error:
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == file]
    line = error.lineno if isinstance(error, SyntaxError) else lines[-1] if lines else None
    what = error.msg if isinstance(error, SyntaxError) else " ".join(str(error).split())
    return _core.Error(f"plugin '{file}'{f', line {line}' if line else ''}: {type(error).__name__}: {what}")


def main() -> int:
    try:
        return command(*_load_python_plugins(sys.argv[1:]))[0]
    except _core.MachineError as error:
        print(f"shoal: {error}", file=sys.stderr)
        return 3
    except _core.Error as error:
        print(f"shoal: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
