/** What `euforia check` can be told. Plain data, since it is sent to threads. */
import type { CheckOptions as EngineChoice } from '../check.ts';
import type { EngineOptions } from '../core/env/options.ts';
import type { EvidencePaths } from './evidence-files.ts';
import type { ProgramOptions } from './read-question.ts';
import type { ReportOptions } from './report.ts';

export const ANSWER_FORMATS = ['plain', 'chc-comp', 'hwmcc'] as const;

/** What the command's status says: the verdict, or nothing for pipelines that stop at whatever is not zero. */
export const EXIT_CODE_KINDS = ['verdict', 'zero'] as const;

export interface CheckOptions extends ReportOptions, EvidencePaths {
  readonly property: number | string | undefined;
  readonly timeout: number | undefined;
  readonly memory: number | undefined;
  readonly format: (typeof ANSWER_FORMATS)[number];
  readonly json: boolean;
  readonly exitCode: (typeof EXIT_CODE_KINDS)[number];
  readonly engine: EngineOptions;
  readonly strict: boolean;
  readonly engines: readonly string[] | undefined;
  readonly encoding: EngineChoice['encoding'];
  readonly program: ProgramOptions;
  /** Is each of several programs a question of its own, and not a part of one? */
  readonly each: boolean;
  /** Threads that work at the same time. */
  readonly jobs: number;
}
