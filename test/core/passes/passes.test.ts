/**
 * Every pass on random problems against enumeration: the same queries can be derived before and after, derivations and models
 * of the new problem come back as such of the old one, k-inductive proofs do where the pass says so, and lemmas say of an old
 * edge what they said of the new one. Some other passes may have gone before, so that each sees what the others leave. A new
 * pass is one more row of the table.
 */
import { readdirSync } from 'node:fs';
import t from 'tap';
import { EquationSolver } from '../../../src/bv/preprocess/equation-solver.ts';
import { checkDerivation } from '../../../src/core/evidence/check-derivation.ts';
import { checkProof } from '../../../src/core/evidence/check-proof.ts';
import { accelerate, addLeaps } from '../../../src/core/passes/accelerate/accelerate.ts';
import { splitPhases } from '../../../src/core/passes/accelerate/split-phases.ts';
import { dropClosedConditions } from '../../../src/core/passes/drop-closed-conditions.ts';
import { dropUnusedPlaces, inputsFromPlaces } from '../../../src/core/passes/drop-places.ts';
import { eliminateLocations } from '../../../src/core/passes/eliminate-locations.ts';
import { addFacts } from '../../../src/core/passes/facts/add-facts.ts';
import { flatten } from '../../../src/core/passes/flatten.ts';
import { freeConstants } from '../../../src/core/passes/free-constants.ts';
import { gatherStarts } from '../../../src/core/passes/gather-starts.ts';
import { locate } from '../../../src/core/passes/locate.ts';
import { mergeEdges } from '../../../src/core/passes/merge-edges.ts';
import { mergeLocations } from '../../../src/core/passes/merge-locations.ts';
import { ownStore } from '../../../src/core/passes/own-store.ts';
import { type Pass, unchanged } from '../../../src/core/passes/pass.ts';
import { ENCODINGS, preprocess } from '../../../src/core/passes/pipeline.ts';
import { postponeConditions } from '../../../src/core/passes/postpone-conditions.ts';
import { preparedToRun } from '../../../src/core/passes/prepared-to-run.ts';
import { propagateEqualities } from '../../../src/core/passes/propagate-equalities.ts';
import { relateSteps } from '../../../src/core/passes/relate-steps.ts';
import { rememberEntries } from '../../../src/core/passes/remember-entries.ts';
import { removeIrrelevant } from '../../../src/core/passes/remove-irrelevant.ts';
import { shareVariables } from '../../../src/core/passes/share-variables.ts';
import { simplifyEdges } from '../../../src/core/passes/simplify-edges.ts';
import { splitDisjunctions } from '../../../src/core/passes/split-disjunctions.ts';
import { unfoldCalls } from '../../../src/core/passes/unfold/unfold-calls.ts';
import { completed, headValues, type Step } from '../../../src/core/problem/derivation.ts';
import {
  type Edge,
  headOf,
  inputsOf,
  isLinear,
  isQuery,
  type Problem,
  placesOf,
  restrictedTo,
} from '../../../src/core/problem/problem.ts';
import type { Proof } from '../../../src/core/problem/proof.ts';
import { Checkpoint } from '../../../src/sat/checkpoint.ts';
import { complete } from '../../../src/sat/work.ts';
import { printTerm } from '../../../src/term/printer.ts';
import { Rewriter } from '../../../src/term/rewrite/rewriter.ts';
import type { TermId } from '../../../src/term/store.ts';
import type { Value } from '../../../src/term/value.ts';
import { loadedBackEnd } from '../../support/checking.ts';
import { type Random, seeded } from '../../support/random.ts';
import { growPool } from '../../support/terms.ts';
import { booleansFromBits } from '../../toy/pass.ts';
import { complaintAboutModel, Derivable, evaluator, TooLarge, weakestModel } from '../explicit-problem.ts';
import { randomProblem, SHAPES, type Shape } from '../random-problem.ts';

/** How many problems each pass has to change. */
const CHANGED = Number(process.env.EUFORIA_ROUNDS ?? 20);

const heavy = await loadedBackEnd();

/** What passes work with. */
class Tools {
  readonly rewriter: Rewriter;
  readonly solver: EquationSolver;
  readonly checkpoint = new Checkpoint();

  constructor({ terms }: Problem) {
    this.rewriter = new Rewriter(terms);
    this.solver = new EquationSolver(this.rewriter);
  }
}

interface Row {
  readonly name: string;
  /** The file under `src/core/passes`; none for what is made of others. */
  readonly file: string | undefined;
  /** Nothing, or the problem as it is, where there is nothing to do. */
  readonly apply: (problem: Problem, tools: Tools) => Pass | undefined;
  /** Where there is something to do. */
  readonly shapes?: readonly Shape[];
  /** k-inductive proofs come back even if violations depend on inputs: these are left as they are. */
  readonly keepsInputs?: boolean;
  /** Proofs do not come back. */
  readonly isForViolations?: boolean;
  /** More may be derivable than was, so violations do not come back. */
  readonly isForProofs?: boolean;
}

const onLinear = (pass: (problem: Problem, tools: Tools) => Pass | undefined): Row['apply'] => {
  return (problem, tools) => (isLinear(problem) ? pass(problem, tools) : undefined);
};

const PASSES: readonly Row[] = [
  { name: 'simplify edges', file: 'simplify-edges', apply: (p, { solver }) => simplifyEdges(p, solver) },
  {
    name: 'drop closed conditions',
    file: 'drop-closed-conditions',
    apply: (p, { rewriter }) => dropClosedConditions(p, rewriter),
  },
  { name: 'remove what is irrelevant', file: 'remove-irrelevant', apply: removeIrrelevant },
  {
    name: 'split disjunctions',
    file: 'split-disjunctions',
    apply: (p, { rewriter }) => splitDisjunctions(p, rewriter),
  },
  {
    name: 'propagate equalities',
    file: 'propagate-equalities',
    apply: (p, { rewriter }) => propagateEqualities(p, rewriter),
  },
  { name: 'drop unused places', file: 'drop-places', apply: dropUnusedPlaces },
  { name: 'inputs from places', file: 'drop-places', apply: inputsFromPlaces, shapes: ['circuit', 'graph'] },
  {
    name: 'postpone conditions',
    file: 'postpone-conditions',
    apply: (p, { rewriter }) => postponeConditions(p, rewriter),
    shapes: ['circuit'],
  },
  {
    name: 'eliminate locations',
    file: 'eliminate-locations',
    apply: (p, { solver }) => eliminateLocations(p, solver),
    shapes: ['graph', 'program', 'calls'],
  },
  {
    name: 'unfold calls',
    file: 'unfold',
    apply: (p, { solver }) => unfoldCalls(p, solver),
    shapes: ['calls'],
  },
  {
    name: 'accelerate what proofs can be told of',
    file: 'accelerate',
    apply: (p, { solver }) => (isLinear(p) ? accelerate(p, solver, 'told') : undefined),
    shapes: ['counting'],
  },
  {
    name: 'accelerate',
    file: 'accelerate',
    apply: (p, { solver }) => (isLinear(p) ? accelerate(p, solver, 'all') : undefined),
    shapes: ['counting'],
    isForViolations: true,
  },
  {
    name: 'add leaps',
    file: 'accelerate',
    apply: (p, { solver }) => addLeaps(p, solver),
    shapes: ['ways'],
  },
  {
    name: 'split phases',
    file: 'accelerate',
    apply: (p, { solver }) => (isLinear(p) ? splitPhases(p, solver) : undefined),
    shapes: ['counting'],
  },
  { name: 'merge edges', file: 'merge-edges', apply: p => mergeEdges(p) },
  {
    name: 'locate',
    file: 'locate',
    apply: (p, { rewriter, checkpoint }) => locate(p, rewriter, checkpoint),
    shapes: ['program', 'system'],
  },
  {
    name: 'remember entries',
    file: 'remember-entries',
    apply: (p, { solver }) => rememberEntries(p, solver),
    shapes: ['loops'],
  },
  {
    name: 'add facts',
    file: 'facts',
    apply: (p, { rewriter, checkpoint }) => addFacts(p, rewriter, checkpoint),
  },
  {
    name: 'add equations',
    file: 'facts',
    apply: (p, { rewriter, checkpoint }) =>
      addFacts(p, rewriter, checkpoint, { intervals: false, equations: true }),
  },
  {
    name: 'free constants',
    file: 'free-constants',
    apply: p => freeConstants(p, 1n),
    shapes: ['counting', 'loops'],
    isForProofs: true,
  },
  {
    name: 'share variables',
    file: 'share-variables',
    apply: shareVariables,
    shapes: ['graph', 'program', 'loops'],
  },
  { name: 'a store of its own', file: 'own-store', apply: (p, { checkpoint }) => ownStore(p, checkpoint, 0) },
  { name: 'merge locations', file: 'merge-locations', apply: onLinear(mergeLocations) },
  {
    name: 'gather starts',
    file: 'gather-starts',
    apply: onLinear((p, { solver }) => gatherStarts(p, solver)),
  },
  { name: 'flatten', file: 'flatten', apply: onLinear((p, { rewriter }) => flatten(p, rewriter)) },
  {
    name: 'relate steps',
    file: 'relate-steps',
    apply: onLinear(p => (p.locations.length === 1 ? relateSteps(p) : undefined)),
  },
  { name: 'the toy pass', file: undefined, apply: booleansFromBits },
];

/** The whole way, and the part of it that keeps the user's steps. */
const PIPELINES: readonly Row[] = [
  ...ENCODINGS.map((encoding): Row => {
    const apply = onLinear((p, { checkpoint }) => preprocess(p, encoding, checkpoint).all);
    return { name: `all passes, ${encoding}`, file: 'pipeline', apply };
  }),
  {
    name: 'all passes, with calls',
    file: 'pipeline',
    apply: (p, { checkpoint }) => preprocess(p, 'sliced', checkpoint).all,
  },
  {
    name: 'the early passes',
    file: 'pipeline',
    apply: (p, { checkpoint }) => preprocess(p, 'sliced', checkpoint).early,
    keepsInputs: true,
  },
  {
    name: 'as it can be run',
    file: 'prepared-to-run',
    apply: (p, { checkpoint }) => preparedToRun(p, checkpoint),
  },
];

t.test('every pass has a row', t => {
  // Joined queries are no longer told apart, which no other pass may do: they have a test of their own.
  // So do indices that are foretold and calls that are waited for, since their models are quantified.
  const others = ['join-queries', 'prophecy', 'calls'];
  const helpers = [
    'pass',
    'control',
    'post-image',
    'interpretation',
    'random-states',
    'merge-cases',
    'under',
    ...others,
  ];
  const files = readdirSync(new URL('../../../src/core/passes', import.meta.url)).map(f =>
    f.replace(/\.ts$/, ''),
  );
  const rows = new Set([...PASSES, ...PIPELINES].map(r => r.file));
  t.same(
    files.filter(f => !helpers.includes(f) && !rows.has(f)),
    [],
  );
  t.end();
});

/** What was tried, for those who want to know whether that was anything. */
type Counts = Record<'changed' | 'derivations' | 'models' | 'inductions' | 'lemmas' | 'tooLarge', number>;

const newCounts = (): Counts => ({
  changed: 0,
  derivations: 0,
  models: 0,
  inductions: 0,
  lemmas: 0,
  tooLarge: 0,
});

/** Holds a pass against enumeration; throws an error that says what is wrong with it. */
class Verification {
  private readonly row: Row;
  private readonly before: Problem;
  private readonly pass: Pass;
  private readonly counts: Counts;
  private readonly random: Random;

  constructor(row: Row, before: Problem, pass: Pass, counts: Counts, random: Random) {
    this.row = row;
    this.before = before;
    this.pass = pass;
    this.counts = counts;
    this.random = random;
  }

  run(): void {
    const { before, pass } = this;
    this.wellFormed(pass.problem);
    const [old, now] = [new Derivable(before), new Derivable(pass.problem)];
    const { isForProofs = false } = this.row;
    const isSame = isForProofs
      ? old.properties.every(p => now.properties.includes(p))
      : old.properties.join() === now.properties.join();
    if (!isSame) throw new Error(`the queries ${old.properties} could be derived, now ${now.properties}`);
    if (!isForProofs) for (const property of now.properties) this.derivation(now, property);
    if (now.properties.length > 0 || this.row.isForViolations) return;
    const models = [now.strongest, ...(isLinear(pass.problem) ? [weakestModel(pass.problem)] : [])];
    for (const model of models) this.proof({ model, lemmas: new Map(), k: 0 });
    this.induction();
  }

  private wellFormed({ terms, locations, edges }: Problem): void {
    const isKnown = new Set(locations);
    const wrong = (what: string) => {
      throw new Error(`the new problem is not well formed: ${what}`);
    };
    for (const { places } of locations)
      if (new Set(places).size < places.length) wrong('a place is there twice');
    for (const edge of edges) {
      const head = headOf(edge);
      const { sources } = edge;
      if (terms.sort(edge.guard) !== terms.sorts.bool) wrong('a guard is not Boolean');
      if (head !== undefined && !isKnown.has(head)) wrong('a head is no location of it');
      if (!sources.every(s => isKnown.has(s.location))) wrong('a source is no location of it');
      if (sources.length === 1 && sources[0].places.some((p, i) => p !== sources[0].location.places[i]))
        wrong('a step does not speak of the places of its source');
      const places = head?.places ?? [];
      const fits = places.every((p, i) => terms.sort(p) === terms.sort(edge.values[i]));
      if (edge.values.length !== places.length || !fits) wrong('values do not fit the places of the head');
    }
  }

  private derivation(now: Derivable, property: number): void {
    const { before, pass, counts } = this;
    const found = now.derivation(property);
    if (found === undefined) throw new Error('there is no derivation of a derivable query');
    const back = completed(before.terms, pass.back.derivation(found));
    const complaint = checkDerivation(before, property, back, e => String(before.edges.indexOf(e)));
    if (complaint !== undefined) throw new Error(`a derivation comes back wrong: ${complaint}`);
    counts.derivations++;
    const [wasLong, isLong] = [back.steps.length, found.steps.length];
    if (pass.back.keepsSteps && isLinear(before) && wasLong !== isLong)
      throw new Error(`it claims to keep steps, but ${isLong} of them come back as ${wasLong}`);
    if (!this.row.isForViolations) this.lemmas(completed(pass.problem.terms, found).steps, back.steps);
  }

  /**
   * Lemmas are valid, so what a pass makes of them is valid whatever variables it puts in. That these are the right ones
   * shows with formulas that are not: what such a formula says of a step it says of the step that this comes back as.
   */
  private lemmas(steps: readonly Step[], back: readonly Step[]): void {
    const { before, pass, counts, random } = this;
    const uses = (all: readonly Step[], edge: Edge) => all.filter(s => s.edge === edge);
    for (const own of steps) {
      if (uses(steps, own.edge).length > 1) continue;
      const formula = this.formulaAbout(own.edge, random);
      const lemmas = new Map([[own.edge, [formula]]]);
      const model = new Map(pass.problem.locations.map(l => [l, pass.problem.terms.true]));
      for (const [edge, formulas] of pass.back.proof({ model, lemmas, k: 0 }).lemmas) {
        if (!before.edges.includes(edge))
          throw new Error('a lemma comes back about an edge that there is not');
        const of = uses(back, edge);
        if (of.length !== 1) continue;
        const expected = evaluator(pass.problem.terms, this.valuesOf(pass.problem, own)).value(formula);
        for (const f of formulas) {
          if (this.isForeign(edge, f)) continue;
          counts.lemmas++;
          if (evaluator(before.terms, this.valuesOf(before, of[0])).value(f) !== expected)
            throw new Error(
              `${printTerm(pass.problem.terms, formula)} comes back as ${printTerm(before.terms, f)}, which differs`,
            );
        }
      }
    }
  }

  /** A formula over what a lemma about the edge may speak of. */
  private formulaAbout(edge: Edge, random: Random): TermId {
    const { terms } = this.pass.problem;
    const variables = this.variablesOf(this.pass.problem, edge);
    const pool = growPool(terms, random, [...variables, terms.true], variables.length + 15, 2);
    return random.pick(pool.filter(f => terms.sort(f) === terms.sorts.bool));
  }

  private variablesOf({ terms, next }: Problem, edge: Edge): TermId[] {
    const after = headOf(edge)?.places.map(p => next.of(p)) ?? [];
    return [...new Set([...placesOf(edge), ...inputsOf(terms, edge), ...after])];
  }

  /** Does a lemma speak of something that the old edge does not have, such as an input of a twin? */
  private isForeign(edge: Edge, lemma: TermId): boolean {
    const { terms } = this.before;
    const own = new Set(this.variablesOf(this.before, edge));
    return terms.postorder([lemma]).some(v => terms.isVariable(v) && !own.has(v));
  }

  /** The values of a step, with those after it. */
  private valuesOf({ terms, next }: Problem, { edge, values }: Step): ReadonlyMap<TermId, Value> {
    const noFunctions = () => {
      throw new Error('there are no functions');
    };
    const after = [...headValues(terms, edge, values, noFunctions)].map(([p, v]) => [next.of(p), v] as const);
    return new Map([...values, ...after]);
  }

  private proof(proof: Proof): void {
    const { before, pass, counts } = this;
    const { model } = pass.back.proof(proof);
    const complaint = complaintAboutModel(before, model);
    if (complaint !== undefined) throw new Error(`a model comes back wrong: ${complaint}`);
    counts.models++;
  }

  /** k-inductive proofs of problems with one location. */
  private induction(): void {
    const { before, pass, counts, random } = this;
    const { keepsSteps, joinsStates } = pass.back;
    const isOne = before.locations.length === 1 && pass.problem.locations.length === 1;
    if (!keepsSteps || joinsStates === true || !isOne || random.chance(0.7)) return;
    if (!this.isAboutRuns()) return;
    const [location] = pass.problem.locations;
    const options = { heavy, budget: {}, nameOf: () => 'an edge' };
    const proof = (k: number): Proof => {
      return { model: new Map([[location, pass.problem.terms.true]]), lemmas: new Map(), k };
    };
    const isValid = (k: number) => complete(checkProof(pass.problem, proof(k), options)).kind === 'valid';
    const k = [1, 2, 3].find(isValid);
    if (k === undefined) return;
    const check = complete(checkProof(before, pass.back.proof(proof(k)), options));
    if (check.kind !== 'valid') throw new Error(`a ${k}-inductive proof comes back wrong: ${check.text}`);
    counts.inductions++;
  }

  /** Can a k-inductive proof be about the problem, and is it known what a state without a violation is? */
  private isAboutRuns(): boolean {
    const { terms, edges } = this.before;
    return edges.every(e => {
      if (!isQuery(e.head)) return e.sources.length < 2;
      return e.sources.length === 1 && (this.row.keepsInputs === true || inputsOf(terms, e).length === 0);
    });
  }
}

/** One property, or all of them. */
function drawnProblem(random: Random, shapes: readonly Shape[] = SHAPES): Problem {
  const problem = randomProblem(random, random.pick(shapes));
  return random.chance(0.6) ? restrictedTo(problem, 0) : problem;
}

/** What some other passes make of a problem. */
function prepared(random: Random, problem: Problem): Problem {
  let result = problem;
  for (let i = random.below(4); i > 0; i--) {
    const { apply } = random.pick(PASSES);
    result = apply(result, new Tools(result))?.problem ?? result;
  }
  return result;
}

function tryOut(row: Row, problem: Problem, counts: Counts, random: Random): void {
  const pass = row.apply(problem, new Tools(problem)) ?? unchanged(problem);
  if (pass.problem === problem) return;
  counts.changed++;
  try {
    new Verification(row, problem, pass, counts, random).run();
  } catch (error) {
    if (!(error instanceof TooLarge)) throw error;
    counts.tooLarge++;
  }
}

for (const row of [...PASSES, ...PIPELINES]) {
  t.test(`${row.name}, on ${CHANGED} random problems that it changes`, t => {
    const random = seeded(t);
    const counts = newCounts();
    const seen = () => {
      const { derivations, models, lemmas } = counts;
      if (row.isForProofs) return models;
      return row.isForViolations ? derivations : Math.min(derivations, models, lemmas);
    };
    // A few more, should they all have been of one kind.
    for (let round = 0; (counts.changed < CHANGED || seen() === 0) && round < 50 * CHANGED; round++) {
      const drawn = drawnProblem(random, row.shapes);
      try {
        tryOut(row, PIPELINES.includes(row) ? drawn : prepared(random, drawn), counts, random);
      } catch (error) {
        t.fail(`round ${round}: ${error instanceof Error ? error.message : String(error)}`);
      }
    }
    t.ok(counts.changed >= CHANGED && seen() > 0, JSON.stringify(counts));
    t.end();
  });
}
