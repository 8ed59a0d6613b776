/**
 * One measurement in a process of its own: `worker FORMAT FILE`. The time runs from opening the file to the last term;
 * it is that of the processor, garbage collection on other threads included, so that a busy machine does not matter much.
 * Memory is the peak of the process above what it had when it began, the text included.
 */
import { readFileSync } from 'node:fs';
import { readBtor2 } from '../../src/formats/btor2/reader.ts';
import { InputError } from '../../src/formats/diagnostic.ts';
import { readHorn } from '../../src/formats/horn/reader.ts';
import { ScriptReader } from '../../src/formats/smtlib/script.ts';
import { readVmt } from '../../src/formats/vmt/reader.ts';
import { TermStore } from '../../src/term/store.ts';
import type { ReadFormat } from './shapes.ts';

export interface ReadMeasured {
  readonly ms: number;
  readonly bytes: number;
  readonly lines: number;
  readonly terms: number;
  readonly memory: number; // megabytes
}

const [format, file] = process.argv.slice(2);
const before = process.memoryUsage.rss();
const start = process.cpuUsage();
const terms = new TermStore();
const text = readFileSync(file, 'utf8');
try {
  read(format as ReadFormat);
  const { user, system } = process.cpuUsage(start);
  const ms = (user + system) / 1000;
  const memory = process.resourceUsage().maxRSS / 1024 - before / 2 ** 20;
  let lines = 0;
  for (let i = text.indexOf('\n'); i >= 0; i = text.indexOf('\n', i + 1)) lines++;
  const measured: ReadMeasured = { ms, bytes: text.length, lines, terms: terms.size, memory };
  process.stdout.write(JSON.stringify(measured));
} catch (error) {
  if (!(error instanceof InputError)) throw error;
  process.stdout.write(JSON.stringify({ failure: error.message }));
}

function read(kind: ReadFormat): void {
  switch (kind) {
    case 'VMT':
      readVmt(terms, file, text, { strict: false, warn: () => {} });
      return;
    case 'Horn, SMT-LIB':
    case 'Horn, rules':
      readHorn(terms, file, text);
      return;
    case 'BTOR2':
      readBtor2(terms, file, text);
      return;
    case 'SMT-LIB': {
      const reader = new ScriptReader(terms, file, text);
      while (reader.next() !== undefined);
    }
  }
}
