"""Executes the notebooks, each in a folder of its own: notebooks.py FOLDER NOTEBOOK…; with --keep, writes the outputs into them."""

import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "support"))
from skip import require  # noqa: E402

require("nbformat", "nbclient", "ipykernel")
import nbformat  # noqa: E402
from nbclient import NotebookClient  # noqa: E402


def execute(path, folder):
    notebook = nbformat.read(path, as_version=4)
    folder.mkdir(parents=True, exist_ok=True)
    NotebookClient(notebook, timeout=300, kernel_name="python3", resources={"metadata": {"path": str(folder)}}).execute()
    for cell in notebook.cells:
        cell.get("metadata", {}).pop("execution", None)
    return notebook


def main():
    keep = "--keep" in sys.argv
    folder, *notebooks = [Path(word) for word in sys.argv[1:] if word != "--keep"]
    os.environ["PYDEVD_DISABLE_FILE_VALIDATION"] = "1"  # of the debugger of the kernel
    for path in notebooks:
        notebook = execute(path, folder / path.stem)
        if keep:
            nbformat.write(notebook, path)
        print(f"{path.name}: {sum(cell.cell_type == 'code' for cell in notebook.cells)} cells executed")


if __name__ == "__main__":
    main()
