"""Executes the examples that are printed: the blocks of the page, and those of the docstrings: examples.py PAGE"""

import inspect
import os
import re
import sys
import tempfile
import textwrap
from pathlib import Path

import numpy as np

import shoal


def blocks(docstring):
    """The indented paragraphs of a docstring that use the package; others are formulas and signatures."""
    found = re.findall(r"(?:(?<=\n\n)|^)((?:    .*\n|\n)+)", docstring + "\n")
    return [textwrap.dedent(block) for block in found if "shoal." in block]


def documented(module):
    """Every public object, and its public members, with a docstring of its own."""
    for name in module.__all__:
        one = getattr(module, name)
        yield name, one
        if inspect.isclass(one):
            for key, member in vars(one).items():
                if not key.startswith("_"):
                    yield f"{name}.{key}", member


def main():
    page = Path(sys.argv[1]).read_text()
    examples = [(f"{sys.argv[1]}, block {i + 1}", code) for i, code in enumerate(re.findall(r"```python\n(.*?)```", page, re.S))]
    assert examples, "the page has no example"
    on_page = len(examples)
    examples += [(name, code) for name, one in documented(shoal) for code in blocks(inspect.getdoc(one) or "")]
    assert len(examples) > on_page, "no docstring has an example"
    for where, code in examples:
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            try:
                exec(compile(code, where, "exec"), {"np": np, "shoal": shoal})
            except Exception as error:
                sys.exit(f"{where}: {type(error).__name__}: {error}\n{code}")
            os.chdir("/")
        print(f"{where}: {len(code.splitlines())} lines")


if __name__ == "__main__":
    main()
