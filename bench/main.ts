/** `npm run bench -- NAME [options]`: runs one of the benchmarks. */
import { benchBv } from './bv/run.ts';
import { benchCalls } from './calls/run.ts';
import { benchCheck } from './check/run.ts';
import { benchEuf } from './euf/run.ts';
import { benchMany } from './many/run.ts';
import { benchRead } from './read/run.ts';
import { benchSat } from './sat/run.ts';

const BENCHMARKS: Record<string, (args: readonly string[]) => Promise<void>> = {
  bv: benchBv,
  calls: benchCalls,
  check: benchCheck,
  euf: benchEuf,
  many: benchMany,
  sat: benchSat,
  read: benchRead,
};

const [name, ...args] = process.argv.slice(2);
const benchmark = name === undefined ? undefined : BENCHMARKS[name];
if (benchmark === undefined) {
  console.error(`usage: npm run bench -- ${Object.keys(BENCHMARKS).join('|')} [--quick]`);
  process.exitCode = 2;
} else {
  await benchmark(args);
}
