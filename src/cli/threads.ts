/**
 * Threads that do tasks (see task.ts), one at a time each. A thread is this very program, which finds that it is not the main thread (see
 * main.ts). Ctrl-C is heard on the main thread alone and reaches the others through memory that they share. What a thread that
 * breaks down was doing fails, and a new one takes its place.
 */
import { parentPort, Worker, workerData } from 'node:worker_threads';
import { type Failure, failureOf } from './failure.ts';
import { Interruption } from './interruption.ts';
import { ProgressLine } from './progress.ts';
import type { Told } from './report.ts';
import { perform, type Task, type TaskResult } from './task.ts';

type Message =
  | { readonly kind: 'verdict'; readonly told: Told }
  | { readonly kind: 'result'; readonly result: TaskResult };

export class Threads {
  private readonly interruption: Interruption;
  private readonly all: Worker[] = [];
  private readonly idle: Worker[] = [];

  constructor(interruption: Interruption) {
    this.interruption = interruption;
  }

  /** On a thread that has nothing to do, or a new one. */
  async perform(task: Task, onVerdict: (told: Told) => void): Promise<TaskResult> {
    const start = performance.now();
    const thread = this.idle.pop() ?? this.start();
    return new Promise(resolve => {
      const settle = (result: TaskResult) => {
        // Not all listeners, since node has some of its own.
        thread.off('error', fail).off('exit', onExit).off('message', onMessage);
        resolve(result);
      };
      const fail = (error: unknown) =>
        settle({ answer: brokenDown(error), warnings: [], milliseconds: performance.now() - start });
      const onExit = () => fail(new Error('a thread has ended'));
      const onMessage = (message: Message) => {
        if (message.kind === 'verdict') return onVerdict(message.told);
        this.idle.push(thread);
        settle(message.result);
      };
      thread.on('error', fail).on('exit', onExit).on('message', onMessage);
      thread.postMessage(task);
    });
  }

  /** Ends them, whatever they are doing. */
  async close(): Promise<void> {
    await Promise.all(this.all.map(thread => thread.terminate()));
  }

  private start(): Worker {
    const thread = new Worker(process.argv[1], { workerData: this.interruption.memory });
    this.all.push(thread);
    return thread;
  }
}

function brokenDown(error: unknown): Failure {
  const isTooLarge = (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY';
  return failureOf(isTooLarge ? new Error('the memory of a thread is used up') : error);
}

/** The other side: does tasks until it is ended. */
export function serveTasks(): void {
  const interruption = new Interruption(workerData as SharedArrayBuffer);
  const say = (message: Message) => parentPort?.postMessage(message);
  parentPort?.on('message', async (task: Task) => {
    const onVerdict = (told: Told) => say({ kind: 'verdict', told });
    say({ kind: 'result', result: await perform(task, interruption, new ProgressLine(true), onVerdict) });
  });
}
