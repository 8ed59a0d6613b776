/**
 * `npm run bench -- many [--quick]`: many small files. Our checker in one call, in one call with two threads and in a call for each,
 * beside z3's Spacer in a call for each, on the same files: Horn clauses of the corpus, and its transition systems and circuits as
 * `convert` writes them. They are the smallest that both tools answer within the time limit, so that hardly any time limit is in the totals.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { InputError } from '../../src/formats/diagnostic.ts';
import { writeHorn } from '../../src/formats/horn/writer.ts';
import { NotExpressible } from '../../src/formats/not-expressible.ts';
import { readQuestion } from '../../src/formats/read.ts';
import { spacerAnswer, type Verdict } from '../check/engines.ts';
import { readTasks, type Task, taskFile } from '../check/tasks.ts';
import { hasZ3 } from '../support/process.ts';
import { ratio, seconds, table } from '../support/table.ts';

const COMMAND = 'dist/euforia.cjs';
const LIMIT = 1; // s for each file
const LARGEST = 20_000; // bytes of a file
const COUNT = 200;
const QUICK_COUNT = 40;
const ROUNDS = 2; // of which the better counts
const OUTPUT_LIMIT = 1 << 28; // bytes

interface Small {
  readonly file: string;
  readonly format: 'chc' | 'chc-rel';
}

interface Measured {
  readonly ms: number;
  readonly verdicts: readonly Verdict[];
}

export async function benchMany(args: readonly string[]): Promise<void> {
  const tasks = readTasks();
  const obstacle =
    tasks === undefined
      ? 'the corpus is not there'
      : !hasZ3()
        ? 'z3 is not installed'
        : existsSync(COMMAND)
          ? undefined
          : 'run `npm run build` first';
  if (tasks === undefined || obstacle !== undefined) {
    console.log(`skipped, ${obstacle}`);
    return;
  }
  const folder = mkdtempSync(join(process.cwd(), 'node_modules', '.bench-'));
  try {
    const count = args.includes('--quick') ? QUICK_COUNT : COUNT;
    report(measureAll(chosen(tasks, count, folder)));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

// ---- the files ----

/** The smallest that both answer. */
function chosen(tasks: readonly Task[], count: number, folder: string): Small[] {
  const all = tasks
    .flatMap(task => asHorn(task, folder) ?? [])
    .map(small => ({ small, bytes: statSync(small.file).size }))
    .filter(({ bytes }) => bytes <= LARGEST)
    .sort((a, b) => a.bytes - b.bytes || (a.small.file < b.small.file ? -1 : 1))
    .map(({ small }) => small);
  const found: Small[] = [];
  for (let i = 0; i < all.length && found.length < count; i += count) {
    const some = all.slice(i, i + count);
    const { verdicts } = oneCall(some, []);
    for (const small of some.filter((_, j) => isAnswer(verdicts[j]))) {
      if (found.length < count && isAnswer(spacer(small))) found.push(small);
      process.stderr.write('.');
    }
  }
  process.stderr.write('\n');
  return found;
}

/** Nothing if it cannot be said in Horn clauses, or would be too large. */
function asHorn(task: Task, folder: string): Small | undefined {
  const { format, path } = task;
  const source = taskFile(task);
  if (format === 'chc' || format === 'chc-rel') return { file: source, format };
  if ((format !== 'vmt' && format !== 'btor2') || statSync(source).size > LARGEST) return undefined;
  try {
    const options = { strict: false, warn: () => {}, budget: {} };
    const { system } = readQuestion(source, readFileSync(source, 'utf8'), options);
    const file = join(folder, `${path.replaceAll('/', '_')}.smt2`);
    writeFileSync(file, writeHorn(system()));
    return { file, format: 'chc' };
  } catch (error) {
    if (error instanceof InputError || error instanceof NotExpressible) return undefined;
    throw error;
  }
}

function isAnswer(verdict: Verdict): boolean {
  return verdict === 'safe' || verdict === 'unsafe';
}

// ---- measuring ----

function measureAll(files: readonly Small[]): Record<string, Measured> {
  const ways: Record<string, () => Measured> = {
    'euforia, one call': () => oneCall(files, []),
    'euforia, one call, --jobs 2': () => oneCall(files, ['--jobs', '2']),
    'euforia, a call a file': () => callForEach(files, file => oneCall([file], []).verdicts[0]),
    'Spacer, a call a file': () => callForEach(files, spacer),
  };
  const best: Record<string, Measured> = {};
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, measure] of Object.entries(ways)) {
      const measured = measure();
      if (measured.ms < (best[name]?.ms ?? Number.POSITIVE_INFINITY)) best[name] = measured;
    }
  }
  return best;
}

function oneCall(files: readonly Small[], options: readonly string[]): Measured {
  const start = performance.now();
  const paths = files.map(f => f.file);
  const args = [COMMAND, 'check', ...paths, '--json', '--timeout', String(LIMIT), ...options];
  const { stdout } = spawnSync(process.execPath, args, { encoding: 'utf8', maxBuffer: OUTPUT_LIMIT });
  const ms = performance.now() - start;
  const objects = files.length === 1 ? [stdout] : stdout.trimEnd().split('\n');
  const verdicts = objects.map(text => (text === '' ? 'error' : (JSON.parse(text).verdict ?? 'error')));
  return { ms, verdicts };
}

function callForEach(files: readonly Small[], ask: (file: Small) => Verdict): Measured {
  const start = performance.now();
  const verdicts = files.map(ask);
  return { ms: performance.now() - start, verdicts };
}

function spacer({ file, format }: Small): Verdict {
  const { stdout, stderr } = spawnSync('z3', [`-T:${LIMIT}`, file], { encoding: 'utf8' });
  return spacerAnswer(format, { ms: 0, stdout, stderr, failure: undefined }).verdict;
}

function report(measured: Record<string, Measured>): void {
  const names = Object.keys(measured);
  const peer = measured[names[names.length - 1]];
  const count = (m: Measured, verdict: Verdict) => String(m.verdicts.filter(v => v === verdict).length);
  const rows = names.map(name => {
    const m = measured[name];
    return [name, count(m, 'safe'), count(m, 'unsafe'), seconds(m.ms), ratio(m.ms, peer.ms)];
  });
  console.log(`${peer.verdicts.length} files, ${LIMIT} s each, the better of ${ROUNDS} rounds`);
  console.log(table([['', 'safe', 'unsafe', 's', '/ Spacer'], ...rows], 1));
  const wrong = names.filter(name =>
    measured[name].verdicts.some(
      (v, i) => isAnswer(v) && isAnswer(peer.verdicts[i]) && v !== peer.verdicts[i],
    ),
  );
  if (wrong.length === 0) return;
  console.log(`another verdict than Spacer's: ${wrong.join(', ')}`);
  process.exitCode = 1;
}
