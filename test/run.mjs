/**
 * Runs the test files, two at a time and each in a process of its own, and sums them up: a line per file, every failure in full,
 * and last the plain line `N passed, N failed` that continuous integration reads. Arguments are files or folders, and
 * what begins with a dash is passed on to them: `npm test -- test/sat` runs one folder.
 *
 * Tap's own runner would do the same, but costs three seconds of processor time for each file, a third of the whole.
 */
import { spawn } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Parser } from 'tap-parser';

const JOBS = 2;
const TIME_LIMIT = 300; // seconds that a file may take

/** What takes longest comes first, so that nothing is left to wait for at the end. */
const FIRST = 'test/planted.test.ts';

const root = new URL('..', import.meta.url).pathname;
const args = process.argv.slice(2);
const flags = args.filter(a => a.startsWith('-'));
const places = args.filter(a => !a.startsWith('-'));
const files = (places.length === 0 ? ['test'] : places).flatMap(testFiles);
let passed = 0;
let failed = 0;

function testFiles(place) {
  if (!statSync(join(root, place)).isDirectory()) return [place];
  const found = readdirSync(join(root, place), { recursive: true }).filter(f => f.endsWith('.test.ts'));
  return found.map(f => join(place, f)).sort((a, b) => (b === FIRST) - (a === FIRST) || (a < b ? -1 : 1));
}

function fail(what, details) {
  failed++;
  console.log(`\nnot ok: ${what}`);
  if (details) console.log(JSON.stringify(details, null, 2));
}

/** Randomised tests say their seed in a comment; it must reach the log, or a failure cannot be replayed. */
function showSeeds(level) {
  level.on('comment', text => /seed/.test(text) && console.log(text.trim()));
  level.on('child', showSeeds);
}

async function run(file) {
  const start = performance.now();
  const child = spawn(process.execPath, ['--import=tsx', file, ...flags], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, TAP_TIMEOUT: String(TIME_LIMIT) },
  });
  const timer = setTimeout(() => child.kill('SIGKILL'), 1000 * (TIME_LIMIT + 10));
  const parser = new Parser();
  let isOk = true;
  parser.on('pass', () => passed++);
  parser.on('fail', result => {
    isOk = false;
    fail(`${file} > ${result.fullname}`, result.diag);
  });
  showSeeds(parser);
  child.stdout.pipe(parser);
  const [results, ending] = await Promise.all([
    new Promise(resolve => parser.on('complete', resolve)),
    new Promise(resolve => child.on('close', (status, signal) => resolve(signal ?? `status ${status}`))),
  ]);
  clearTimeout(timer);
  // A file that breaks off or tests nothing must never pass for success.
  const isEmpty = results.count === 0;
  if (isOk && (ending !== 'status 0' || !results.ok || isEmpty)) {
    isOk = false;
    fail(`${file} ends with ${ending}${isEmpty ? ' and tests nothing' : ''}`);
  }
  const seconds = ((performance.now() - start) / 1000).toFixed(1).padStart(6);
  console.log(`${isOk ? 'ok    ' : 'FAILED'} ${seconds} s  ${file}`);
}

async function work() {
  for (let file = files.shift(); file !== undefined; file = files.shift()) await run(file);
}

if (files.length === 0) fail('there is no test file');
await Promise.all(Array.from({ length: JOBS }, work));
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
