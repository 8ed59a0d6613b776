/**
 * A small program in several ways of writing it: as a transition system whose program counter is a vector, or one Boolean for
 * each point of the program, and as Horn clauses with a relation for each point.
 */

/** From one point of the program to another, where the guard holds; variables without an update keep their value. */
export interface Statement {
  readonly from: number;
  readonly to: number;
  /** Over the program's variables. Guards of one point exclude each other; where none holds, the program has come to its end. */
  readonly guard: string;
  readonly updates: Readonly<Record<string, string>>;
}

export interface Program {
  readonly name: string;
  /** Points are numbered from zero, where the program begins. */
  readonly points: number;
  /** Variables with their sorts, and with what they are at first, if that is known. */
  readonly variables: Readonly<Record<string, { readonly sort: string; readonly first?: string }>>;
  readonly statements: readonly Statement[];
  /** What must not be, and where. */
  readonly error: { readonly at: number; readonly when: string };
}

const all = (formulas: readonly string[]) => (formulas.length === 0 ? 'true' : `(and ${formulas.join(' ')})`);
const some = (formulas: readonly string[]) =>
  formulas.length === 0 ? 'false' : `(or ${formulas.join(' ')})`;

/** How a transition system says that it is at a point, and what that becomes. */
interface Counter {
  readonly states: Readonly<Record<string, string>>; // with their sorts
  readonly isAt: (point: number) => string;
  readonly next: (to: (point: number) => string, isStuck: string) => Readonly<Record<string, string>>;
}

export function withVector(program: Program): string {
  const width = Math.max(2, Math.ceil(Math.log2(program.points)));
  const constant = (n: number) => `(_ bv${n} ${width})`;
  const points = Array.from({ length: program.points }, (_, n) => n);
  return vmt(program, {
    states: { pc: `(_ BitVec ${width})` },
    isAt: n => `(= pc ${constant(n)})`,
    next: to => ({ pc: points.reduceRight((other, n) => `(ite ${to(n)} ${constant(n)} ${other})`, 'pc') }),
  });
}

export function withBooleans(program: Program): string {
  const points = Array.from({ length: program.points }, (_, n) => n);
  return vmt(program, {
    states: Object.fromEntries(points.map(n => [`at${n}`, 'Bool'])),
    isAt: n => `at${n}`,
    next: (to, isStuck) =>
      Object.fromEntries(points.map(n => [`at${n}`, `(or ${to(n)} (and at${n} ${isStuck}))`])),
  });
}

function vmt(program: Program, counter: Counter): string {
  const { variables, statements, error } = program;
  const sorts = {
    ...counter.states,
    ...Object.fromEntries(Object.entries(variables).map(([name, { sort }]) => [name, sort])),
  };
  const taken = statements.map(s => all([counter.isAt(s.from), s.guard]));
  const to = (n: number) => some(taken.filter((_, i) => statements[i].to === n));
  const next = { ...counter.next(to, `(not ${some(taken)})`) };
  for (const name of Object.keys(variables)) {
    next[name] = statements.reduceRight((other, { updates }, i) => {
      return updates[name] === undefined ? other : `(ite ${taken[i]} ${updates[name]} ${other})`;
    }, name);
  }
  const first = Object.entries(variables).flatMap(([name, v]) =>
    v.first === undefined ? [] : [`(= ${name} ${v.first})`],
  );
  const elsewhere = Array.from({ length: program.points - 1 }, (_, i) => `(not ${counter.isAt(i + 1)})`);
  return [
    ...Object.entries(sorts).map(
      ([name, sort]) =>
        `(declare-fun ${name} () ${sort}) (declare-fun ${name}.next () ${sort}) (define-fun .${name} () ${sort} (! ${name} :next ${name}.next))`,
    ),
    `(define-fun .init () Bool (! ${all([counter.isAt(0), ...elsewhere, ...first])} :init true))`,
    `(define-fun .trans () Bool (! ${all(Object.entries(next).map(([n, f]) => `(= ${n}.next ${f})`))} :trans true))`,
    `(define-fun .property () Bool (! (not ${all([counter.isAt(error.at), error.when])}) :invar-property 0))`,
  ].join('\n');
}

export function asClauses({ points, variables, statements, error }: Program): string {
  const names = Object.keys(variables);
  const bound = names.map(n => `(${n} ${variables[n].sort})`).join(' ');
  const clause = (body: string[], head: string) => `(assert (forall (${bound}) (=> ${all(body)} ${head})))`;
  const at = (n: number, values: Readonly<Record<string, string>> = {}) =>
    `(at${n} ${names.map(name => values[name] ?? name).join(' ')})`;
  const first = names.flatMap(n =>
    variables[n].first === undefined ? [] : [`(= ${n} ${variables[n].first})`],
  );
  return [
    '(set-logic HORN)',
    ...Array.from(
      { length: points },
      (_, n) => `(declare-fun at${n} (${names.map(v => variables[v].sort).join(' ')}) Bool)`,
    ),
    clause(first, at(0)),
    ...statements.map(s => clause([at(s.from), s.guard], at(s.to, s.updates))),
    clause([at(error.at), error.when], 'false'),
  ].join('\n');
}

const WORD = '(_ BitVec 16)';
const word = (n: number) => `(_ bv${n} 16)`;
const plus = (x: string, n: number) => `(bvadd ${x} ${word(n)})`;
const minus = (x: string, n: number) => `(bvsub ${x} ${word(n)})`;

/** i and k count up to n, then j and k count down from it: k does not run out before j does. */
export const UP_AND_DOWN: Program = {
  name: 'up and down',
  points: 2,
  variables: {
    i: { sort: WORD, first: word(0) },
    j: { sort: WORD },
    k: { sort: WORD, first: word(0) },
    n: { sort: WORD },
  },
  statements: [
    { from: 0, to: 0, guard: '(bvslt i n)', updates: { i: plus('i', 1), k: plus('k', 1) } },
    { from: 0, to: 1, guard: '(not (bvslt i n))', updates: { j: 'n' } },
    { from: 1, to: 1, guard: `(bvslt ${word(0)} j)`, updates: { j: minus('j', 1), k: minus('k', 1) } },
  ],
  error: { at: 1, when: `(and (bvslt ${word(0)} j) (not (bvslt ${word(0)} k)))` },
};

/** Steps of three until five is reached, twice in a row: x is then less than seven. */
export const TWICE: Program = {
  name: 'steps of three, twice',
  points: 4,
  variables: { x: { sort: WORD, first: word(0) }, rounds: { sort: WORD, first: word(0) } },
  statements: [
    { from: 0, to: 0, guard: `(bvult x ${word(5)})`, updates: { x: plus('x', 3) } },
    { from: 0, to: 1, guard: `(not (bvult x ${word(5)}))`, updates: { rounds: plus('rounds', 1) } },
    { from: 1, to: 2, guard: `(bvult rounds ${word(2)})`, updates: { x: word(0) } },
    { from: 1, to: 3, guard: `(not (bvult rounds ${word(2)}))`, updates: {} },
    { from: 2, to: 0, guard: 'true', updates: {} },
  ],
  error: { at: 3, when: `(not (bvult x ${word(7)}))` },
};

/** A lock that is taken and given back around two loops; it is never taken twice. */
export const LOCK: Program = {
  name: 'a lock',
  points: 5,
  variables: {
    held: { sort: WORD, first: word(0) },
    left: { sort: WORD },
    more: { sort: WORD },
  },
  statements: [
    { from: 0, to: 1, guard: 'true', updates: { held: plus('held', 1) } },
    { from: 1, to: 1, guard: `(bvult ${word(0)} left)`, updates: { left: minus('left', 1) } },
    { from: 1, to: 2, guard: `(= ${word(0)} left)`, updates: { held: minus('held', 1) } },
    { from: 2, to: 3, guard: `(bvult ${word(0)} more)`, updates: { more: minus('more', 1), left: 'more' } },
    { from: 2, to: 4, guard: `(= ${word(0)} more)`, updates: {} },
    { from: 3, to: 1, guard: 'true', updates: { held: plus('held', 1) } },
  ],
  error: { at: 1, when: `(not (= held ${word(1)}))` },
};

/** The same with a way out of the first loop on which the lock is not given back. */
export const FORGOTTEN: Program = {
  ...LOCK,
  name: 'a lock that is forgotten',
  statements: LOCK.statements.map(s =>
    s.from === 1 && s.to === 2
      ? { ...s, updates: { held: `(ite (= more ${word(3)}) held ${minus('held', 1)})` } }
      : s,
  ),
};

/** Three loops, one inside of a way that leads back to the first. */
export const THREE_LOOPS: Program = {
  name: 'three loops',
  points: 6,
  variables: { x: { sort: WORD, first: word(0) }, y: { sort: WORD }, z: { sort: WORD } },
  statements: [
    { from: 0, to: 0, guard: '(bvult x y)', updates: { x: plus('x', 1) } },
    { from: 0, to: 1, guard: '(not (bvult x y))', updates: { z: 'x' } },
    { from: 1, to: 2, guard: 'true', updates: { x: plus('x', 3) } },
    { from: 2, to: 2, guard: '(bvult y z)', updates: { y: plus('y', 2) } },
    { from: 2, to: 3, guard: '(not (bvult y z))', updates: {} },
    { from: 3, to: 0, guard: `(bvult z ${word(9)})`, updates: { z: plus('z', 1) } },
    { from: 3, to: 4, guard: `(not (bvult z ${word(9)}))`, updates: {} },
    { from: 4, to: 4, guard: `(bvult ${word(0)} z)`, updates: { z: minus('z', 1), y: 'x' } },
    { from: 4, to: 5, guard: `(= ${word(0)} z)`, updates: {} },
  ],
  error: { at: 5, when: '(bvult x y)' },
};

/** Writes at i and reads it back a little later, when other places have been written as well. */
export const MEMORY: Program = {
  name: 'memory',
  points: 3,
  variables: {
    m: { sort: `(Array ${WORD} ${WORD})` },
    i: { sort: WORD },
    j: { sort: WORD },
  },
  statements: [
    { from: 0, to: 1, guard: '(bvult i j)', updates: { m: `(store m i ${word(7)})` } },
    { from: 1, to: 1, guard: '(bvult i j)', updates: { m: `(store m j ${word(8)})`, j: minus('j', 1) } },
    { from: 1, to: 2, guard: '(not (bvult i j))', updates: {} },
  ],
  error: { at: 2, when: `(not (= (select m i) ${word(7)}))` },
};
