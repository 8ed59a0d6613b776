/** One model in several formats has one verdict: our examples converted, and the same hardware as others have written it. */
import { existsSync, readFileSync } from 'node:fs';
import t from 'tap';
import { check } from '../../src/api.ts';
import type { System } from '../../src/core/problem/system.ts';
import { writeBtor2 } from '../../src/formats/btor2/writer.ts';
import { writeHorn } from '../../src/formats/horn/writer.ts';
import { readQuestion } from '../../src/formats/read.ts';
import { writeVmt } from '../../src/formats/vmt/writer.ts';

const path = (name: string) => new URL(`../../${name}`, import.meta.url).pathname;

/** Files with a property and whether it holds, by what the file's comments argue. */
const EXAMPLES: readonly (readonly [file: string, property: number, verdict: 'safe' | 'unsafe'])[] = [
  ['examples/counter.vmt', 0, 'safe'],
  ['examples/counter.vmt', 1, 'unsafe'],
  ['examples/memory.btor2', 0, 'safe'],
  ['examples/handshake.btor2', 0, 'safe'],
  ['examples/handshake.btor2', 1, 'unsafe'],
  ['examples/two-loops.smt2', 0, 'safe'],
  ['examples/lag.vmt', 0, 'safe'],
  ['examples/store.vmt', 0, 'safe'],
  ['examples/traffic-rules.smt2', 0, 'unsafe'],
  ['examples/traffic-rules.smt2', 1, 'safe'],
];

const WRITERS: Readonly<Record<string, (system: System) => string>> = {
  vmt: writeVmt,
  chc: writeHorn,
  btor2: writeBtor2,
};

t.test('our examples keep their verdicts in every format', async t => {
  for (const [file, index, verdict] of EXAMPLES) {
    const options = { strict: true, warn: t.comment };
    const system = readQuestion(file, readFileSync(path(file), 'utf8'), options).system();
    const one = { ...system, properties: system.properties.filter(p => p.index === index) };
    for (const [format, write] of Object.entries(WRITERS)) {
      const result = await check(write(one), { file: `${file}.${format}`, timeout: 60 });
      t.equal(result.verdict, verdict, `${file}, property ${index}, as ${format}`);
    }
  }
});

/** Models of HWMCC 2019 that are small enough for a test; all are safe by the corpus's own account. */
const HARDWARE = [
  'bv-goel-industry-gen43-gen43',
  'bv-goel-industry-mul4-mul4',
  'bv-goel-opensource-vcegar_QF_BV_itc99_b13_p06-vcegar_QF_BV_itc99_b13_p06',
];

t.test('the same hardware in four formats', async t => {
  const corpus = path('../shared/corpus');
  if (!existsSync(corpus)) {
    t.comment('the corpus is absent');
    t.end();
    return;
  }
  for (const name of HARDWARE) {
    const files = [
      `btor2/hwmcc19-4fmt/${name}.btor2`,
      `vmt/hwmcc19/${name}.vmt`,
      `chc/hwmcc19-horn/${name}.smt2`,
      `chc/hwmcc19-rel/${name}.smt2`,
    ].filter(file => existsSync(`${corpus}/${file}`));
    t.ok(files.length > 1, `${name} is there in ${files.length} formats`);
    for (const file of files) {
      const result = await check(readFileSync(`${corpus}/${file}`, 'utf8'), { file, timeout: 60 });
      t.equal(result.verdict, 'safe', file);
    }
  }
});
