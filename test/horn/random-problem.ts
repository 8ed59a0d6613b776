/**
 * Random small Horn problems, and their text in both dialects. Some are programs: the first argument of each relation is a
 * counter, which clauses ask about and set to a constant.
 */
import {
  type Clause,
  type Dialect,
  type HornProblem,
  isQuery,
  type Relation,
} from '../../src/horn/problem.ts';
import { printTerm } from '../../src/term/printer.ts';
import { type TermId, TermStore } from '../../src/term/store.ts';
import type { Random } from '../support/random.ts';
import { growPool } from '../support/terms.ts';

export function randomProblem(random: Random, dialect: Dialect): HornProblem {
  const terms = new TermStore();
  const { sorts } = terms;
  const kinds = [sorts.bool, sorts.bitVec(1), sorts.bitVec(2)];
  const isProgram = random.chance(0.4);
  const counterSort = random.pick(kinds);
  const relations: Relation[] = Array.from({ length: 1 + random.below(isProgram ? 2 : 4) }, (_, r) => ({
    name: `R${r}`,
    places: Array.from({ length: random.below(4) + (isProgram ? 1 : 0) }, (_, i) =>
      terms.variable(`R${r}.${i}`, isProgram && i === 0 ? counterSort : random.pick(kinds)),
    ),
  }));
  const queryCount = dialect === 'rules' ? 1 + random.below(2) : 1;
  const clause = (): Clause => {
    const variables = Array.from({ length: random.below(5) }, (_, i) =>
      terms.variable(`v${i}`, random.pick(kinds)),
    );
    const constants = [terms.true, terms.false, ...[1, 2].flatMap(w => [0, 1, -1].map(n => terms.bv(w, n)))];
    const pool = growPool(terms, random, [...variables, ...constants], 30, 2);
    const ofSort = (sort: number, isSimple: boolean): TermId => {
      const fitting = (isSimple ? variables : pool).filter(t => terms.sort(t) === sort);
      return fitting.length > 0
        ? random.pick(fitting)
        : random.pick(pool.filter(t => terms.sort(t) === sort));
    };
    const count = () => random.pick(constants.filter(c => terms.sort(c) === counterSort));
    const atom = (relation: Relation, counter: () => TermId) => ({
      relation,
      args: relation.places.map((p, i) =>
        isProgram && i === 0 ? counter() : ofSort(terms.sort(p), random.chance(0.7)),
      ),
    });
    const asked: TermId[] = [];
    const askedCounter = () => {
      const counter = terms.variable('counter', counterSort);
      variables.push(counter);
      if (random.chance(0.8)) asked.push(terms.eq(counter, count()));
      return counter;
    };
    const body = random.chance(isProgram ? 0.8 : 0.65)
      ? atom(random.pick(relations), askedCounter)
      : undefined;
    const head = random.chance(0.8)
      ? atom(random.pick(relations), count)
      : { query: random.below(queryCount) };
    const formulas = Array.from({ length: random.below(3) }, () => {
      const v = variables.length > 0 && random.chance(0.5) ? random.pick(variables) : undefined;
      return v === undefined ? ofSort(sorts.bool, false) : terms.eq(v, ofSort(terms.sort(v), false));
    });
    const condition = formulas.length > 1 && random.chance(0.3) ? terms.or(formulas) : terms.and(formulas);
    const constraint = terms.and([...asked, condition]);
    return { body, constraint, head, variables, line: 0 };
  };
  const clauses = Array.from({ length: (isProgram ? 5 : 2) + random.below(7) }, clause);
  return { terms, dialect, relations, clauses, queries: Array.from({ length: queryCount }, () => undefined) };
}

export function problemText(problem: HornProblem): string {
  return problem.dialect === 'rules' ? rulesText(problem) : smtLibText(problem);
}

function implication({ terms }: HornProblem, { body, constraint, head }: Clause, goal: string): string {
  const application = ({ relation, args }: { relation: Relation; args: readonly TermId[] }) =>
    args.length === 0 ? relation.name : `(${relation.name} ${args.map(a => printTerm(terms, a)).join(' ')})`;
  const parts = [...(body === undefined ? [] : [application(body)]), printTerm(terms, constraint)];
  return `(=> (and ${parts.join(' ')}) ${isQuery(head) ? goal : application(head)})`;
}

const sortsOf = ({ terms }: HornProblem, r: Relation) =>
  r.places.map(p => terms.sorts.name(terms.sort(p))).join(' ');

function smtLibText(problem: HornProblem): string {
  const { terms, relations, clauses } = problem;
  const assertion = (c: Clause) => {
    const list = c.variables
      .map(v => `(${printTerm(terms, v)} ${terms.sorts.name(terms.sort(v))})`)
      .join(' ');
    const text = implication(problem, c, 'false');
    return c.variables.length === 0 ? `(assert ${text})` : `(assert (forall (${list}) ${text}))`;
  };
  return [
    '(set-logic HORN)',
    ...relations.map(r => `(declare-fun ${r.name} (${sortsOf(problem, r)}) Bool)`),
    ...clauses.map(assertion),
    '(check-sat)',
  ].join('\n');
}

/** Every clause has variables of its own, so the same name is declared for each of their sorts. */
function rulesText(problem: HornProblem): string {
  const { terms, relations, clauses, queries } = problem;
  const lines = [
    ...relations.map(r => `(declare-rel ${r.name} (${sortsOf(problem, r)}))`),
    ...queries.map((_, q) => `(declare-rel query${q} ())`),
  ];
  const rules = clauses.map((c, i) => {
    for (const v of c.variables) {
      lines.push(`(declare-var ${printTerm(terms, v)}of${i} ${terms.sorts.name(terms.sort(v))})`);
    }
    const goal = isQuery(c.head) ? `query${c.head.query}` : '';
    const names = /(?<![\w.])(v[0-9]+|counter)(?![\w.])/g;
    return `(rule ${implication(problem, c, goal).replace(names, `$1of${i}`)})`;
  });
  return [...lines, ...rules, ...queries.map((_, q) => `(query query${q})`)].join('\n');
}
