/**
 * The limits of a call as the solvers look at them. How much memory is in use only the surroundings know: node says it of the
 * process, Chromium of the page's own code; elsewhere the limit cannot be kept, and the caller hears of that.
 */
import type { Budget, Signal } from '../sat/budget.ts';
import { MemoryWatch } from '../sat/memory-watch.ts';
import type { LimitOptions } from './options.ts';

/** What is used of node and of browsers, of which the language's own library has no types. */
interface Measuring {
  readonly process?: { readonly memoryUsage?: { readonly rss?: () => number } };
  readonly performance?: { readonly memory?: { readonly usedJSHeapSize: number } };
}

export function budgetOf({ timeout, memory, signal, onWarning }: LimitOptions): Budget {
  const inUse = memory === undefined ? undefined : meter();
  if (memory !== undefined && inUse === undefined)
    onWarning?.('the memory in use cannot be measured here: going on without a limit');
  const watch = memory === undefined || inUse === undefined ? undefined : new MemoryWatch(memory, inUse);
  return {
    ...(timeout === undefined ? {} : { deadline: Date.now() + 1000 * timeout }),
    ...(signal === undefined && watch === undefined ? {} : { signal: either(signal, watch) }),
  };
}

/** Up if the caller has had enough, for whatever reason, or if memory has run short. */
function either(signal: LimitOptions['signal'], watch: MemoryWatch | undefined): Signal {
  return {
    get aborted() {
      return signal?.aborted === true || watch?.isExceeded === true;
    },
    get reason() {
      return watch?.isExceeded === true ? 'memory' : undefined;
    },
  };
}

/** Tells how many bytes are in use, if anybody can. */
function meter(): (() => number) | undefined {
  const { process, performance } = globalThis as unknown as Measuring;
  const rss = process?.memoryUsage?.rss;
  if (rss !== undefined) return () => rss();
  const memory = performance?.memory;
  return memory && (() => memory.usedJSHeapSize);
}
