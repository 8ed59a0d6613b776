"""Calls the tool-info module as BenchExec does: a JSON array of calls on standard input, one of answers on standard output."""

from __future__ import annotations

import importlib.util
import json
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

HERE = Path(__file__).parent
sys.dont_write_bytecode = True
sys.path = [str(HERE.parent.parent)] + [folder for folder in sys.path if folder not in ("", str(HERE))]
IS_STUB = importlib.util.find_spec("benchexec") is None
if IS_STUB:
    sys.path.append(str(HERE / "stub"))

from benchexec.tools.template import BaseTool2, UnsupportedFeatureException  # noqa: E402
from contrib.benchexec.euforia import Tool  # noqa: E402

tool = Tool()


def info() -> dict[str, Any]:
    """What is known before any run."""
    executable = tool.executable(BaseTool2.ToolLocator(use_path=True))
    return {"name": tool.name(), "version": tool.version(executable), "stub": IS_STUB}


def cmdline(options: list[str], files: list[str], property_file: Any, task: Any, limits: dict[str, int]) -> Any:
    """The command line of a task, or why there is none."""
    try:
        about = BaseTool2.Task.with_files(files, property_file=property_file, options=task)
        return tool.cmdline("euforia", options, about, BaseTool2.ResourceLimits(**limits))
    except UnsupportedFeatureException as reason:
        return {"unsupported": str(reason)}


def result(cmdline: list[str], status: Any, output: str, ended: Any, columns: list[str]) -> dict[str, Any]:
    """The result of a run, and columns of the table."""
    code = SimpleNamespace(value=status, signal=9 if status is None else None)
    lines = BaseTool2.RunOutput(output.splitlines(keepends=True))
    run = BaseTool2.Run(cmdline, code, lines, ended)
    values = {column: tool.get_value_from_output(lines, column) for column in columns}
    return {"result": tool.determine_result(run), "values": values}


CALLS = {"info": info, "cmdline": cmdline, "result": result}
print(json.dumps([CALLS[name](*arguments) for name, *arguments in json.load(sys.stdin)]))
