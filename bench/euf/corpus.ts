/** The part of the benchmark on other people's QF_UF files. */
import {
  everyOf,
  FILE_HEADS,
  fileCells,
  obstacle,
  readEntries,
  runCorpus,
  totalCells,
  verdicts,
  z3Time,
} from '../support/corpus.ts';
import { table } from '../support/table.ts';

const LOGIC = 'QF_UF';
const NOTABLE = 50; // ms of z3 from which a file counts
const QUICK_STRIDE = 4; // a quick run takes every so manieth of the files that counted when the list was made

export function benchCorpus(hasZ3: boolean, isQuick: boolean): string {
  const why = obstacle();
  if (why !== undefined) return `${LOGIC} corpus: ${why}`;
  const entries = (readEntries() ?? []).filter(entry => entry.logic === LOGIC);
  const quickEntries = everyOf(
    QUICK_STRIDE,
    entries.filter(entry => entry.z3Ms > NOTABLE),
  );
  const rows = runCorpus(isQuick ? quickEntries : entries, hasZ3, isQuick);
  const notable = rows.filter(row => z3Time(row) > NOTABLE);
  const lines = [
    [`${LOGIC} file (z3 over ${NOTABLE} ms)`, ...FILE_HEADS],
    ...notable.map(fileCells),
    [`total of these ${notable.length}`, '', ...totalCells(notable, hasZ3)],
    [`total of all ${rows.length}`, '', ...totalCells(rows, hasZ3)],
  ];
  return [table(lines, 2), verdicts(rows)].join('\n');
}
