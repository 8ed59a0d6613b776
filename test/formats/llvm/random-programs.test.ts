/**
 * Random programs compute the same checksum here as natively, in both data models. Each program runs on to an error, and which one
 * tells whether the checksum was right: a run that ends without one, or gets stuck, is wrong as well.
 *
 * EUFORIA_PROGRAMS=N runs so many of them. They need a C compiler; without one, or without its 32-bit libraries, less is tested.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { checkDerivation } from '../../../src/core/evidence/check-derivation.ts';
import type { DataModel } from '../../../src/formats/c/flags.ts';
import { checksOf } from '../../../src/formats/checks.ts';
import type { LlvmOptions } from '../../../src/formats/llvm/front-end.ts';
import { NOT_KNOWN } from '../../../src/formats/llvm/memory-checks.ts';
import { type Question, queriesOf } from '../../../src/formats/question.ts';
import { randomPrograms } from '../../support/c-random.ts';
import { modulesOf, programQuestion, runOf } from '../../support/programs.ts';
import { chooseSeed, Random } from '../../support/random.ts';

const PROGRAMS = Number(process.env.EUFORIA_PROGRAMS ?? 32);
const IN_A_FILE = 4;
/** Derivations of so many programs are checked: that takes longer than running them. */
const CHECKED = 1;

/** With 32 bits, an x86 would compute with more digits than the types have. */
const FLAGS: Readonly<Record<DataModel, readonly string[]>> = {
  lp64: ['-m64'],
  ilp32: ['-m32', '-msse2', '-mfpmath=sse'],
};
/** Arithmetic wraps and any pointer may alias any other, as the front end takes it. */
const SEMANTICS = ['-w', '-O0', '-fwrapv', '-fno-strict-aliasing', '-ffp-contract=off'];

const folder = mkdtempSync(join(tmpdir(), 'euforia-'));
t.teardown(() => rmSync(folder, { recursive: true }));

/** What a program prints, line by line; undefined where there is no compiler for it. */
function nativeOutput(text: string, model: DataModel): string[] | undefined {
  const [source, program] = [join(folder, 'a.c'), join(folder, 'a.out')];
  writeFileSync(source, text);
  const compiled = spawnSync('cc', [...SEMANTICS, ...FLAGS[model], '-o', program, source], {
    encoding: 'utf8',
  });
  if (compiled.status !== 0) return undefined;
  const { stdout, status } = spawnSync(program, { encoding: 'utf8', timeout: 20_000 });
  return status === 0 ? stdout.trim().split('\n') : undefined;
}

/** The error that a run comes to, or why it comes to none. */
function errorOf(question: Question, seed: number, isChecked: boolean): string {
  const { ending, derivation } = runOf(question, { seed });
  const last = derivation.steps.at(-1)?.edge;
  const trap = last && question.traps?.get(last);
  if (ending !== 'violation' || trap !== undefined) return trap ?? ending;
  const complaint = isChecked
    ? checkDerivation(question.problem, queriesOf(question.properties[0]), derivation, question.words.nameOf)
    : undefined;
  return complaint ?? JSON.parse(question.words.json(question.properties[0], derivation)).error.text;
}

/** What makes no difference to programs without undefined behaviour, unless a check cannot tell. */
const OPTIONS: readonly Partial<LlvmOptions>[] = [
  { blocks: 'small' },
  { blocks: 'large' },
  { checks: checksOf(['null', 'bounds', 'free']) },
];

/** Runs on to one error where the checksum is wrong, and to another where it is right. */
function check(number: number, sum: string): string {
  return `void check_${number}(void) { if (test_${number}() != 0x${sum}ULL) __VERIFIER_error(); reach_error(); }\n`;
}

const MODELS = (['lp64', 'ilp32'] as const).filter(
  model => nativeOutput('#include <stdio.h>\nint main(void) { puts("1"); return 0; }\n', model) !== undefined,
);

t.test('checksums', { skip: MODELS.length === 0 ? 'there is no C compiler' : false }, async t => {
  const seed = chooseSeed();
  t.comment(`seed ${seed} (EUFORIA_SEED=${seed} replays it)`);
  for (let file = 0; file * IN_A_FILE < PROGRAMS; file++) {
    const own = seed + file; // so that each file can be made again by itself
    const text = randomPrograms(new Random(own), IN_A_FILE);
    const prints = Array.from({ length: IN_A_FILE }, (_, i) => `printf("%llx\\n", test_${i}());`);
    const main = `int printf(const char *, ...);\nint main(void) { ${prints.join(' ')} return 0; }\n`;
    for (const model of MODELS) {
      const sums = nativeOutput(text + main, model);
      if (sums?.length !== IN_A_FILE) {
        t.fail(`the programs of seed ${own} do not run natively, ${model}`);
        continue;
      }
      const checks = sums.map((sum, i) => check(i, sum)).join('');
      const errors = 'void __VERIFIER_error(void);\nvoid reach_error(void);\n';
      const modules = await modulesOf(text + errors + checks, model);
      for (let i = 0; i < IN_A_FILE; i++) {
        const options = OPTIONS[i % OPTIONS.length];
        const error = errorOf(programQuestion(modules, `check_${i}`, options), own, i < CHECKED);
        if (options.checks !== undefined && error.startsWith(NOT_KNOWN)) continue;
        t.equal(error, 'reach_error', `seed ${own}, program ${i}, ${model}: the checksum is ${sums[i]}`);
      }
    }
  }
});

t.test('a wrong checksum is told from a right one', async t => {
  const text = randomPrograms(new Random(1), 1);
  const errors = 'void __VERIFIER_error(void);\nvoid reach_error(void);\n';
  const modules = await modulesOf(`${text}${errors}${check(0, '1234')}`, 'lp64');
  t.equal(errorOf(programQuestion(modules, 'check_0'), 0, true), '__VERIFIER_error');
});
