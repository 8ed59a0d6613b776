/** Runs of random problems, against enumeration: what they derive can be derived, and where they end nothing leads on. */
import t from 'tap';
import { checkSteps } from '../../../src/core/evidence/check-derivation.ts';
import type { Pass } from '../../../src/core/passes/pass.ts';
import { unchanged } from '../../../src/core/passes/pass.ts';
import { preparedToRun } from '../../../src/core/passes/prepared-to-run.ts';
import { completed, evaluatorOf, headValues } from '../../../src/core/problem/derivation.ts';
import { type Edge, headOf, inputsOf, isQuery, type Problem } from '../../../src/core/problem/problem.ts';
import { type Run, Runner } from '../../../src/core/run/runner.ts';
import { readHorn } from '../../../src/formats/horn/reader.ts';
import { readQuestion } from '../../../src/formats/read.ts';
import { Checkpoint } from '../../../src/sat/checkpoint.ts';
import { type TermId, TermStore } from '../../../src/term/store.ts';
import { allValues, type Value } from '../../../src/term/value.ts';
import { derivableQueries, derivationComplaint } from '../../support/horn-explicit.ts';
import { problemText, randomProblem } from '../../support/horn-random.ts';
import { seeded } from '../../support/random.ts';

const ROUNDS = Number(process.env.EUFORIA_ROUNDS ?? 150);

function completedRun({ problem, back }: Pass, seed: number, steps: number): Run {
  const work = new Runner(problem, { steps, seed, asks: false }).run();
  for (;;) {
    const { done, value } = work.next(undefined);
    if (done !== true) continue;
    const { ending, derivation } = value;
    return { ending, derivation: completed(problem.terms, back.derivation(derivation)) };
  }
}

/** An edge that can be taken from a state to another one, found by trying all inputs. */
function wayOut({ terms, edges }: Problem, run: Run): Edge | undefined {
  const last = run.derivation.steps.at(-1);
  const location = last && headOf(last.edge);
  const state =
    last === undefined
      ? new Map<TermId, Value>()
      : headValues(terms, last.edge, last.values, run.derivation.functionValue);
  const leads = (edge: Edge): boolean => {
    let assignments: Map<TermId, Value>[] = [new Map(state)];
    for (const v of inputsOf(terms, edge)) {
      const values = [...allValues(terms.sorts, terms.sort(v))];
      assignments = assignments.flatMap(a => values.map(value => new Map([...a, [v, value] as const])));
    }
    return assignments.some(a => {
      const evaluator = evaluatorOf(terms, a);
      if (evaluator.value(edge.guard) !== true) return false;
      // A step that changes nothing is none.
      const head = headOf(edge);
      return (
        head !== location ||
        head === undefined ||
        edge.values.some((v, i) => evaluator.value(v) !== a.get(head.places[i]))
      );
    });
  };
  return edges.find(e => e.sources.length < 2 && e.sources[0]?.location === location && leads(e));
}

for (const severalBodies of [0, 0.4]) {
  t.test(severalBodies === 0 ? 'clauses with one body' : 'clauses with several', t => {
    const random = seeded(t);
    const counts = { violation: 0, end: 0, stuck: 0, steps: 0, stopped: 0 };
    let [derivable, derived] = [0, 0];
    for (let round = 0; round < ROUNDS; round++) {
      const made = randomProblem(random, random.pick(['smt-lib', 'rules']), severalBodies);
      const text = problemText(made);
      const { problem, words, properties } = readQuestion('random.smt2', text, {
        strict: true,
        warn: () => {},
      });
      const file = readHorn(new TermStore(), 'random.smt2', text);
      const possible = derivableQueries(made);
      derivable += possible.size;
      const found = new Set<number>();
      const pass = random.chance(0.8) ? preparedToRun(problem, new Checkpoint()) : unchanged(problem);
      for (let i = 0; i < 12; i++) {
        const run = completedRun(pass, random.below(1e9), 30);
        const { ending, derivation } = run;
        counts[ending]++;
        const last = derivation.steps.at(-1)?.edge.head;
        let complaint = checkSteps(problem, derivation, words.nameOf);
        if (ending === 'violation' && last !== undefined && isQuery(last)) {
          const property = properties.find(p => p.index === last.property);
          complaint ??= possible.has(last.property) ? undefined : 'it cannot be derived';
          if (property !== undefined)
            complaint ??= derivationComplaint(file, last.property, words.json(property, derivation));
          found.add(last.property);
        } else if (ending === 'end') {
          const edge = wayOut(problem, run);
          complaint ??= edge && `it need not have ended, there is ${words.nameOf(edge)}`;
        }
        if (complaint !== undefined) {
          t.fail(complaint, { text });
          t.end();
          return;
        }
      }
      derived += found.size;
    }
    t.ok(
      counts.violation > 0 && counts.steps > 0 && (severalBodies > 0 || counts.end > 0),
      JSON.stringify(counts),
    );
    t.ok(derived > 0.8 * derivable, `of ${derivable} violations, runs found ${derived}`);
    t.end();
  });
}
