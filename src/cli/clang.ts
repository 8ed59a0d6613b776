/**
 * The C compiler as the command line has it: found among the installed packages when a C file is met, run in a process of its own
 * (see clang-process.ts), and stopped when a limit is reached, whatever it is doing.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { CLANG_PACKAGE, CLANG_VERSION, type Clang, type Outcome } from '../formats/c/clang.ts';
import type { FileTree } from '../formats/c/clang-package.ts';
import { exceededLimit } from '../sat/budget.ts';
import { Unknown } from '../sat/unknown.ts';
import type { ClangRun } from './clang-process.ts';
import type { Limits } from './limits.ts';
import type { ProgressLine } from './progress.ts';

/** The package of the compiler is not installed, which is for the user to do. */
export class MissingCompiler extends Error {
  constructor() {
    super(
      `euforia: C needs a compiler, which is a package of its own: npm install ${CLANG_PACKAGE}@${CLANG_VERSION}`,
    );
  }
}

export interface FoundClang {
  readonly url: URL;
  readonly version: string;
}

/** Looks for the package beside this program, then in the current folder: one of them may be installed globally. */
export function findClang(): FoundClang {
  for (const from of [import.meta.url, pathToFileURL(join(process.cwd(), 'here.js'))]) {
    try {
      const url = pathToFileURL(createRequire(from).resolve(CLANG_PACKAGE));
      const { version } = JSON.parse(readFileSync(new URL('../package.json', url), 'utf8'));
      return { url, version };
    } catch {
      // Not here.
    }
  }
  throw new MissingCompiler();
}

const LOOK_INTERVAL = 20; // ms between looks at the limits
/** The compiler recurses as deeply as a text is nested; systems give a process 8 MB at least, of which this is KB. */
const STACK = 4000;

export class ClangProcess implements Clang {
  private readonly url: URL;
  private readonly limits: Limits;
  private readonly progress: ProgressLine;
  private child: ChildProcess | undefined;

  constructor(url: URL, limits: Limits, progress: ProgressLine) {
    this.url = url;
    this.limits = limits;
    this.progress = progress;
  }

  /** Throws an Unknown when a limit is reached. */
  async run(args: readonly string[], files: FileTree): Promise<Outcome> {
    if (this.child === undefined) {
      this.child = fork(fileURLToPath(new URL('./clang-process.mjs', import.meta.url)), [this.url.href], {
        execArgv: [`--stack-size=${STACK}`],
        serialization: 'advanced',
        // Ctrl-C reaches all processes of a terminal's group; this one is to be ended by us alone.
        detached: true,
        stdio: ['ignore', 'ignore', process.env.EUFORIA_DEBUG === undefined ? 'ignore' : 'inherit', 'ipc'],
      });
      await this.answer(this.child, 'loading the C compiler');
    }
    this.child.send({ args, files } satisfies ClangRun);
    return this.answer<Outcome>(this.child, 'compiling');
  }

  /** To be called when no more is to be compiled. */
  stop(): void {
    this.child?.kill('SIGKILL');
    this.child = undefined;
    this.progress.clear();
  }

  /** The next message of the process, unless a limit is reached first. */
  private answer<T>(child: ChildProcess, phase: string): Promise<T> {
    const { limits, progress } = this;
    return new Promise<T>((resolve, reject) => {
      const look = () => {
        limits.countAlso(residentMemory(child.pid));
        const reason = exceededLimit(limits.budget);
        if (reason !== undefined) settle(() => reject(new Unknown(reason)));
        else progress.show({ phase, stats: {} });
      };
      const timer = setInterval(look, LOOK_INTERVAL);
      const onMessage = (answer: unknown) => settle(() => resolve(answer as T));
      const onError = (error: Error) => settle(() => reject(error));
      const onExit = () => onError(new Error('the process of the C compiler has ended'));
      const settle = (outcome: () => void) => {
        clearInterval(timer);
        limits.countAlso(0);
        child.off('message', onMessage).off('error', onError).off('exit', onExit);
        outcome();
      };
      child.on('message', onMessage).on('error', onError).on('exit', onExit);
    });
  }
}

/** In bytes, as Linux tells; elsewhere the memory of other processes is not known and does not count. */
function residentMemory(pid: number | undefined): number {
  try {
    return 1024 * Number(/^VmRSS:\s*(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0);
  } catch {
    return 0;
  }
}
