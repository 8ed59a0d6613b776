/**
 * The flow of a program with all calls inlined. A small program is taken as a whole, so that runs tell all that it does. Of a
 * large one only what bears on errors is kept, which is what makes drivers small enough.
 */
import type { Checkpoint } from '../../sat/checkpoint.ts';
import { Unknown } from '../../sat/unknown.ts';
import { compacted } from './compact.ts';
import type { Flow } from './flow.ts';
import { type Bounds, inlined } from './inline.ts';
import { lowered } from './lower.ts';
import { Memory } from './memory.ts';
import type { Module } from './module.ts';
import type { LoweringOptions } from './module-builder.ts';
import { PointsTo } from './points-to.ts';
import { sliced } from './slice.ts';

/** `auto`: of large programs. */
export const SLICING = ['auto', 'on', 'off'] as const;

/** What is not larger is small. */
const SMALL: readonly Bounds[] = [{ calls: 3, statements: 3_000 }];

export interface FlowOptions extends LoweringOptions {
  /** The function that the program starts with. */
  readonly entry: string;
  /** Is what has no bearing on errors left out? Whoever makes all choices in their order wants all of it. */
  readonly slice: (typeof SLICING)[number];
}

export function programFlow(module: Module, options: FlowOptions, checkpoint: Checkpoint): Flow {
  const flow = lowered(module, options.entry, options, checkpoint);
  const pointsTo = new PointsTo(flow);
  const inline = (bounds?: readonly Bounds[]) => inlined(flow, pointsTo, options, checkpoint, bounds);
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

/** Slices once before there are many copies, and once when it is known more exactly what each of them accesses. */
function essence(flow: Flow, pointsTo: PointsTo, options: FlowOptions, checkpoint: Checkpoint): Flow {
  const part = compacted(sliced(flow, pointsTo, new Memory(flow, pointsTo)));
  const whole = compacted(inlined(part, pointsTo, options, checkpoint));
  const pointsToOfWhole = new PointsTo(whole);
  return compacted(sliced(whole, pointsToOfWhole, new Memory(whole, pointsToOfWhole)));
}
