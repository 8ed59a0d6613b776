import { writeFileSync } from 'node:fs';
import { makeStream, STREAM_LOGIC } from './stream.ts';
import { streamScript } from '../support/stream.ts';
const s = makeStream(Number(process.argv[2]));
const text = streamScript(STREAM_LOGIC, s, []);
writeFileSync('/tmp/bvstream.smt2', text);
const sizes = s.steps.flatMap(x => x.kind === 'ask' ? [x.assumptions.length] : []);
console.log(s.termCount, 'atoms', (text.match(/declare-const/g) ?? []).length, 'literals', sizes.reduce((a, b) => a + b) / sizes.length, Math.min(...sizes), Math.max(...sizes));
