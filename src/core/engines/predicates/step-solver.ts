/**
 * The steps into one location, or the violations, with frames. Frames and targets speak of labels only. A frame's clauses are behind an
 * activation literal, as everywhere; a clause about a location counts where the step comes from there.
 */
import { type Lit, negate } from '../../../sat/literals.ts';
import type { Work } from '../../../sat/work.ts';
import type { Edge, Location } from '../../problem/problem.ts';
import { Steps } from '../bit-steps/steps.ts';
import { FOREVER } from '../ic3/frames.ts';
import type { Cube } from '../ic3/literal-cube.ts';
import { Encoding, type Region, type Shared } from './encoding.ts';

export class StepSolver {
  readonly encoding: Encoding;
  private readonly shared: Shared;
  private readonly steps: Steps;
  private readonly levels: number[] = []; // of the frames with clauses here, in ascending order
  private readonly activations = new Map<number, Lit>();

  constructor(shared: Shared, edges: readonly Edge[]) {
    this.shared = shared;
    this.encoding = new Encoding(shared);
    this.steps = new Steps(shared.circuit, this.encoding, edges);
  }

  get sources(): ReadonlySet<Location> {
    return this.steps.sources;
  }

  /** Excludes a cube of one of the sources from the frames up to the level. */
  exclude(cube: Cube, level: number): void {
    const clause = this.outside(cube);
    if (level !== FOREVER) {
      clause.push(negate(this.activation(level)));
      const at = this.levels.findIndex(l => l >= level);
      if (at < 0) this.levels.push(level);
      else if (this.levels[at] !== level) this.levels.splice(at, 0, level);
    }
    this.encoding.require(clause);
  }

  /** What says that a step does not come from the cube. */
  outside(cube: Cube): Lit[] {
    const { domain } = this.shared;
    const labels = Array.from(cube.literals).filter(l => !domain.isLocation(l));
    return this.outsideRegion(domain.locationOf(cube) as Location, { labels, bits: [] });
  }

  /** The same of a region of a location. */
  outsideRegion(location: Location, region: Region): Lit[] {
    return [this.steps.from(location), ...this.encoding.of(region)].map(negate);
  }

  /**
   * Is there a step from R_level as the assumptions say? `outside`: a clause for this question only. The model, or which
   * assumptions and frames are to blame, can be had until the next question.
   */
  *ask(level: number, assumptions: readonly Lit[], outside?: readonly Lit[]): Work<boolean> {
    const { encoding } = this;
    encoding.begin();
    const frame = this.frame(level).map(([, lit]) => lit);
    const own = outside === undefined ? [] : [encoding.reserve(outside)];
    return yield* encoding.solve([...frame, ...own, ...assumptions]);
  }

  /** After no: the first frame at or after the level whose clauses it needs; 0 for the initial states. */
  usedFrame(level: number): number {
    return this.frame(level).find(([, lit]) => this.encoding.isUsed(lit))?.[0] ?? FOREVER;
  }

  /** After yes: the edge that is taken, and the values of the places before it and of its inputs. */
  step(): ReturnType<Steps['taken']> {
    return this.steps.taken();
  }

  private frame(level: number): (readonly [level: number, lit: Lit])[] {
    if (level === 0) return [[0, this.steps.isInitial]];
    return this.levels.filter(l => l >= level).map(l => [l, this.activation(l)]);
  }

  private activation(level: number): Lit {
    let lit = this.activations.get(level);
    if (lit === undefined) {
      lit = this.encoding.newLiteral();
      this.activations.set(level, lit);
    }
    return lit;
  }
}
