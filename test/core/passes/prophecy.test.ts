/**
 * Facts about all elements of arrays: the passes against enumeration on random small programs, what engines find there, and
 * the check of quantified models, which must believe neither wrong models nor useless instances.
 */
import t from 'tap';
import { DEFAULT_ENGINE_OPTIONS } from '../../../src/core/env/options.ts';
import { Profile } from '../../../src/core/env/profile.ts';
import { checkDerivation } from '../../../src/core/evidence/check-derivation.ts';
import { joinQueries } from '../../../src/core/passes/join-queries.ts';
import { prophesy } from '../../../src/core/passes/prophecy/prophecy.ts';
import { splitDisjunctions } from '../../../src/core/passes/split-disjunctions.ts';
import { Scheduler } from '../../../src/core/portfolio/scheduler.ts';
import { ON_VARIANTS } from '../../../src/core/portfolio/table.ts';
import { type VariantKind, Variants } from '../../../src/core/portfolio/variants.ts';
import { completed } from '../../../src/core/problem/derivation.ts';
import { type Edge, inputsOf, isQuery, type Problem, placesOf } from '../../../src/core/problem/problem.ts';
import type { Instance, Proof, Quantified } from '../../../src/core/problem/proof.ts';
import { Checkpoint } from '../../../src/sat/checkpoint.ts';
import { complete } from '../../../src/sat/work.ts';
import { Rewriter } from '../../../src/term/rewrite/rewriter.ts';
import type { TermId } from '../../../src/term/store.ts';
import { loadedBackEnd } from '../../support/checking.ts';
import { type Random, seeded } from '../../support/random.ts';
import { complaintAboutModel, Derivable, TooLarge } from '../explicit-problem.ts';
import { foretold, instanceOnly, instantiated, isValid } from '../foretold.ts';
import { randomArrayProblem } from '../random-arrays.ts';

const heavy = await loadedBackEnd();

const ROWS = ON_VARIANTS.filter(({ variant }) => /prophecy|cells/.test(variant?.name ?? ''));

/** Does something with random problems that are not too large; with more of them until enough has been seen. */
function withProblems(
  random: Random,
  rounds: number,
  use: (problem: Problem, round: number) => void,
  isEnough = () => true,
): void {
  for (let round = 0; round < rounds || !isEnough(); round++) {
    try {
      use(randomArrayProblem(random), round);
    } catch (error) {
      if (!(error instanceof TooLarge)) throw error;
    }
  }
}

t.test('with prophecies, and with cells, problems ask the same, and evidence finds its way back', t => {
  const random = seeded(t);
  let applied = 0;
  const use = (problem: Problem, round: number) => {
    const { isApplied, complaint } = foretold(problem, heavy);
    if (isApplied) applied++;
    t.equal(complaint, undefined, `round ${round}`);
  };
  withProblems(random, 36, use, () => applied > 8);
  t.end();
});

t.test('what engines find on variants is so', t => {
  const random = seeded(t);
  const counts = { safe: 0, unsafe: 0, unknown: 0 };
  const use = (problem: Problem, round: number) => {
    const expected = new Derivable(problem).properties.length > 0 ? 'unsafe' : 'safe';
    const row = random.pick(ROWS);
    const kind = row.variant as VariantKind;
    const variants = new Variants(problem, [kind], 'sliced', DEFAULT_ENGINE_OPTIONS, new Checkpoint());
    if (!variants.has(kind)) return;
    const env = {
      options: { ...DEFAULT_ENGINE_OPTIONS, arrays: random.pick(['abstract', 'lazy'] as const) },
      budget: {},
      profile: new Profile(),
      backEnd: heavy.backEnd,
    };
    const found = complete(new Scheduler([row], variants.plain, env, variants).run());
    if (found.kind === 'executed') throw new Error('nothing is executed here');
    counts[found.kind]++;
    if (found.kind === 'unknown') return;
    if (found.kind !== expected) t.fail(`round ${round}: it is ${expected}`);
    const { back } = variants.passTo(found.about);
    if (found.kind === 'unsafe') {
      const derivation = completed(problem.terms, back.derivation(found.derivation));
      t.equal(
        checkDerivation(problem, 0, derivation, () => 'an edge'),
        undefined,
        `round ${round}`,
      );
      return;
    }
    const proof = back.proof(found.proof);
    const complaint =
      isValid(problem, proof, heavy) ?? complaintAboutModel(problem, instantiated(problem, proof));
    t.equal(complaint, undefined, `round ${round}`);
  };
  withProblems(random, 36, use, () => counts.safe > 1 && counts.unsafe > 0);
  t.end();
});

/** The proof with other instances: some that say something else, and perhaps less of them. */
function withOtherInstances(random: Random, { terms, edges }: Problem, proof: Proof): Proof {
  const { bound, instances } = proof.forAll as Quantified;
  const changed = new Map<(typeof edges)[number], readonly Instance[]>();
  for (const edge of edges) {
    const variables = [...placesOf(edge), ...inputsOf(terms, edge)];
    const other = (v: TermId) => random.pick([v, ...variables.filter(x => terms.sort(x) === terms.sort(v))]);
    const own = (instances.get(edge) ?? []).map(i => ({ ...i, values: i.values.map(other) }));
    changed.set(edge, random.chance(0.2) ? [] : own);
  }
  return { ...proof, forAll: { bound, instances: changed } };
}

t.test('the check believes no model that is none, whatever its instances are', t => {
  const random = seeded(t);
  const counts = { valid: 0, refused: 0, wrong: 0 };
  const use = (problem: Problem, round: number) => {
    const { terms } = problem;
    const pass = prophesy(problem, new Checkpoint());
    if (pass === undefined) return;
    const strongest = pass.back.proof({
      model: new Derivable(pass.problem).strongest,
      lemmas: new Map(),
      k: 0,
    });
    const weaker = new Map(
      [...strongest.model].map(([l, f]) => {
        const bound = strongest.forAll?.bound.get(l) ?? [];
        const other = random.pick([...l.places, ...bound].filter(v => terms.width(v) > 0));
        const more = terms.eq(other, terms.bv(terms.width(other), random.below(2)));
        return [l, random.chance(0.5) ? f : terms.or([f, more])];
      }),
    );
    const proof = withOtherInstances(random, problem, { ...strongest, model: weaker });
    const isBelieved = isValid(problem, proof, heavy) === undefined;
    const isModel = complaintAboutModel(problem, instantiated(problem, proof)) === undefined;
    if (isBelieved && !isModel) t.fail(`round ${round}: it is no model`);
    counts[isBelieved ? 'valid' : 'refused']++;
    if (!isModel) counts.wrong++;
  };
  withProblems(random, 36, use, () => counts.valid > 0 && counts.wrong > 2);
  t.pass(JSON.stringify(counts));
  t.end();
});

t.test('what holds of all elements finds its way back from joined queries and from parts of edges', t => {
  const random = seeded(t);
  const tried = { 'two properties': 0, 'two cases': 0 };
  const use = (given: Problem, round: number) => {
    const rewriter = new Rewriter(given.terms);
    const doubled: Edge[] = given.edges.flatMap(e =>
      isQuery(e.head) ? [e, { ...e, head: { property: 1 } }] : [e],
    );
    const twoProperties = { ...given, edges: doubled };
    const twoCases = { ...given, edges: given.edges.map(e => inTwoCases(random, given, e)) };
    for (const [name, problem, pass] of [
      ['two properties', twoProperties, joinQueries(twoProperties)],
      ['two cases', twoCases, splitDisjunctions(twoCases, rewriter)],
    ] as const) {
      const lifted = prophesy(pass.problem, new Checkpoint());
      if (lifted === undefined || pass.problem.edges.every(e => problem.edges.includes(e))) continue;
      const derivable = new Derivable(lifted.problem);
      if (derivable.properties.length > 0) continue;
      tried[name]++;
      const proof = pass.back.proof(
        lifted.back.proof({ model: derivable.strongest, lemmas: new Map(), k: 0 }),
      );
      t.equal(isValid(problem, proof, heavy), undefined, `${name}, round ${round}`);
    }
  };
  withProblems(random, 12, use, () => Object.values(tried).every(n => n > 2));
  t.end();
});

/** The edge with a guard that distinguishes two cases, which say something of its inputs each. */
function inTwoCases(random: Random, { terms }: Problem, edge: Edge): Edge {
  const inputs = inputsOf(terms, edge).filter(v => terms.width(v) > 0);
  const words = [...placesOf(edge)].filter(v => terms.width(v) > 0);
  if (inputs.length === 0 || words.length === 0) return edge;
  const [input, word] = [random.pick(inputs), random.pick(words)];
  const bit = (isSet: boolean, v: TermId) =>
    terms.eq(v, terms.bv(terms.width(v), isSet ? 2 ** terms.width(v) - 1 : 0));
  const cases = [true, false].map(isSet => terms.and([bit(isSet, input), bit(isSet, word)]));
  return { ...edge, guard: terms.and([edge.guard, terms.or(cases)]) };
}

t.test('that one element is as it should be is no proof for all of them', t => {
  const { problem, proof } = instanceOnly();
  t.ok(complaintAboutModel(problem, instantiated(problem, proof)) !== undefined, 'by enumeration');
  t.match(isValid(problem, proof, heavy), /leads out of the model/);
  const { bound } = proof.forAll as Quantified;
  const without = { ...proof, forAll: { bound, instances: new Map() } };
  t.match(
    isValid(problem, without, heavy),
    /leads out of the model/,
    'nothing is assumed without an instance',
  );
  t.end();
});

t.test('bound variables must be new, and instances must fit', t => {
  const random = seeded(t);
  let tried = 0;
  const use = (problem: Problem) => {
    const { terms } = problem;
    const pass = prophesy(problem, new Checkpoint());
    if (pass === undefined || tried === 5) return;
    const derivable = new Derivable(pass.problem);
    if (derivable.properties.length > 0) return;
    tried++;
    const proof = pass.back.proof({ model: derivable.strongest, lemmas: new Map(), k: 0 });
    const { bound, instances } = proof.forAll as Quantified;
    const complaintAbout = (forAll: Quantified, k = 0) => isValid(problem, { ...proof, forAll, k }, heavy);
    t.equal(complaintAbout({ bound, instances }), undefined);
    const [location] = problem.locations;
    const taken = new Map(bound).set(location, [location.places[1]]);
    t.match(complaintAbout({ bound: taken, instances }), /not new|mentions|used by an edge/);
    const short = new Map([...instances].map(([e, own]) => [e, own.map(i => ({ ...i, values: [] }))]));
    t.match(complaintAbout({ bound, instances: short }), /does not fit/);
    const wrongSort = new Map(
      [...instances].map(([e, own]) => [e, own.map(i => ({ ...i, values: i.values.map(() => terms.true) }))]),
    );
    t.match(complaintAbout({ bound, instances: wrongSort }), /does not fit/);
    if (problem.locations.length === 1) t.match(complaintAbout({ bound, instances }, 1), /k-inductive/);
  };
  withProblems(random, 40, use, () => tried > 0);
  t.end();
});
