/**
 * The flow of a program with its calls inlined, all of them or all but those of functions that call themselves. A small program is taken as a whole, so that runs tell all that it does. Of a
 * large one only what bears on errors is kept, which is what makes drivers small enough.
 */
import type { Checkpoint } from '../../sat/checkpoint.ts';
import { Unknown } from '../../sat/unknown.ts';
import { compacted } from './compact.ts';
import type { Flow } from './flow.ts';
import { type Bounds, inlined } from './inline.ts';
import { keptFunctions } from './kept-functions.ts';
import { lowered } from './lower.ts';
import { Memory } from './memory.ts';
import { checksMemory } from './memory-checks.ts';
import type { Module } from './module.ts';
import type { LoweringOptions } from './module-builder.ts';
import { PointsTo } from './points-to.ts';
import { knownBeyondOneCall } from './private-memory.ts';
import { sliced } from './slice.ts';

/** `summaries`: functions that call themselves are kept. */
export const CALLS = ['inline', 'wait', 'summaries'] as const;

/** `auto`: of large programs. */
export const SLICING = ['auto', 'on', 'off'] as const;

/** What is not larger is small. */
const SMALL: readonly Bounds[] = [{ calls: 3, statements: 3_000 }];

export interface FlowOptions extends LoweringOptions {
  /** The function that the program starts with. */
  readonly entry: string;
  /** What becomes of calls. */
  readonly calls: (typeof CALLS)[number];
  /** Is what has no bearing on errors left out? Whoever makes all choices in their order wants all of it. */
  readonly slice: (typeof SLICING)[number];
}

export function programFlow(module: Module, options: FlowOptions, checkpoint: Checkpoint): Flow {
  const flow = lowered(module, options.entry, options, checkpoint);
  const pointsTo = new PointsTo(flow);
  const inline = (bounds?: readonly Bounds[]) => withCalls(flow, pointsTo, options, checkpoint, bounds);
  // Checks bear on every access, and what code outside of the program writes bears on anything.
  if (options.slice === 'off' || options.checks.size > 0 || options.externals === 'havoc') return inline();
  if (options.slice === 'on') return essence(flow, pointsTo, options, checkpoint);
  try {
    return inline(SMALL);
  } catch (error) {
    if (!(error instanceof Unknown) || error.reason !== 'size') throw error;
    return essence(flow, pointsTo, options, checkpoint);
  }
}

/** Inlines twice where functions are kept: only then it is known which of their objects are known beyond one call. */
function withCalls(
  flow: Flow,
  pointsTo: PointsTo,
  options: FlowOptions,
  checkpoint: Checkpoint,
  bounds?: readonly Bounds[],
): Flow {
  // What is kept beside pointers, to check accesses, is not passed on by calls.
  const isInlined = options.calls === 'inline' || checksMemory(options.checks);
  const functions = isInlined ? new Set<string>() : keptFunctions(flow, pointsTo, options.calls === 'wait');
  const first = inlined(flow, pointsTo, options, checkpoint, bounds, { functions, many: new Set() });
  const many = knownBeyondOneCall(first, new PointsTo(first));
  if (many.size === 0) return first;
  return inlined(flow, pointsTo, options, checkpoint, bounds, { functions, many });
}

/** Slices once before there are many copies, and once when it is known more exactly what each of them accesses. */
function essence(flow: Flow, pointsTo: PointsTo, options: FlowOptions, checkpoint: Checkpoint): Flow {
  const part = compacted(sliced(flow, pointsTo, new Memory(flow, pointsTo)));
  const whole = compacted(withCalls(part, pointsTo, options, checkpoint));
  const pointsToOfWhole = new PointsTo(whole);
  return compacted(sliced(whole, pointsToOfWhole, new Memory(whole, pointsToOfWhole)));
}
