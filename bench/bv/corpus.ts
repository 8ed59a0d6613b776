/** The part of the benchmark on other people's files: how many are solved in time, and how fast against z3. */
import {
  type Entry,
  everyOf,
  FILE_HEADS,
  fileCells,
  isSolved,
  obstacle,
  type Row,
  readEntries,
  runCorpus,
  TIME_LIMIT,
  totalCells,
  verdicts,
  z3Time,
} from '../support/corpus.ts';
import { geometricMean, table } from '../support/table.ts';

const LOGICS = ['QF_BV', 'QF_ABV'];
const OTHER_LOGICS = ['QF_AUFBV', 'QF_UFBV', 'QF_AX'];
const NOTABLE = 100; // ms of z3 from which a file counts in the means
const QUICK_STRIDE = 10; // a quick run takes every so manieth of the files that counted when the list was made

export interface CorpusOptions {
  readonly hasZ3: boolean;
  readonly isQuick: boolean;
  readonly withOtherLogics: boolean;
  readonly isWanted: (entry: Entry) => boolean;
}

export function benchCorpus({ hasZ3, isQuick, withOtherLogics, isWanted }: CorpusOptions): string {
  const why = obstacle();
  if (why !== undefined) return `corpus: ${why}`;
  const logics = withOtherLogics ? [...LOGICS, ...OTHER_LOGICS] : LOGICS;
  const entries = (readEntries() ?? []).filter(entry => logics.includes(entry.logic) && isWanted(entry));
  const quickEntries = everyOf(
    QUICK_STRIDE,
    entries.filter(entry => entry.z3Ms > NOTABLE),
  );
  const rows = runCorpus(isQuick ? quickEntries : entries, hasZ3, isQuick);
  const goalRows = rows.filter(row => LOGICS.includes(row.entry.logic));
  return [notableTable(goalRows), logicTable(rows, logics, hasZ3), verdicts(rows)].join('\n\n');
}

/** The files that take z3 some time, one by one, and the means of the ratios. */
function notableTable(rows: readonly Row[]): string {
  const notable = rows.filter(row => z3Time(row) > NOTABLE);
  const both = notable.filter(row => isSolved(row.entry, row.ours) && isSolvedByZ3(row));
  const either = notable.filter(row => isSolved(row.entry, row.ours) || isSolvedByZ3(row));
  const faster = both.flatMap(({ ours, z3 }) => (z3 === undefined ? [] : [ours.ms / z3.ms]));
  const limited = either.flatMap(row => {
    const ours = isSolved(row.entry, row.ours) ? row.ours.ms : TIME_LIMIT;
    return row.z3 === undefined ? [] : [ours / (isSolvedByZ3(row) ? row.z3.ms : TIME_LIMIT)];
  });
  const lines = [
    [`${LOGICS.join(', ')} file (z3 over ${NOTABLE} ms)`, ...FILE_HEADS],
    ...notable.map(fileCells),
    [`geometric mean of ${faster.length} that both solve`, '', '', '', geometricMean(faster)],
    [
      `geometric mean of ${limited.length} that either solves, the other at the limit`,
      '',
      '',
      '',
      geometricMean(limited),
    ],
  ];
  return table(lines, 2);
}

function isSolvedByZ3({ entry, z3 }: Row): boolean {
  return z3 !== undefined && isSolved(entry, z3);
}

/** How many files of each logic are solved, and in what time. */
function logicTable(rows: readonly Row[], logics: readonly string[], hasZ3: boolean): string {
  const line = (name: string, of: readonly Row[]) => [
    name,
    String(of.length),
    String(of.filter(({ entry, ours }) => isSolved(entry, ours)).length),
    hasZ3 ? String(of.filter(isSolvedByZ3).length) : '',
    ...totalCells(of, hasZ3),
  ];
  const inLogics = (some: readonly string[]) => rows.filter(row => some.includes(row.entry.logic));
  const present = logics.filter(logic => inLogics([logic]).length > 0);
  const limit = `${TIME_LIMIT / 1000} s`;
  const heads = ['logic', 'files', `euforia in ${limit}`, `z3 in ${limit}`, 'euforia s', 'z3 s', '/ z3'];
  const lines = present.map(logic => line(logic, inLogics([logic])));
  const goal = inLogics(LOGICS);
  return table([heads, ...lines, ...(goal.length > 0 ? [line(LOGICS.join(', '), goal)] : [])], 1);
}
