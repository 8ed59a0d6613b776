/**
 * One press of the button: the chosen properties are checked one after the other. Stopping is at once: nobody waits for the
 * worker, which is ended.
 */
import type { CheckResult } from '../../src/api.ts';
import type { Progress } from '../../src/core/portfolio/share.ts';
import type { PropertyName } from '../../src/formats/question.ts';
import type { Checker } from './checker.ts';
import type { CheckSettings } from './options-form.ts';
import { type Sample, Samples } from './text/samples.ts';
import type { Answered } from './views/result.ts';

export interface Task {
  readonly file: string;
  readonly text: string;
  /** Other files that the text may include, by name. */
  readonly files: Readonly<Record<string, string>>;
  /** Undefined: there is one, or what there are is not known; the checker knows. */
  readonly properties: readonly (PropertyName | undefined)[];
  readonly settings: CheckSettings;
}

export interface Audience {
  started(index: number): void;
  progress(now: Progress, samples: readonly Sample[], seconds: number): void;
  answered(index: number, answer: Answered): void;
  warned(message: string): void;
  failed(error: unknown): void;
  /** All is done, or has been stopped. */
  ended(wasStopped: boolean): void;
}

export class Session {
  private readonly controller = new AbortController();
  private readonly audience: Audience;

  constructor(checker: Checker, task: Task, audience: Audience) {
    this.audience = audience;
    void this.run(checker, task);
  }

  stop(): void {
    if (this.controller.signal.aborted) return;
    this.controller.abort();
    this.audience.ended(true);
  }

  private async run(checker: Checker, { file, text, files, properties, settings }: Task): Promise<void> {
    const { audience } = this;
    const { signal } = this.controller;
    try {
      for (const [index, property] of properties.entries()) {
        audience.started(index);
        const samples = new Samples();
        const start = performance.now();
        const seconds = () => (performance.now() - start) / 1000;
        const result: CheckResult = await checker.check(text, {
          ...settings,
          file,
          files,
          signal,
          ...(property === undefined ? {} : { property: property.index }),
          onProgress: progress => {
            samples.add(seconds(), progress);
            if (!signal.aborted) audience.progress(progress, samples.all, seconds());
          },
          onWarning: message => audience.warned(message),
        });
        if (signal.aborted) return;
        audience.answered(index, {
          result,
          property: property?.name,
          seconds: seconds(),
          samples: samples.all,
        });
      }
      audience.ended(false);
    } catch (error) {
      if (signal.aborted) return;
      audience.failed(error);
      audience.ended(false);
    }
  }
}
