/**
 * Program counters become locations, whatever they are: a vector or Booleans in a transition system. So a program is the same
 * problem whether it is written as a transition system or as Horn clauses, and costs the same to check.
 */
import t from 'tap';
import { EquationSolver } from '../../../src/bv/preprocess/equation-solver.ts';
import { locate } from '../../../src/core/passes/locate.ts';
import { preprocess } from '../../../src/core/passes/pipeline.ts';
import { simplifyEdges } from '../../../src/core/passes/simplify-edges.ts';
import type { Problem } from '../../../src/core/problem/problem.ts';
import type { Question } from '../../../src/formats/question.ts';
import { readQuestion } from '../../../src/formats/read.ts';
import { Checkpoint } from '../../../src/sat/checkpoint.ts';
import { complete } from '../../../src/sat/work.ts';
import { Rewriter } from '../../../src/term/rewrite/rewriter.ts';
import { checkOf, complaintAbout, loadedBackEnd, questionOf } from '../../support/checking.ts';
import { HandMade } from '../hand-made.ts';
import {
  asClauses,
  FORGOTTEN,
  LOCK,
  MEMORY,
  type Program,
  THREE_LOOPS,
  TWICE,
  UP_AND_DOWN,
  withBooleans,
  withVector,
} from './program.ts';

const heavy = await loadedBackEnd();

const read = (file: string, text: string) => readQuestion(file, text, { strict: true, warn: t.fail });

const FORMS: readonly (readonly [name: string, question: (program: Program) => Question])[] = [
  ['a vector', p => read('program.vmt', withVector(p))],
  ['Booleans', p => read('program.vmt', withBooleans(p))],
  ['clauses', p => read('program.smt2', asClauses(p))],
];
const SYSTEMS = FORMS.slice(0, 2);

function located({ problem }: Question): Problem | undefined {
  const rewriter = new Rewriter(problem.terms);
  const simplified = simplifyEdges(problem, new EquationSolver(rewriter)).problem;
  return locate(simplified, rewriter, new Checkpoint())?.problem;
}

const prepared = ({ problem }: Question) => preprocess(problem, 'sliced', new Checkpoint()).all.problem;

/** How many there are of each: locations, places of each of them, and edges. */
function shapeOf({ locations, edges }: Problem) {
  const places = locations.map(l => l.places.length).sort();
  return { locations: locations.length, places, edges: edges.length };
}

t.test('every point of a program is a location, and the counter is none of its places', t => {
  for (const program of [UP_AND_DOWN, TWICE, LOCK, FORGOTTEN, MEMORY, THREE_LOOPS]) {
    for (const [form, question] of SYSTEMS) {
      const problem = located(question(program));
      t.equal(problem?.locations.length, program.points, `${program.name}, ${form}`);
      for (const { places } of problem?.locations ?? [])
        t.equal(places.length, Object.keys(program.variables).length);
    }
  }
  t.end();
});

t.test('of these, the loops are left, and there is nothing to tell how it was written', t => {
  // Where edges lead back: 0 and 1; 0; 1; 1; 0, 2 and 4.
  for (const [program, loops] of [
    [UP_AND_DOWN, 2],
    [TWICE, 1],
    [FORGOTTEN, 1],
    [MEMORY, 1],
    [THREE_LOOPS, 3],
  ] as const) {
    const shapes = FORMS.map(([, question]) => shapeOf(prepared(question(program))));
    for (const [i, shape] of shapes.entries()) {
      t.equal(shape.locations, loops, `${program.name}, ${FORMS[i][0]}`);
      t.same(shape, shapes[0], `${program.name}, ${FORMS[i][0]}`);
    }
  }
  t.end();
});

t.test('what is no program counter stays what it is', t => {
  const one = (text: string) => {
    const question = questionOf(new HandMade(text).system);
    return { located: located(question)?.locations.length, prepared: prepared(question).locations.length };
  };
  const counted = one(`
    (declare-const pc (_ BitVec 4)) (declare-const pc.next (_ BitVec 4)) (declare-const x (_ BitVec 8))
    (declare-const x.next (_ BitVec 8)) (declare-const in (_ BitVec 8))
    (assert (! (and (= pc #x0) (= x #x00)) :named init))
    (assert (! (and (= pc.next (bvadd pc #x1)) (= x.next (ite (= pc #x3) in (bvadd x in)))) :named trans))
    (assert (! (not (and (= pc #x5) (= x #x07))) :named property))`);
  t.same(counted, { located: undefined, prepared: 1 }, 'it counts, and nothing chooses among constants');
  const together = one(`
    (declare-const a Bool) (declare-const a.next Bool) (declare-const b Bool) (declare-const b.next Bool)
    (declare-const x (_ BitVec 8)) (declare-const x.next (_ BitVec 8)) (declare-const in (_ BitVec 8))
    (assert (! (and a (not b) (= x #x00)) :named init))
    (assert (! (and (= a.next (bvult x in)) (= b.next (bvult x #x09))
                    (= x.next (ite a (bvadd x in) (ite b in x)))) :named trans))
    (assert (! (not (and b (= x #x07))) :named property))`);
  t.same(together, { located: undefined, prepared: 1 }, 'both may be true');
  t.end();
});

t.test('a program costs the same however it is written', t => {
  // TWICE is not among them: its problem is the same in all forms, but its search depends on the order of its terms.
  for (const [program, verdict] of [
    [UP_AND_DOWN, 'safe'],
    [FORGOTTEN, 'unsafe'],
    [MEMORY, 'safe'],
  ] as const) {
    const costs = FORMS.map(([form, question]) => {
      const asked = question(program);
      const check = checkOf(asked, heavy, { engines: ['abstract'] });
      const answer = complete(check.run());
      t.equal(answer.kind, verdict, `${program.name}, ${form}`);
      t.equal(complaintAbout(asked, heavy, answer), undefined);
      return check.shares[0].spent;
    });
    t.comment(`${program.name}: ${costs.join(', ')}`);
    t.ok(Math.max(...costs) <= 1.2 * Math.min(...costs), `${program.name}: ${costs.join(', ')}`);
  }
  t.end();
});

t.test('counters with too many values together are no control', t => {
  // Twenty vectors, each of which a step leaves alone or sets to 1 or 2: 3^20 combinations.
  const names = Array.from({ length: 20 }, (_, i) => `x${i}`);
  const declared = names.map(x => `(declare-const ${x} (_ BitVec 4)) (declare-const ${x}.next (_ BitVec 4))`);
  const next = names.map(x => {
    const asked = (b: string) => `(declare-const ${x}.${b} Bool)`;
    declared.push(asked('go'), asked('on'));
    return `(= ${x}.next (ite (and ${x}.go (= ${x} #x0)) #x1 (ite ${x}.on #x2 ${x})))`;
  });
  const system = new HandMade(`${declared.join(' ')}
    (assert (! (and ${names.map(x => `(= ${x} #x0)`).join(' ')}) :named init))
    (assert (! (and ${next.join(' ')}) :named trans))
    (assert (! (not (= x0 #x3)) :named property))`).system;
  t.equal(located(questionOf(system)), undefined);
  t.end();
});
