"""What notebooks and IPython shells add: the cell magic ``%%match_recognize``.

Only ``%load_ext match_recognize`` imports the modules of this package that need IPython.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from IPython.core.interactiveshell import InteractiveShell


def load_ipython_extension(shell: InteractiveShell) -> None:
    """Adds the magic and its completion to a shell. ``%load_ext match_recognize`` calls it.

    Args:
        shell: the running shell.
    """
    from match_recognize.notebook import completion
    from match_recognize.notebook.magic import magic_of

    shell.magics_manager.register_function(
        magic_of(cast("dict[str, Any]", shell.user_ns)),
        magic_kind="cell",
        magic_name="match_recognize",
    )
    completion.load(shell)


def unload_ipython_extension(shell: InteractiveShell) -> None:
    """Removes both. ``%unload_ext match_recognize`` calls it.

    Args:
        shell: the running shell.
    """
    from match_recognize.notebook import completion

    shell.magics_manager.magics["cell"].pop("match_recognize", None)
    completion.unload(shell)
