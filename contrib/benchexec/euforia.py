"""BenchExec's tool-info module for Euforia: Horn clauses, BTOR2, C, LLVM IR and VMT. See docs/at-scale.md."""

from __future__ import annotations

import json
import os
import re
from typing import Any, Iterable, Optional

import benchexec.result as result
import benchexec.tools.template
from benchexec.tools.template import UnsupportedFeatureException

PROGRAMS = (".c", ".i", ".ll")
"""Files that are programs; the others are systems or clauses."""

STATUS = {0: "safe", 10: "unsafe", 20: "unknown"}
"""What exit statuses say; others are failures."""

FAILURES = {2: "wrong call or input", 3: "internal failure", 130: "interrupted"}

WORDS = {
    "plain": {"safe": {"safe"}, "unsafe": {"unsafe"}, "unknown": {"unknown"}},
    # Of z3's rules `sat` says that the query is reached, of SMT-LIB's clauses that it is not.
    "chc-comp": {"safe": {"sat", "unsat"}, "unsafe": {"sat", "unsat"}, "unknown": {"unknown"}},
    "hwmcc": {"safe": {"unsat"}, "unsafe": {"sat"}, "unknown": {"unknown"}},
}
"""Lines that say a verdict, by --format."""

SECONDS = {"us": 1e-6, "ms": 1e-3, "s": 1.0}


class Tool(benchexec.tools.template.BaseTool2):
    """
    Euforia, a model checker that needs no native solver.

    The limits of a run become --timeout and --memory, a little below them, so that Euforia says `unknown` by itself. The data
    model of a C task becomes --data-model. Columns are what --stats prints, such as `found by` or `time of reading`.
    """

    def name(self) -> str:
        return "Euforia"

    def executable(self, tool_locator: Any) -> str:
        return tool_locator.find_executable("euforia")

    def version(self, executable: str) -> str:
        return self._version_from_tool(executable)

    def cmdline(self, executable: str, options: list[str], task: Any, rlimits: Any) -> list[str]:
        files = list(task.input_files)
        is_program = any(file.endswith(PROGRAMS) for file in files)
        if is_program and task.property_file and os.path.basename(task.property_file) != "unreach-call.prp":
            raise UnsupportedFeatureException("Of programs, Euforia's module knows unreach-call.prp only")
        if not is_program:
            task.require_single_input_file()
        added = _limits(rlimits) + (_data_model(task.options) if is_program else [])
        return [executable, "check", *_without_given(added, options), *options, *files]

    def determine_result(self, run: Any) -> str:
        status = run.exit_code.value
        if run.was_terminated or status is None:
            return result.RESULT_ERROR  # BenchExec says what ended it
        if status not in STATUS:
            return f"{result.RESULT_ERROR} ({FAILURES.get(status, f'exit status {status}')})"
        verdict = STATUS[status]
        if not _says(run.output, run.cmdline, verdict):
            return f"{result.RESULT_ERROR} (exit status {status}, but the output does not say {verdict})"
        if verdict == "unknown":
            return result.RESULT_UNKNOWN
        if verdict == "safe":
            return result.RESULT_TRUE_PROP
        is_program = any(word.endswith(PROGRAMS) for word in run.cmdline)
        return result.RESULT_FALSE_REACH if is_program else result.RESULT_FALSE_PROP

    def get_value_from_output(self, output: Any, identifier: str) -> Optional[str]:
        answer = _json(output)
        found = list(_of_json(answer, identifier) if answer else _of_stats(output, identifier))
        if not found:
            return None
        if all(isinstance(value, float) for value in found):
            unit = "s" if identifier.startswith("time of ") else ""
            return f"{sum(found):.6g}{unit}"
        return ", ".join(dict.fromkeys(str(value) for value in found))


def _limits(rlimits: Any) -> list[str]:
    """Options for less than what a run may take: time for the last answer, and memory that grows between two looks at it."""
    options: list[str] = []
    # Where there are other cores, garbage is collected on them: a run takes up to a quarter more processor time than time.
    share = 0.95 if rlimits.cpu_cores == 1 else 0.8
    times = [share * rlimits.cputime] if rlimits.cputime else []
    times += [0.95 * rlimits.walltime] if rlimits.walltime else []
    if times:
        options += ["--timeout", f"{min(times):g}"]
    if rlimits.memory:
        options += ["--memory", str(max(1, int(0.9 * rlimits.memory / 2**20)))]
    return options


def _data_model(options: Any) -> list[str]:
    """What the definition of a task says of the sizes of types, as an option."""
    model = options.get("data_model") if isinstance(options, dict) else None
    if model is None:
        return []
    if model not in ("ILP32", "LP64"):
        raise UnsupportedFeatureException(f"Euforia does not know the data model {model!r}")
    return ["--data-model", model.lower()]


def _without_given(added: list[str], given: list[str]) -> Iterable[str]:
    """Pairs of an option and its value, without those that the benchmark definition gives itself."""
    for name, value in zip(added[::2], added[1::2]):
        if not any(option == name or option.startswith(f"{name}=") for option in given):
            yield from (name, value)


def _format(cmdline: Iterable[str]) -> str:
    """The value of --format."""
    words = list(cmdline)
    for i, word in enumerate(words):
        if word.startswith("--format="):
            return word.partition("=")[2]
        if word == "--format" and i + 1 < len(words):
            return words[i + 1]
    return "plain"


def _says(output: Any, cmdline: Iterable[str], verdict: str) -> bool:
    """Is that the verdict in the output: in JSON, or in the first line that is one?"""
    answer = _json(output)
    if answer is not None:
        return answer.get("verdict") == verdict
    words = WORDS.get(_format(cmdline), WORDS["plain"])
    first = next((line for line in output if any(line in said for said in words.values())), None)
    return first in words[verdict]


def _json(output: Any) -> Optional[dict[str, Any]]:
    """What --json printed, if it was given; standard error may come before or after it."""
    lines = list(output)
    if "{" not in lines or "}" not in lines:
        return None
    last = len(lines) - lines[::-1].index("}")
    try:
        answer = json.loads("\n".join(lines[lines.index("{") : last]))
    except ValueError:
        return None
    return answer if answer.get("format") == "euforia-result" else None


def _of_json(answer: dict[str, Any], identifier: str) -> Iterable[Any]:
    """The values of a statistic, one for each property that has it; names are those of --stats."""
    if identifier == "reason" and "reason" in answer:
        yield answer["reason"]  # a limit was reached before the properties were known
    for of_property in answer.get("properties", []):
        key = {"found by": "foundBy", "reason": "reason"}.get(identifier)
        if key is not None:
            if key in of_property:
                yield of_property[key]
        elif identifier.startswith("time of "):
            phase = identifier.removeprefix("time of ")
            if phase in of_property["milliseconds"]:
                yield of_property["milliseconds"][phase] / 1000
        else:
            for engine in of_property["engines"]:
                for key, value in engine.items():
                    if isinstance(value, (int, float)) and f"{engine['name']} {_spelt(key)}" == identifier:
                        yield float(value)


def _spelt(key: str) -> str:
    """A measure's name in JSON as --stats has it: `pathRefinements` is `path refinements`, and `spent` is `effort`."""
    return "effort" if key == "spent" else re.sub("[A-Z]", lambda letter: " " + letter[0].lower(), key)


def _of_stats(output: Any, identifier: str) -> Iterable[Any]:
    """The same of the lines that --stats prints, and of `reason: …`."""
    for line in output:
        if identifier == "reason" and line.startswith("reason: "):
            yield line.removeprefix("reason: ")
        row = re.fullmatch(r"; (.+?) {2,}(.+)", line)
        if row is None or row[1] != identifier:
            continue
        time = re.fullmatch(r"([\d.]+) (us|ms|s)", row[2])
        if time is not None:
            yield float(time[1]) * SECONDS[time[2]]
        elif re.fullmatch(r"-?[\d.]+", row[2]):
            yield float(row[2])
        else:
            yield row[2]
