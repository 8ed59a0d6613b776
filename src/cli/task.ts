/**
 * What a thread is given to do, and what it answers: an input with the share of its properties, on its own limits. Plain data on both
 * sides. The same function does it on the main thread where there is only one.
 */
import { type Answer, checkShare, type Input, readInput, type Share, type Unread } from './check-file.ts';
import type { CheckOptions } from './check-options.ts';
import { type Failure, failureOf } from './failure.ts';
import { collectGarbage } from './garbage.ts';
import type { Interruption } from './interruption.ts';
import { type CountedMemory, Limits } from './limits.ts';
import type { ProgressLine } from './progress.ts';
import type { Told } from './report.ts';

export interface Task {
  readonly input: Input;
  readonly options: CheckOptions;
  readonly share: Share;
  readonly counted: CountedMemory;
  /** If the time has begun to run before. */
  readonly deadline: number | undefined;
}

export interface TaskResult {
  readonly answer: Answer | Unread | Failure;
  readonly warnings: readonly string[];
  readonly milliseconds: number;
}

export async function perform(
  { input, options, share, counted, deadline }: Task,
  interruption: Interruption,
  progress: ProgressLine,
  onVerdict: (told: Told) => void,
): Promise<TaskResult> {
  const start = performance.now();
  const warnings: string[] = [];
  const warn = (line: string) => void warnings.push(line);
  const answered = (answer: TaskResult['answer']): TaskResult => ({
    answer,
    warnings,
    milliseconds: performance.now() - start,
  });
  try {
    // What others left behind must not count.
    if (options.memory !== undefined && counted === 'thread') collectGarbage();
    const limits = new Limits(options.timeout, options.memory, { interruption, counted, deadline });
    const surroundings = { limits, progress, warn, onVerdict };
    const read = await readInput(input, options, surroundings);
    if (read.kind === 'unread') return answered(read);
    return answered(await checkShare(input, read, share, options, surroundings));
  } catch (error) {
    return answered(failureOf(error));
  }
}
