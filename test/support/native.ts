/** The native C compiler, where there is one: programs are built and run, with what they print and how they end. */
import { spawnSync } from 'node:child_process';
import type { DataModel } from '../../src/formats/c/flags.ts';

export interface Ended {
  readonly output: string;
  /** The exit status, or the signal, or what the compiler complained of. */
  readonly status: number | string;
}

/** Builds files and runs what comes out. */
export type Native = (files: readonly string[], program: string, ...flags: string[]) => Ended;

/** Undefined if nothing compiles for that data model here. */
export function nativeCompiler(dataModel: DataModel): Native | undefined {
  const model = dataModel === 'ilp32' ? ['-m32'] : ['-m64'];
  const compiler = ['gcc', 'clang'].find(
    name =>
      spawnSync(name, [...model, '-x', 'c', '-', '-o', '/dev/null'], {
        input: '#include <stdlib.h>\nint main(void) { return 0; }',
      }).status === 0,
  );
  if (compiler === undefined) return undefined;
  return (files, program, ...flags) => {
    const built = spawnSync(compiler, ['-w', ...model, ...flags, ...files, '-o', program], {
      encoding: 'utf8',
    });
    if (built.status !== 0) return { output: built.stderr, status: 'not built' };
    const { stdout, status, signal } = spawnSync(program, { encoding: 'utf8', timeout: 60_000 });
    return { output: stdout, status: status ?? signal ?? 'lost' };
  };
}
