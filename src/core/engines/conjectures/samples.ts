/**
 * States that executions come to, some for each location, by chance: what does not hold of all of them need not be conjectured. Of one
 * execution the first states at a location count, and later ones ever more seldom, so that a long loop does not crowd out the others; of
 * those that count, each is as likely to be kept as any other (Vitter, "Random sampling with a reservoir", TOMS 11(1), 1985).
 */
import type { Work } from '../../../sat/work.ts';
import { type Value, valueKey } from '../../../term/value.ts';
import { randomNumbers } from '../../env/random.ts';
import type { Location, Problem } from '../../problem/problem.ts';
import type { Effort } from '../effort.ts';
import { Executor } from '../evaluation/executor.ts';

/** The values of a location's places, in their order. */
export type Sample = readonly Value[];

/** Of one location. */
const MOST = 240;

/** Of one execution. */
const FIRST = 4;

/** Nodes that are evaluated for them; and so many count as one propagation. */
const NODES = 6_000_000;
const NODES_A_PROPAGATION = 20;

export class Samples {
  readonly counts = { met: 0 };
  private readonly problem: Problem;
  private readonly seed: number;
  private readonly random: () => number;
  private readonly kept = new Map<Location, Kept>();

  constructor(problem: Problem, seed: number) {
    this.problem = problem;
    this.seed = seed;
    this.random = randomNumbers(seed);
  }

  at(location: Location): readonly Sample[] {
    return this.kept.get(location)?.samples ?? [];
  }

  /** Executes for a while; a violation that is met on the way ends it. */
  *gather(effort: Effort): Work<'violation' | 'enough'> {
    // Where limits are small numbers, loops come to their end.
    const executor = new Executor(this.problem, this.seed, {
      visit: (l, places, times) => {
        if (times <= FIRST || this.random() * times < FIRST) this.keep(l, places);
      },
      small: 0.8,
    });
    const work = executor.search();
    while (executor.evaluated < NODES) {
      const before = executor.evaluated;
      const { done } = work.next();
      effort.spend((executor.evaluated - before) / NODES_A_PROPAGATION);
      if (done === true) return 'violation';
      effort.checkpoint();
      if (effort.left <= 0) yield 'turn';
    }
    return 'enough';
  }

  /** States that are there already add nothing. */
  private keep(location: Location, sample: Sample): void {
    this.counts.met++;
    let own = this.kept.get(location);
    if (own === undefined)
      this.kept.set(location, (own = { met: 0, samples: [], keys: [], known: new Set() }));
    const { samples, keys, known } = own;
    const key = sample.map(valueKey).join(' ');
    if (known.has(key)) return;
    own.met++;
    const at = samples.length < MOST ? samples.length : Math.floor(this.random() * own.met);
    if (at >= MOST) return;
    if (at < samples.length) known.delete(keys[at]);
    known.add(key);
    keys[at] = key;
    samples[at] = sample;
  }
}

/** What is kept of one location. */
interface Kept {
  met: number;
  readonly samples: Sample[];
  readonly keys: string[]; // what tells each of them from the others
  readonly known: Set<string>;
}
