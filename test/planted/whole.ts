/**
 * The checker from end to end, with all its engines (the abstract one has the first word) and with others alone that may prove
 * something, on small systems whose answer is known. Whatever is wrong inside, a verdict must be right: what is found has to
 * pass the check of evidence, which shares nothing with what found it. So a bug may show as an answer that is missing, and
 * must not as a wrong one.
 *
 * Where there is a violation, the property is no valid formula. Whoever takes it for one has a proof: true is invariant, and
 * the property is a lemma. That must be refused, whatever the concrete solver says.
 *
 * Says on a line what it has seen of a system:
 *
 *   fails NAME       with all engines at work, what was found failed its check
 *   open NAME        with all engines at work, there is no answer for another reason
 *   certifies NAME   the concrete solver takes a property for valid that is violated
 */
import { ConcreteSolver } from '../../src/bv/solver.ts';
import { checkProof } from '../../src/core/evidence/check-proof.ts';
import type { System } from '../../src/core/problem/system.ts';
import { SystemProblem } from '../../src/core/problem/system-problem.ts';
import { complete } from '../../src/sat/work.ts';
import { isUnsafe } from '../core/explicit.ts';
import { HandMade } from '../core/hand-made.ts';
import { RandomSystem } from '../core/random-system.ts';
import { questionOf, verdictOf } from '../support/checking.ts';
import { backEnd, caught, lightOnly, probeRandom } from './probe.ts';
import { SYSTEMS } from './systems.ts';

const heavy = await lightOnly();
const random = probeRandom();

/** A bug may make a search run forever. With all engines there is an answer to be expected; with one alone there need be none. */
const TIME_LIMIT = 30_000;
const TIME_LIMIT_ALONE = 50;

const ROUNDS = 4;

function say(what: 'fails' | 'open' | 'certifies', name: string): void {
  process.stdout.write(`${what} ${name}\n`);
}

function probe(name: string, system: System, expected: 'safe' | 'unsafe'): void {
  for (const engines of [undefined, ['k-induction'], ['bits']]) {
    const deadline = Date.now() + (engines === undefined ? TIME_LIMIT : TIME_LIMIT_ALONE);
    const verdict = verdictOf(questionOf(system), heavy, { engines, budget: { deadline } });
    if (verdict.kind !== 'unknown' && verdict.kind !== expected)
      caught(`'${name}' is ${expected}, and called ${verdict.kind} (${engines ?? 'all engines'})`);
    if (verdict.kind === 'unknown' && engines === undefined)
      say(verdict.text.includes('fails its check') ? 'fails' : 'open', name);
  }
  if (expected === 'unsafe') probeLemma(name, system);
}

/** The property as a lemma, though it is violated. */
function probeLemma(name: string, system: System): void {
  const { terms } = system;
  const [{ formula }] = system.properties;
  const solver = new ConcreteSolver(terms, { backEnd });
  solver.assert(terms.not(formula));
  if (solver.solve() === 'unsat') say('certifies', name);
  const posed = new SystemProblem(system);
  const proof = posed.proof({ invariant: terms.true, lemmas: [formula], k: 0 });
  const nameOf = (e: Parameters<typeof posed.nameOf>[0]) => posed.nameOf(e);
  const outcome = complete(checkProof(posed.problem, proof, { heavy, budget: {}, nameOf }));
  if (outcome.kind !== 'invalid' || !outcome.text.startsWith('this is not valid'))
    caught(`'${name}': an invalid lemma is called ${outcome.kind}`);
}

for (const [name, { text, isUnsafe: isKnown }] of Object.entries(SYSTEMS)) {
  const { system, property } = new HandMade(text);
  probe(name, system, isKnown === true || isUnsafe(system, property) ? 'unsafe' : 'safe');
}
for (let round = 0; round < ROUNDS; round++) {
  const { system, property } = new RandomSystem(random);
  probe(`random ${round}`, system, isUnsafe(system, property) ? 'unsafe' : 'safe');
}
