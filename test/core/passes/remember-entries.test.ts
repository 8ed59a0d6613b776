/** What held when a loop was entered: facts that passes add must hold of all that can be derived, by enumeration. */
import t from 'tap';
import { EquationSolver } from '../../../src/bv/preprocess/equation-solver.ts';
import { rememberEntries } from '../../../src/core/passes/remember-entries.ts';
import { simplifyEdges } from '../../../src/core/passes/simplify-edges.ts';
import { type Edge, headOf, isQuery, type Location, sourceOf } from '../../../src/core/problem/problem.ts';
import { type Clause, type HornFile, hornProblem } from '../../../src/formats/horn/problem.ts';
import { readHorn } from '../../../src/formats/horn/reader.ts';
import { Rewriter } from '../../../src/term/rewrite/rewriter.ts';
import { type TermId, TermStore } from '../../../src/term/store.ts';
import { substitute } from '../../../src/term/substitute.ts';
import { derivableQueries } from '../../support/horn-explicit.ts';
import { seeded } from '../../support/random.ts';

/** The edges of a problem and what they become. */
function remembered(text: string): { file: HornFile; edges: (readonly [before: Edge, after: Edge])[] } {
  const file = readHorn(new TermStore(), 'loops.smt2', text);
  const solver = new EquationSolver(new Rewriter(file.terms));
  const { problem } = simplifyEdges(hornProblem(file).problem, solver);
  const { problem: after } = rememberEntries(problem, solver);
  return { file, edges: after.edges.map((edge, i) => [problem.edges[i], edge] as const) };
}

/** An edge as a clause, with another guard and head. */
function clauseOf({ terms }: HornFile, edge: Edge, constraint: TermId, head: Clause['head']): Clause {
  const source = sourceOf(edge);
  const roots = [constraint, ...edge.values, ...(source?.places ?? [])];
  return {
    bodies: source === undefined ? [] : [{ relation: source, args: source.places }],
    constraint,
    head,
    variables: terms.postorder(roots).filter(v => terms.isVariable(v)),
    line: 0,
  };
}

/** Does a guard exclude, after the pass, what could be derived and was not excluded before? */
function excludesSomething({ file, edges }: ReturnType<typeof remembered>): boolean {
  const { terms } = file;
  const clauses = edges.map(([edge]) => {
    const head = isQuery(edge.head) ? edge.head : { relation: edge.head, args: edge.values };
    return clauseOf(file, edge, edge.guard, head);
  });
  const lost = edges.map(([before, after]) =>
    clauseOf(file, before, terms.and([before.guard, terms.not(after.guard)]), { property: 1 }),
  );
  return derivableQueries({ ...file, clauses: [...clauses, ...lost] }).has(1);
}

const UP_AND_DOWN = `(set-logic HORN)
  (declare-fun up ((_ BitVec 3) (_ BitVec 3)) Bool)
  (declare-fun down ((_ BitVec 3) (_ BitVec 3) (_ BitVec 3)) Bool)
  (assert (forall ((n (_ BitVec 3))) (up n #b000)))
  (assert (forall ((n (_ BitVec 3)) (k (_ BitVec 3))) (=> (and (up n k) (bvslt k n)) (up n (bvadd k #b001)))))
  (assert (forall ((n (_ BitVec 3)) (k (_ BitVec 3))) (=> (and (up n k) (bvsle n k)) (down n k #b000))))
  (assert (forall ((n (_ BitVec 3)) (k (_ BitVec 3)) (j (_ BitVec 3)))
    (=> (and (down n k j) (bvslt j n)) (down n (bvsub k #b001) (bvadd j #b001)))))
  (assert (forall ((n (_ BitVec 3)) (k (_ BitVec 3)) (j (_ BitVec 3)))
    (=> (and (down n k j) (bvslt j n) (bvsle k #b000)) false)))`;

t.test('the example of the opening comment', t => {
  const found = remembered(UP_AND_DOWN);
  const { terms } = found.file;
  const query = found.edges.find(([before]) => headOf(before) === undefined) as readonly [Edge, Edge];
  const [n, k, j] = (sourceOf(query[0]) as Location).places;
  t.not(query[0].guard, query[1].guard, 'something is known of the second loop');
  // Whatever else it says, it excludes that k + j, as a signed number, is below n.
  const values = [0, 1, 2, 3, 4, 5, 6, 7];
  const signed = (v: number) => (v > 3 ? v - 8 : v);
  for (const [vn, vk, vj] of values.flatMap(a => values.flatMap(b => values.map(c => [a, b, c])))) {
    const evaluated = evaluate(terms, query[1].guard, [n, k, j], [vn, vk, vj]);
    const isAsked = signed(vj) < signed(vn) && signed(vk) <= 0;
    t.equal(evaluated, isAsked && signed(vn) <= signed((vk + vj) % 8), `n ${vn}, k ${vk}, j ${vj}`);
  }
  t.notOk(excludesSomething(found));
  t.end();
});

function evaluate(
  terms: TermStore,
  f: TermId,
  variables: readonly TermId[],
  values: readonly number[],
): boolean {
  const rewriter = new Rewriter(terms);
  const images = new Map(variables.map((v, i) => [v, terms.bv(3, values[i])]));
  return rewriter.rewrite(substitute(terms, f, images)) === terms.true;
}

t.test('random loops keep all that can be derived', t => {
  const random = seeded(t);
  const bits = (n: number) => `#b${(n & 3).toString(2).padStart(2, '0')}`;
  const variables = ['x', 'y', 'z'];
  const bound = `(forall (${variables.map(v => `(${v} (_ BitVec 2))`).join(' ')})`;
  const term = () => {
    const v = random.pick(variables);
    return random.pick([v, v, bits(random.below(4)), `(bvadd ${v} ${random.pick(variables)})`]);
  };
  const condition = () =>
    random.pick([
      `(bvult ${term()} ${term()})`,
      `(= ${term()} ${term()})`,
      `(bvsle ${term()} ${term()})`,
      'true',
    ]);
  let changed = 0;
  for (let round = 0; round < 300; round++) {
    const lines = [
      '(set-logic HORN)',
      ...['A', 'B'].map(r => `(declare-fun ${r} (${'(_ BitVec 2) '.repeat(3)}) Bool)`),
    ];
    const clause = (body: string, head: string) =>
      lines.push(`(assert ${bound} (=> (and ${body} ${condition()}) ${head})))`);
    const step = () => `(bvadd ${bits(random.below(4))} `;
    for (let i = random.below(2); i >= 0; i--) clause('true', `(A ${term()} ${term()} ${bits(0)})`);
    for (const r of ['A', 'B']) {
      for (let i = 1 + random.below(2); i > 0; i--) {
        const values = variables.map(v => (random.chance(0.95) ? `${step()}${v})` : term()));
        clause(`(${r} x y z)`, `(${r} ${values.join(' ')})`);
      }
    }
    for (let i = 1 + random.below(2); i > 0; i--) clause('(A x y z)', `(B ${term()} ${term()} ${term()})`);
    if (random.chance(0.3)) clause('(B x y z)', '(A x y z)');
    clause('(B x y z)', 'false');
    const found = remembered(lines.join('\n'));
    if (found.edges.some(([a, b]) => a.guard !== b.guard)) changed++;
    if (excludesSomething(found)) t.fail(`round ${round}: a guard excludes too much\n${lines.join('\n')}`);
  }
  t.ok(changed > 20, `${changed} of them have loops of which something is known`);
  t.end();
});
