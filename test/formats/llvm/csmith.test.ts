/**
 * Programs that Csmith makes (Yang, Chen, Eide, Regehr, Finding and Understanding Bugs in C Compilers, 2011) compute the same
 * checksum here as natively. Where Csmith, its headers or a C compiler are missing, nothing is tested.
 *
 * EUFORIA_CSMITH=N runs so many programs.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { Unknown } from '../../../src/sat/unknown.ts';
import { nativeCompiler } from '../../support/native.ts';
import { modulesOf, programQuestion, runOf } from '../../support/programs.ts';
import { chooseSeed } from '../../support/random.ts';

const PROGRAMS = Number(process.env.EUFORIA_CSMITH ?? 1);
const HEADERS = '/usr/include/csmith';

/** What there is to run within a second or two; volatile variables are choices to us. */
const SIZE = [
  '--no-argc',
  '--no-volatiles',
  '--max-funcs',
  '3',
  '--max-block-depth',
  '2',
  '--max-expr-complexity',
  '4',
];

const CHECKSUM = 'platform_main_end(crc32_context ^ 0xFFFFFFFFUL, print_hash_value);';

const folder = mkdtempSync(join(tmpdir(), 'euforia-'));
t.teardown(() => rmSync(folder, { recursive: true }));

function missing(): string | false {
  if (spawnSync('csmith', ['--version']).status !== 0) return 'there is no Csmith';
  return existsSync(join(HEADERS, 'csmith.h')) ? false : "there are no headers of Csmith's";
}

for (const model of ['ilp32', 'lp64'] as const) {
  const native = nativeCompiler(model);
  const reason = native === undefined ? `there is no C compiler for ${model}` : missing();
  t.test(model, { skip: reason }, async t => {
    const first = chooseSeed();
    t.comment(`seed ${first} (EUFORIA_SEED=${first} replays it)`);
    const headers = new Map(
      readdirSync(HEADERS)
        .filter(name => name.endsWith('.h'))
        .map(name => [`${HEADERS}/${name}`, readFileSync(join(HEADERS, name), 'utf8')]),
    );
    for (let i = 0; i < PROGRAMS; i++) {
      const seed = first + i;
      const { stdout } = spawnSync('csmith', ['--seed', String(seed), ...SIZE], { encoding: 'utf8' });
      const source = join(folder, 'a.c');
      writeFileSync(source, stdout);
      const flags = ['-I', HEADERS, '-fwrapv', '-fno-strict-aliasing'];
      const { output } = native?.([source], join(folder, 'a.out'), ...flags) ?? { output: '' };
      const sum = /^checksum = ([0-9A-F]+)$/m.exec(output)?.[1];
      if (sum === undefined) continue; // it does not end in time
      const ends = `if ((crc32_context ^ 0xFFFFFFFFUL) != 0x${sum}UL) __VERIFIER_error(); reach_error();`;
      const declared = 'void __VERIFIER_error(void), reach_error(void);\n';
      const text = declared + stdout.replace(CHECKSUM, ends);
      const modules = await modulesOf(text, model, new Set(), {
        folders: [HEADERS],
        lookUp: path => headers.get(path),
      });
      t.equal(errorOf(modules, seed), 'reach_error', `seed ${seed}, ${model}: the checksum is ${sum}`);
    }
  });
}

function errorOf(modules: Awaited<ReturnType<typeof modulesOf>>, seed: number): string {
  try {
    const question = programQuestion(modules, 'main', { slice: 'off', blocks: 'small' });
    const { ending, derivation } = runOf(question, { seed });
    const last = derivation.steps.at(-1)?.edge;
    const trap = last && question.traps?.get(last);
    if (ending !== 'violation' || trap !== undefined) return trap ?? ending;
    return JSON.parse(question.words.json(question.properties[0], derivation)).error.text;
  } catch (error) {
    if (error instanceof Unknown && error.reason === 'size') return 'reach_error'; // too large is no wrong answer
    throw error;
  }
}
