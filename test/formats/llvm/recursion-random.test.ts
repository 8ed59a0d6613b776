/**
 * Random programs with functions that call themselves and each other, with errors in them, globals, loops and pointers to locals of callers:
 * natively they print a checksum or come to an error, and their problem, interpreted call by call, must come to the same.
 *
 * EUFORIA_PROGRAMS=N runs so many of them. They need a C compiler.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { DEFAULT_LLVM_OPTIONS } from '../../../src/formats/llvm/front-end.ts';
import { GraphBuilder, type ProgramGraph } from '../../../src/formats/llvm/graph.ts';
import { readProgram } from '../../../src/formats/llvm/link.ts';
import { Memory } from '../../../src/formats/llvm/memory.ts';
import { Operations } from '../../../src/formats/llvm/operations.ts';
import { PointsTo } from '../../../src/formats/llvm/points-to.ts';
import { programFlow } from '../../../src/formats/llvm/program-flow.ts';
import { Checkpoint } from '../../../src/sat/checkpoint.ts';
import { Rewriter } from '../../../src/term/rewrite/rewriter.ts';
import { TermStore } from '../../../src/term/store.ts';
import { nativeCompiler } from '../../support/native.ts';
import { ProgramInterpreter, TooDeep } from '../../support/program-interpreter.ts';
import { modulesOf } from '../../support/programs.ts';
import { chooseSeed, Random } from '../../support/random.ts';

const PROGRAMS = Number(process.env.EUFORIA_PROGRAMS ?? 24);

async function graphOf(text: string, blocks: 'small' | 'large', slice: 'on' | 'off'): Promise<ProgramGraph> {
  const checkpoint = new Checkpoint();
  const module = readProgram('a.c', await modulesOf(text), checkpoint);
  const flow = programFlow(module, { ...DEFAULT_LLVM_OPTIONS, slice }, checkpoint);
  const pointsTo = new PointsTo(flow);
  const terms = new TermStore();
  const operations = new Operations(terms, new Rewriter(terms));
  const memory = new Memory(flow, pointsTo);
  return new GraphBuilder(flow, pointsTo, memory, operations, blocks, checkpoint).build();
}

/** Functions that count down, so that all calls end. */
class Programs {
  private readonly random: Random;
  private count = 0;

  constructor(random: Random) {
    this.random = random;
  }

  next(): string {
    this.count = 1 + this.random.below(3);
    const usesPointers = this.random.below(2) === 0;
    const pointer = usesPointers ? ', int *p' : '';
    const names = Array.from({ length: this.count }, (_, i) => `f${i}`);
    return `
int g = ${this.random.below(10)}, h;
${names.map(f => `int ${f}(unsigned n, int a${pointer});`).join('\n')}
${names.map(f => this.function(f, pointer, usesPointers)).join('\n')}
unsigned sum(void) {
  int y = ${this.random.below(10)};
  int r = ${this.call('2u + (y & 1)', usesPointers ? ['&y', '&g'] : [], 'y')};
  for (int i = 0; i < 2; i++) r = 3 * r + ${this.call('1u', usesPointers ? ['&y', '&h'] : [], 'r')};
  return r * 31u + g * 17u + h * 5u + y;
}
`;
  }

  private function(name: string, pointer: string, usesPointers: boolean): string {
    const scalars = ['a', 'x', 'g', 'h', '(int)n', ...(usesPointers ? ['*p', 'z'] : [])];
    const targets = usesPointers ? ['p', '&x', '&z', '&g', '&h'] : [];
    const statements = Array.from({ length: 2 + this.random.below(4) }, () =>
      this.statement(scalars, targets),
    );
    return `int ${name}(unsigned n, int a${pointer}) {
  int x = ${this.expression(scalars.filter(s => s !== 'x' && s !== 'z'))};${usesPointers ? ` int z = ${this.random.below(5)};` : ''}
  if (n == 0) ${this.random.below(2) === 0 ? `{ g += a; return x; }` : `return ${this.expression(scalars)};`}
${statements.map(s => `  ${s}\n`).join('')}  return ${this.expression(scalars)};
}`;
  }

  private statement(scalars: readonly string[], targets: readonly string[]): string {
    const assigned = this.oneOf(['x', 'g', 'h', ...(targets.length > 0 ? ['*p', 'z'] : [])]);
    const called = this.call('n - 1', targets, this.expression(scalars));
    switch (this.random.below(7)) {
      case 0:
        return `if (${this.oneOf(scalars)} == ${this.random.below(60)}) reach_error();`;
      case 1:
        return `${assigned} = ${this.expression(scalars)};`;
      case 2:
        return `if (${this.oneOf(scalars)} & 1) ${assigned} = ${called}; else g++;`;
      case 3:
        return `for (int i = 0; i < 2; i++) { int t = ${called}; x += t + i; }`;
      default:
        return `{ int t = ${called}; ${assigned} = t + ${this.oneOf(scalars)}; }`;
    }
  }

  private call(n: string, targets: readonly string[], a: string): string {
    const pointer = targets.length > 0 ? `, ${this.oneOf(targets)}` : '';
    return `f${this.random.below(this.count)}(${n}, ${a}${pointer})`;
  }

  private expression(scalars: readonly string[]): string {
    const operator = this.oneOf(['+', '-', '^', '*', '&']);
    return `${this.oneOf(scalars)} ${operator} ${this.random.below(2) === 0 ? this.oneOf(scalars) : this.random.below(9)}`;
  }

  private oneOf(texts: readonly string[]): string {
    return texts[this.random.below(texts.length)];
  }
}

/** Undefined if the interpreter cannot tell. */
function errorsOf(graph: ProgramGraph): string[] | undefined {
  try {
    return [...new ProgramInterpreter(graph).errors()];
  } catch (error) {
    if (error instanceof TooDeep) return undefined;
    throw error;
  }
}

const native = nativeCompiler('lp64');
const folder = mkdtempSync(join(tmpdir(), 'euforia-'));
t.teardown(() => rmSync(folder, { recursive: true }));

t.test('calls', { skip: native === undefined ? 'there is no C compiler' : false }, async t => {
  const seed = chooseSeed();
  t.comment(`seed ${seed} (EUFORIA_SEED=${seed} replays it)`);
  const random = new Random(seed);
  const programs = new Programs(random);
  let [errors, sums, skipped] = [0, 0, 0];
  for (let i = 0; i < PROGRAMS; i++) {
    const text = programs.next();
    const file = join(folder, 'a.c');
    writeFileSync(
      file,
      `#include <stdio.h>\n#include <stdlib.h>\nvoid reach_error(void) { puts("error"); exit(0); }\n${text}
int main(void) { printf("%uu\\n", sum()); return 0; }\n`,
    );
    const output = native?.([file], join(folder, 'a.out'), '-fwrapv').output.trim() ?? '';
    const isError = output === 'error';
    if (isError) errors++;
    else sums++;
    const checked = `extern void reach_error(void); extern void __VERIFIER_error(void);\n${text}
int main(void) { if (sum() == ${isError ? '0' : output}) __VERIFIER_error(); return 0; }\n`;
    const options = {
      blocks: random.below(2) === 0 ? 'small' : 'large',
      slice: random.below(3) === 0 ? 'on' : 'off',
    } as const;
    const graph = await graphOf(checked, options.blocks, options.slice);
    const found = errorsOf(graph);
    if (found === undefined) {
      skipped++;
      continue;
    }
    const isRight = t.strictSame(
      found,
      [isError ? 'reach_error' : '__VERIFIER_error'],
      `program ${i}, ${options.blocks} blocks, slice ${options.slice}, natively ${output}`,
    );
    if (!isRight) t.comment(checked);
  }
  t.comment(`${errors} come to an error, ${sums} to a sum`);
  t.ok(skipped <= PROGRAMS / 4, `${skipped} were beyond the interpreter`);
});
