"""The base class of tool-info modules, and what its methods are given."""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import dataclass
from typing import Any, Optional, Sequence


class UnsupportedFeatureException(Exception):
    """What the tool cannot do is asked for."""


class RunOutput(list[str]):
    """Lines, which are given with their ends and have none here."""

    def __init__(self, lines: Sequence[str]) -> None:
        super().__init__(line.rstrip("\n") for line in lines)


class BaseTool2:
    """What a module inherits."""

    RunOutput = RunOutput

    @staticmethod
    def _version_from_tool(executable: str) -> str:
        return subprocess.run([executable, "--version"], capture_output=True, text=True).stdout.strip()

    class ToolLocator:
        """Looks for a program in PATH."""

        def __init__(self, use_path: bool) -> None:
            assert use_path

        def find_executable(self, name: str) -> Optional[str]:
            return shutil.which(name)

    @dataclass(frozen=True)
    class Task:
        """What a run is about."""

        input_files: tuple[str, ...]
        property_file: Optional[str]
        options: Any

        @classmethod
        def with_files(cls, files: Sequence[str], *, property_file: Optional[str] = None, options: Any = None) -> Any:
            return cls(tuple(files), property_file, options)

        def require_single_input_file(self) -> None:
            if len(self.input_files) != 1:
                raise UnsupportedFeatureException("more than one input file")

    @dataclass(frozen=True)
    class ResourceLimits:
        """Seconds and bytes."""

        cputime: Optional[int] = None
        cputime_hard: Optional[int] = None
        walltime: Optional[int] = None
        memory: Optional[int] = None
        cpu_cores: Optional[int] = None

    @dataclass(frozen=True)
    class Run:
        """A run that has ended; `exit_code` has a value or a signal."""

        cmdline: Sequence[str]
        exit_code: Any
        output: RunOutput
        termination_reason: Optional[str]

        @property
        def was_terminated(self) -> bool:
            return bool(self.termination_reason)
