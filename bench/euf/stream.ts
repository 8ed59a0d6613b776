/**
 * The incremental stream: what IC3 asks of its solver. One transition relation; frames of clauses, each behind the
 * activation variable of its frame; and questions whether a cube can be reached from a frame in one step:
 *
 *   frames i and above, [not cube, behind a variable used once], cube'
 *
 * Some cubes come from simulated states, with up to two literals turned round; some are at two locations; and some
 * have a value that frames exclude at all the locations before. Each is asked first as a whole and then with
 * literals left out, as generalisation does. From time to time a frame gets clauses, which exclude no simulated
 * state. The steps do not depend on the answers, so all solvers get the same.
 */
import type { TermId } from '../../src/term/store.ts';
import { Random } from '../sat/random.ts';
import type { Step, Stream } from '../support/stream.ts';
import { type State, TransitionSystem } from './system.ts';

const WATCHED = 12; // data variables whose values cubes mention
const RANDOM_ATOMS = 150;
const FRAMES = 10;
const RUNS = 20;
const RUN_LENGTH = 25;

export function makeStream(questions: number): Stream {
  return new StreamMaker(questions).stream;
}

/** A literal over the atoms: atom * 2, or atom * 2 + 1 for its negation. */
type Literal = number;

/** What frames exclude: that the location is reached with a value of a data variable. */
interface Blocked {
  readonly location: Literal;
  readonly value: Literal;
}

class StreamMaker {
  readonly stream: Stream;
  private readonly random = new Random(7);
  private readonly system = new TransitionSystem(this.random);
  private readonly locationCount = this.system.now.locations.length;
  private readonly atoms: readonly TermId[]; // locations, then values of watched variables, then others
  private readonly nextAtoms: readonly TermId[];
  private readonly samples: readonly (readonly boolean[])[]; // the truth of the atoms in simulated states
  private readonly activations: readonly TermId[];
  private readonly steps: Step[] = [];
  private readonly blocked: Blocked[] = [];
  private level = 0;

  constructor(questions: number) {
    const { system } = this;
    const { terms, termCount, constants } = system;
    const others = Array.from({ length: RANDOM_ATOMS }, () => system.randomAtom());
    const atomsOf = (state: State) => [
      ...state.locations,
      ...state.data.slice(0, WATCHED).flatMap(x => constants.map(c => terms.eq(x, c))),
      ...others.map(atom => atom(state)),
    ];
    this.atoms = atomsOf(system.now);
    this.nextAtoms = atomsOf(system.next);
    this.samples = system.simulate(this.atoms, RUNS, RUN_LENGTH);
    this.activations = Array.from({ length: FRAMES }, (_, i) =>
      terms.variable(`frame${i}`, terms.sorts.bool),
    );
    for (const formula of system.formulas) this.steps.push({ kind: 'assert', formula });
    this.assertOneLocation();
    for (let asked = 0; asked < questions; ) asked += this.obligation(questions - asked);
    this.stream = { terms, termCount, steps: this.steps };
  }

  /** The system is never at two locations: a clause for each pair, in all frames. */
  private assertOneLocation(): void {
    const { terms, now } = this.system;
    const guard = this.activations[FRAMES - 1];
    now.locations.forEach((a, i) => {
      for (const b of now.locations.slice(i + 1)) {
        this.steps.push({ kind: 'assert', formula: terms.or([terms.not(a), terms.not(b)]), guard });
      }
    });
  }

  /** One obligation, in at most `limit` questions. */
  private obligation(limit: number): number {
    const { random, system, steps } = this;
    const { terms } = system;
    if (random.below(6) === 0) this.level = random.below(FRAMES);
    if (random.below(4) === 0) this.block();
    const cube = this.randomCube();
    const frames = this.activations.slice(this.level);
    const tries = Math.min(limit, 1 + random.below(8));
    let once: TermId | undefined;
    if (random.below(4) === 0) {
      once = terms.variable(`once${steps.length}`, terms.sorts.bool);
      steps.push({ kind: 'assert', formula: this.clause(cube), guard: once });
    }
    const fixed = once === undefined ? frames : [...frames, once];
    for (let i = 0; i < tries; i++) {
      const left = i === 0 ? -1 : random.below(cube.length);
      const rest = cube.filter((_, k) => k !== left);
      steps.push({ kind: 'ask', assumptions: [...fixed, ...rest.map(l => this.term(this.nextAtoms, l))] });
    }
    if (once !== undefined) steps.push({ kind: 'assert', formula: terms.not(once) });
    return tries;
  }

  private randomCube(): Literal[] {
    const { random, blocked } = this;
    const dice = random.below(10);
    const sample = this.sampleCube(3 + random.below(11), dice < 2 ? 0 : random.below(3));
    if (dice < 4 || blocked.length === 0) return sample;
    if (dice < 6) return [...new Set([...sample, 2 * random.below(this.locationCount)])];
    const { location, value } = blocked[random.below(blocked.length)];
    return [...new Set([location, value, ...sample.slice(1).filter(l => (l ^ 1) !== value)])];
  }

  /** Some literals that hold in a simulated state, `turned` of them negated; first where it is. */
  private sampleCube(size: number, turned: number): Literal[] {
    const { random, locationCount } = this;
    const sample = this.samples[random.below(this.samples.length)];
    const chosen = new Set<number>();
    while (chosen.size < size) {
      const atom = locationCount + random.below(sample.length - locationCount);
      if (sample[atom] || random.below(4) === 0) chosen.add(atom); // mostly positive literals
    }
    const data = [...chosen].map((atom, i) => 2 * atom + (sample[atom] === i < turned ? 1 : 0));
    return [2 * sample.indexOf(true), ...data];
  }

  /**
   * Excludes a value of a variable that cannot change just before a location, by a clause for each of its
   * predecessors; if a simulated state is in the way, nothing is excluded.
   */
  private block(): void {
    const { random, system, locationCount } = this;
    const location = random.below(locationCount);
    const before = system.predecessors[location];
    const variable = random.below(WATCHED);
    if (before.some(at => system.updatedAt[variable].has(at))) return;
    const value = locationCount + variable * system.constants.length + random.below(system.constants.length);
    if (this.samples.some(sample => sample[value] && before.some(at => sample[at]))) return;
    for (const at of before) {
      const guard = this.activations[random.below(FRAMES)];
      this.steps.push({ kind: 'assert', formula: this.clause([2 * at, 2 * value]), guard });
    }
    this.blocked.push({ location: 2 * location, value: 2 * value });
  }

  private clause(cube: readonly Literal[]): TermId {
    return this.system.terms.or(cube.map(l => this.term(this.atoms, l ^ 1)));
  }

  private term(atoms: readonly TermId[], l: Literal): TermId {
    return (l & 1) === 0 ? atoms[l >> 1] : this.system.terms.not(atoms[l >> 1]);
  }
}
