/**
 * Random small Horn problems, and their text in both dialects. Some are programs: the first argument of each relation is a
 * counter, which clauses ask about and set to a constant. Every clause has a line of its own in the text.
 */
import type { Location } from '../../src/core/problem/problem.ts';
import {
  type Atom,
  type Clause,
  type Dialect,
  type HornFile,
  isAtom,
} from '../../src/formats/horn/problem.ts';
import { printTerm } from '../../src/term/printer.ts';
import { type TermId, TermStore } from '../../src/term/store.ts';
import type { Random } from './random.ts';
import { growPool } from './terms.ts';

/** `severalBodies`: how likely a clause with one application in its body is to have more. */
export function randomProblem(random: Random, dialect: Dialect, severalBodies = 0): HornFile {
  const terms = new TermStore();
  const { sorts } = terms;
  const kinds = [sorts.bool, sorts.bitVec(1), sorts.bitVec(2)];
  const isProgram = random.chance(0.4);
  const counterSort = random.pick(kinds);
  const relations: Location[] = Array.from({ length: 1 + random.below(isProgram ? 2 : 4) }, (_, r) => ({
    name: `R${r}`,
    places: Array.from({ length: random.below(4) + (isProgram ? 1 : 0) }, (_, i) =>
      terms.variable(`R${r}.${i}`, isProgram && i === 0 ? counterSort : random.pick(kinds)),
    ),
    constraints: [],
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
    const atom = (relation: Location, counter: () => TermId): Atom => ({
      relation,
      args: relation.places.map((p, i) =>
        isProgram && i === 0 ? counter() : ofSort(terms.sort(p), random.chance(0.7)),
      ),
    });
    const asked: TermId[] = [];
    const counters: TermId[] = [];
    const askedCounter = () => {
      const counter = terms.variable(`counter${counters.length}`, counterSort);
      counters.push(counter);
      if (random.chance(0.8)) asked.push(terms.eq(counter, count()));
      return counter;
    };
    const bodies: Atom[] = [];
    if (random.chance(isProgram ? 0.8 : 0.65)) {
      do bodies.push(atom(random.pick(relations), askedCounter));
      while (bodies.length < 3 && random.chance(severalBodies));
    }
    const head = random.chance(0.8)
      ? atom(random.pick(relations), count)
      : { property: random.below(queryCount) };
    const formulas = Array.from({ length: random.below(3) }, () => {
      const v = variables.length > 0 && random.chance(0.5) ? random.pick(variables) : undefined;
      return v === undefined ? ofSort(sorts.bool, false) : terms.eq(v, ofSort(terms.sort(v), false));
    });
    const condition = formulas.length > 1 && random.chance(0.3) ? terms.or(formulas) : terms.and(formulas);
    const constraint = terms.and([...asked, condition]);
    return { bodies, constraint, head, variables: [...variables, ...counters], line: 0 };
  };
  const clauses = Array.from({ length: (isProgram ? 5 : 2) + random.below(7) }, clause);
  return { terms, dialect, relations, clauses, queries: Array.from({ length: queryCount }, () => undefined) };
}

export function problemText(file: HornFile): string {
  return file.dialect === 'rules' ? rulesText(file) : smtLibText(file);
}

function implication({ terms }: HornFile, { bodies, constraint, head }: Clause, goal: string): string {
  const application = ({ relation, args }: Atom) =>
    args.length === 0 ? relation.name : `(${relation.name} ${args.map(a => printTerm(terms, a)).join(' ')})`;
  const parts = [...bodies.map(application), printTerm(terms, constraint)];
  return `(=> (and ${parts.join(' ')}) ${isAtom(head) ? application(head) : goal})`;
}

const sortsOf = ({ terms }: HornFile, r: Location) =>
  r.places.map(p => terms.sorts.name(terms.sort(p))).join(' ');

function smtLibText(file: HornFile): string {
  const { terms, relations, clauses } = file;
  const assertion = (c: Clause) => {
    const list = c.variables
      .map(v => `(${printTerm(terms, v)} ${terms.sorts.name(terms.sort(v))})`)
      .join(' ');
    const text = implication(file, c, 'false');
    return c.variables.length === 0 ? `(assert ${text})` : `(assert (forall (${list}) ${text}))`;
  };
  return [
    '(set-logic HORN)',
    ...relations.map(r => `(declare-fun ${r.name} (${sortsOf(file, r)}) Bool)`),
    ...clauses.map(assertion),
    '(check-sat)',
  ].join('\n');
}

/** Every clause has variables of its own, so the same name is declared for each of their sorts. */
function rulesText(file: HornFile): string {
  const { terms, relations, clauses, queries } = file;
  const lines = [
    ...relations.map(r => `(declare-rel ${r.name} (${sortsOf(file, r)}))`),
    ...queries.map((_, q) => `(declare-rel query${q} ())`),
  ];
  const rules = clauses.map((c, i) => {
    for (const v of c.variables) {
      lines.push(`(declare-var ${printTerm(terms, v)}of${i} ${terms.sorts.name(terms.sort(v))})`);
    }
    const goal = isAtom(c.head) ? '' : `query${c.head.property}`;
    const names = /(?<![\w.])((?:v|counter)[0-9]+)(?![\w.])/g;
    return `(rule ${implication(file, c, goal).replace(names, `$1of${i}`)})`;
  });
  return [...lines, ...rules, ...queries.map((_, q) => `(query query${q})`)].join('\n');
}
