/**
 * Formulas as C expressions: random terms over variables of all integer types have the same value in the evaluator and in a C program, as
 * our own front end runs it and, where there is a native compiler, as that does. Native programs trap on undefined behaviour.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { evaluatorOf } from '../../../src/core/problem/derivation.ts';
import { CExpressions, type CVariable } from '../../../src/formats/llvm/c-expressions.ts';
import { integerText } from '../../../src/formats/llvm/c-types.ts';
import { bitsTogether } from '../../../src/formats/llvm/known-bits.ts';
import { Op } from '../../../src/term/operators.ts';
import { type TermId, TermStore } from '../../../src/term/store.ts';
import type { Value } from '../../../src/term/value.ts';
import { modulesOf, programQuestion, runOf } from '../../support/programs.ts';
import { type Random, seeded } from '../../support/random.ts';
import { growPool } from '../../support/terms.ts';

const TYPES = [
  ['char', 8, 'char'],
  ['signed char', 8, 'signed'],
  ['unsigned char', 8, 'unsigned'],
  ['short', 16, 'signed'],
  ['unsigned short', 16, 'unsigned'],
  ['int', 32, 'signed'],
  ['unsigned int', 32, 'unsigned'],
  ['long long', 64, 'signed'],
  ['unsigned long long', 64, 'unsigned'],
] as const;

/** Variables of every type, and the C that declares them with some value. */
class Scene {
  readonly terms = new TermStore();
  readonly variables: TermId[] = [];
  private readonly known = new Map<TermId, CVariable & { readonly width: number }>();

  constructor() {
    TYPES.forEach(([name, width, encoding], i) => {
      const variable = this.terms.variable(`v${i}`, this.terms.sorts.bitVec(width));
      this.variables.push(variable);
      const type = { kind: 'basic', name, bits: width, encoding } as const;
      this.known.set(variable, { text: `v${i}`, type, width });
    });
  }

  text(formula: TermId): string | undefined {
    return new CExpressions(this.terms, v => this.known.get(v)).formula(formula);
  }

  values(random: Random): Map<TermId, Value> {
    return new Map(
      this.variables.map(v => {
        const width = this.terms.width(v);
        const bits = BigInt.asUintN(width, randomBits(random));
        return [v, width > 32 ? bits : Number(bits)];
      }),
    );
  }

  declarations(values: ReadonlyMap<TermId, Value>): string {
    return this.variables
      .map((v, i) => {
        const [name, width, encoding] = TYPES[i];
        const bits = BigInt(values.get(v) as number | bigint);
        const value = encoding === 'unsigned' ? bits : BigInt.asIntN(width, bits);
        return `${name} v${i} = ${integerText(value)};`;
      })
      .join(' ');
  }

  /** A function that is an error if the expression does not have the value that the evaluator gives. */
  function(i: number, formula: TermId, text: string, values: ReadonlyMap<TermId, Value>): string {
    const expected = evaluatorOf(this.terms, values).value(formula) === true ? 1 : 0;
    return `static void f${i}(void) { ${this.declarations(values)} if ((${text}) != ${expected}) reach_error(${i}); }\n`;
  }
}

/** Numbers where something may go wrong are as likely as others. */
function randomBits(random: Random): bigint {
  const some = [
    0n,
    1n,
    2n,
    7n,
    8n,
    31n,
    63n,
    127n,
    128n,
    -1n,
    -2n,
    -128n,
    32767n,
    -32768n,
    2n ** 31n,
    2n ** 63n,
  ];
  if (random.chance(0.6)) return random.pick(some);
  return (BigInt(random.below(2 ** 32)) << 32n) | BigInt(random.below(2 ** 32));
}

/** Compiles and runs a program; what it prints, and that it ended well. */
function native(...flags: string[]): ((file: string, program: string) => string) | undefined {
  const works = spawnSync('gcc', [...flags, '-x', 'c', '-', '-o', '/dev/null'], {
    input: 'int main(void) { return 0; }',
  });
  if (works.status !== 0) return undefined;
  return (file, program) => {
    const { status: failure, stderr } = spawnSync('gcc', ['-w', ...flags, file, '-o', program]);
    if (failure !== 0) return String(stderr);
    const { stdout, status, signal } = spawnSync(program, { encoding: 'utf8' });
    return status === 0 ? 'well' : `${stdout} ${signal ?? status}`;
  };
}

t.test('expressions mean what formulas mean', async t => {
  const random = seeded(t);
  const folder = mkdtempSync(join(tmpdir(), 'euforia-expressions-'));
  t.teardown(() => rmSync(folder, { recursive: true }));
  const scene = new Scene();
  const { terms } = scene;
  const constants = [8, 16, 32, 64].flatMap(w =>
    [0n, 1n, 3n, -1n, 1n << BigInt(w - 1)].map(n => terms.bv(w, n)),
  );
  const pool = growPool(terms, random, [...scene.variables, ...constants], 700, 64);
  const words = pool.filter(w => terms.width(w) > 0);
  const comparisons = [Op.EQ, Op.BVULT, Op.BVULE, Op.BVSLT, Op.BVSLE, Op.BVSGT, Op.BVUGE] as const;
  const functions: string[] = [];
  const operators = new Set<Op>();
  for (let tries = 0; functions.length < 120 && tries < 20_000; tries++) {
    const word = random.pick(words);
    const other = random.pick(words.filter(w => terms.sort(w) === terms.sort(word)));
    const formulas = [terms.app(random.pick(comparisons), [word, other]), random.pick(pool)];
    const formula = formulas[random.below(2)];
    const text = terms.sort(formula) === terms.sorts.bool ? scene.text(formula) : undefined;
    if (text === undefined || terms.postorder([formula]).length < 3) continue;
    for (const s of terms.postorder([formula])) operators.add(terms.op(s));
    functions.push(scene.function(functions.length, formula, text, scene.values(random)));
  }
  t.ok(functions.length === 120, `${functions.length} formulas`);
  t.ok(operators.size > 20, `${operators.size} operators are among them`);

  const calls = functions.map((_, i) => `f${i}();`).join(' ');
  const body = `${functions.join('')}int main(void) { ${calls} return 0; }\n`;
  for (const [dataModel, flags] of [
    ['ilp32', ['-m32']],
    ['lp64', []],
  ] as const) {
    const modules = await modulesOf(`extern void reach_error(int);\n${body}`, dataModel);
    const { ending } = runOf(programQuestion(modules));
    t.equal(ending, 'end', `as our own front end has it, ${dataModel}`);
    const run = native(...flags, '-fsanitize=undefined', '-fsanitize-undefined-trap-on-error');
    if (run === undefined) {
      t.comment(`there is no gcc for ${dataModel}`);
      continue;
    }
    const file = join(folder, `${dataModel}.c`);
    writeFileSync(
      file,
      `int printf(const char *, ...);\nvoid exit(int);\nstatic void reach_error(int i) { printf("%d", i); exit(1); }\n${body}`,
    );
    const outcome = run(file, join(folder, dataModel));
    t.equal(outcome, 'well', `as gcc has it, ${dataModel}: ${functions[Number.parseInt(outcome, 10)] ?? ''}`);
  }
});

t.test('what is said of bits together is what is said of them one by one', t => {
  const random = seeded(t);
  const scene = new Scene();
  const { terms } = scene;
  for (let round = 0; round < 300; round++) {
    const conjuncts: TermId[] = [];
    const word = random.pick(scene.variables);
    const width = terms.width(word);
    const from = random.below(width);
    for (let k = random.chance(0.5) ? from : random.below(width); k < width; k++) {
      if (random.chance(0.1)) continue;
      const bit = terms.app(Op.EXTRACT, [word], [k, k]);
      const claim = terms.eq(terms.bv(1, random.chance(0.2) ? 1 : 0), bit);
      conjuncts.push(random.chance(0.2) ? terms.not(claim) : claim);
    }
    // The same bit may be said to be both.
    if (random.chance(0.1) && conjuncts.length > 0) conjuncts.push(terms.not(random.pick(conjuncts)));
    const together = bitsTogether(terms, conjuncts);
    for (let i = 0; i < 10; i++) {
      const values = scene.values(random);
      if (random.chance(0.5)) values.set(word, width > 32 ? BigInt(random.below(4)) : random.below(4));
      const evaluator = evaluatorOf(terms, values);
      const isTrue = (all: readonly TermId[]) => all.every(c => evaluator.value(c) === true);
      if (isTrue(conjuncts) !== isTrue(together)) t.fail('another value');
    }
  }
  t.end();
});

t.test('expressions are written as people write them', t => {
  const scene = new Scene();
  const { terms } = scene;
  const [, , byte, , , int, unsigned] = scene.variables;
  const text = (formula: TermId) => scene.text(formula);
  const less = (a: TermId, b: TermId, op: typeof Op.BVSLT | typeof Op.BVULT = Op.BVSLT) =>
    terms.app(op, [a, b]);
  t.equal(text(less(int, terms.bv(32, -5))), 'v5 < -5');
  t.equal(text(terms.not(less(unsigned, terms.bv(32, 7), Op.BVULT))), 'v6 >= 7');
  t.equal(text(less(int, terms.bv(32, 7), Op.BVULT)), '(unsigned)v5 < 7');
  t.equal(text(less(int, terms.bv(32, 2 ** 31), Op.BVULT)), 'v5 >= 0');
  t.equal(text(terms.eq(terms.bv(8, 200), byte)), 'v2 == 200');
  t.equal(text(terms.eq(terms.bv(32, -1), int)), 'v5 == -1');
  t.equal(
    text(terms.or([less(int, unsigned), terms.eq(int, terms.bv(32, 0))])),
    '(v5 < (int)v6 || v5 == 0)',
    'to be used in a conjunction',
  );
  const wide = terms.variable('w', terms.sorts.bitVec(65));
  t.equal(text(terms.eq(wide, terms.bv(65, 0))), undefined, 'no type of C is as wide');
  const inner = terms.variable('x', terms.sorts.bitVec(32));
  t.equal(text(terms.eq(inner, terms.bv(32, 0))), undefined, 'no variable of the text');
  t.end();
});
