/**
 * The run of a violation as the library tells it, in one of three ways: states of a system, steps of a derivation from clauses,
 * or lines of a program.
 */
export interface SystemRun {
  readonly format: 'euforia-trace';
  readonly steps: readonly {
    readonly state: Readonly<Record<string, string>>;
    readonly input: Readonly<Record<string, string>>;
  }[];
}

export interface ClauseRun {
  readonly format: 'euforia-derivation';
  readonly steps: readonly {
    readonly line: number;
    readonly values: Readonly<Record<string, string>>;
    readonly premises: readonly number[];
    readonly derives: string;
  }[];
}

export interface ProgramRun {
  readonly format: 'euforia-program-run';
  readonly error: {
    readonly text: string | null;
    readonly file: string | null;
    readonly line: number | null;
  };
  readonly steps: readonly {
    readonly file: string | null;
    readonly line: number | null;
    readonly function: string;
    readonly text: string;
  }[];
}

export type Run = SystemRun | ClauseRun | ProgramRun;

/** Undefined of a run of another kind. */
export function readRun(json: string): Run | undefined {
  const run = JSON.parse(json) as Run;
  return ['euforia-trace', 'euforia-derivation', 'euforia-program-run'].includes(run.format)
    ? run
    : undefined;
}

/** What a line of a program's run assigns, if it does. */
export function assignmentOf(text: string): { readonly name: string; readonly value: string } | undefined {
  const match = /^(.+?) = (.*)$/.exec(text) ?? /^(.+?) gives (.*)$/.exec(text);
  return match === null ? undefined : { name: match[1], value: match[2] };
}
