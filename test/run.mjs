/**
 * Runs the test files with tap and sums them up: a line per file, every failure in full, and last the
 * plain line `N passed, N failed` that continuous integration reads. Arguments are passed on to tap, so
 * `npm test -- test/sat` runs one folder.
 */
import { spawn } from 'node:child_process';
import { Parser } from 'tap-parser';

const counts = { pass: 0, fail: 0 };
const parser = new Parser();
parser.on('pass', () => counts.pass++);
parser.on('fail', result => {
  counts.fail++;
  console.log(`\nnot ok: ${result.fullname} > ${result.name}`);
  if (result.diag) console.log(JSON.stringify(result.diag, null, 2));
});
parser.on('assert', file => {
  const seconds = ((file.time ?? 0) / 1000).toFixed(1).padStart(6);
  console.log(`${file.ok ? 'ok    ' : 'FAILED'} ${seconds} s  ${file.name}`);
});
showSeeds(parser);

/** Randomised tests say their seed in a comment; it must reach the log, or a failure cannot be replayed. */
function showSeeds(level) {
  level.on('comment', text => /seed/.test(text) && console.log(text.trim()));
  level.on('child', showSeeds);
}

const tap = new URL('../node_modules/.bin/tap', import.meta.url).pathname;
const child = spawn(tap, ['--reporter=tap', ...process.argv.slice(2)], {
  stdio: ['ignore', 'pipe', 'inherit'],
});
child.stdout.pipe(parser);
const status = await new Promise(resolve => child.on('close', resolve));
if (status !== 0 && counts.fail === 0) counts.fail++; // tap itself broke: never let that pass for success
console.log(`${counts.pass} passed, ${counts.fail} failed`);
process.exitCode = counts.fail === 0 ? 0 : 1;
