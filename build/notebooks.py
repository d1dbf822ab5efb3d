"""Run the notebooks of docs/notebooks, and keep their outputs in the files.

Usage: ``.venv/bin/python build/notebooks.py [NAME ...]``. Run it after a change of a notebook.
``tests/python/project/test_notebooks.py`` checks that the outputs are up to date.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient

FOLDER = Path(__file__).resolve().parents[1] / "docs" / "notebooks"

#: What a notebook needs to be run, and nothing of the machine that has run it.
METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}


def executed(path: Path) -> Any:
    """Runs a notebook in a kernel of its own.

    Args:
        path: the notebook.

    Returns:
        The notebook with its new outputs.
    """
    notebook = nbformat.read(path, as_version=4)
    with tempfile.TemporaryDirectory() as folder:
        client = NotebookClient(
            notebook,
            timeout=300,
            kernel_name="python3",
            resources={"metadata": {"path": folder}},
        )
        client.execute()
    notebook.metadata = nbformat.from_dict(METADATA)
    for number, cell in enumerate(notebook.cells, 1):
        cell.id = f"cell-{number}"
        cell.metadata = nbformat.from_dict({})
        if cell.cell_type == "code":
            cell.execution_count = None
            cell.outputs = [kept(each) for each in cell.outputs if each.get("name") != "stderr"]
    return notebook


def kept(output: Any) -> Any:
    """Returns what a page needs of an output.

    Args:
        output: of a cell. The log of Spark is no output to keep.
    """
    if "execution_count" in output:
        output.execution_count = None
    output.pop("transient", None)
    # HTML has the picture already.
    if "text/html" in output.get("data", {}):
        output.data.pop("image/svg+xml", None)
    return output


def main(names: list[str]) -> None:
    """Runs notebooks and writes them.

    Args:
        names: of the notebooks without their ending; all if empty.
    """
    for path in sorted(FOLDER.glob("*.ipynb")):
        if not names or path.stem in names:
            nbformat.write(executed(path), path)


if __name__ == "__main__":
    main(sys.argv[1:])
