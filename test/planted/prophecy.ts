/**
 * Facts about all elements against enumeration: what prophecies and cells make of random small programs with arrays, what comes
 * back, and what the check of quantified models believes when a proof names other instances than it needs.
 */
import { prophesy } from '../../src/core/passes/prophecy/prophecy.ts';
import type { Edge, Problem } from '../../src/core/problem/problem.ts';
import { inputsOf, placesOf } from '../../src/core/problem/problem.ts';
import type { Instance, Proof, Quantified } from '../../src/core/problem/proof.ts';
import { Checkpoint } from '../../src/sat/checkpoint.ts';
import type { TermId } from '../../src/term/store.ts';
import { complaintAboutModel, Derivable, TooLarge } from '../core/explicit-problem.ts';
import { foretold, instanceOnly, instantiated, isValid, stepsOutOfModel } from '../core/foretold.ts';
import { randomArrayProblem } from '../core/random-arrays.ts';
import { caught, lightOnly, probeRandom } from './probe.ts';

const ROUNDS = 60;

const random = probeRandom();
const heavy = await lightOnly();

for (const { problem, proof } of [instanceOnly(), stepsOutOfModel()])
  if (isValid(problem, proof, heavy) === undefined) caught('the check believes a proof that is none');

for (let round = 0; round < ROUNDS; round++) {
  const problem = randomArrayProblem(random);
  try {
    const { complaint } = foretold(problem, heavy);
    if (complaint !== undefined) caught(`round ${round}: ${complaint}`);
    believed(problem, round);
  } catch (error) {
    if (!(error instanceof TooLarge)) throw error;
  }
}

/** Proofs that name variables of each edge as instances, of models that say too little or too much. */
function believed(problem: Problem, round: number): void {
  const pass = prophesy(problem, new Checkpoint());
  if (pass === undefined) return;
  const { terms, edges } = problem;
  const model = new Derivable(pass.problem).strongest;
  const strongest = pass.back.proof({ model, lemmas: new Map(), k: 0 });
  const { bound, instances } = strongest.forAll as Quantified;
  const others = (edge: Edge): readonly Instance[] => {
    const variables = [...placesOf(edge), ...inputsOf(terms, edge)];
    const other = (v: TermId) => random.pick([v, ...variables.filter(x => terms.sort(x) === terms.sort(v))]);
    return (instances.get(edge) ?? []).map(i => ({ ...i, values: i.values.map(other) }));
  };
  const changed = new Map(edges.map(e => [e, others(e)]));
  const stronger = new Map(
    [...strongest.model].map(([l, f]) => {
      // True of some values of the prophecies only.
      const [v] = bound.get(l) ?? [];
      const only = v === undefined ? terms.true : terms.eq(v, terms.bv(terms.width(v), random.below(2)));
      return [l, random.pick([f, terms.and([f, only]), terms.or([f, only])])];
    }),
  );
  const proof: Proof = { ...strongest, model: stronger, forAll: { bound, instances: changed } };
  if (isValid(problem, proof, heavy) !== undefined) return;
  const complaint = complaintAboutModel(problem, instantiated(problem, proof));
  if (complaint !== undefined) caught(`round ${round}: the check believes a model of which ${complaint}`);
}
