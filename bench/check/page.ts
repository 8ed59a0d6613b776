/**
 * The page of a run: tables and figures in one file, which needs no network and no scripts. Tasks are listed in the
 * order in which one wants to look at them: what went wrong first, then what took longest.
 */
import { seconds } from '../support/table.ts';
import { type Curve, cactusPlot, type Point, scatterPlot } from './charts.ts';
import { escapeHtml } from './html.ts';
import {
  compare,
  comparisonText,
  type Grade,
  isCommon,
  isSolved,
  type Result,
  type Row,
  resultsOf,
  summaryTable,
} from './results.ts';

const URGENCY: readonly Grade[] = ['wrong', 'error', 'unknown', 'timeout', 'unlabelled', 'right', 'no peer'];

const STYLE = `
body { font: 15px/1.45 sans-serif; max-width: 75rem; margin: 2rem auto; padding: 0 1rem; color: #222; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: 0.1rem 0.7rem; text-align: right; border-bottom: 1px solid #eee; white-space: nowrap; }
th { border-bottom: 1px solid #888; position: sticky; top: 0; background: #fff; }
.text { text-align: left; }
.first td { border-top: 1px solid #888; }
figure { display: inline-block; margin: 0 1rem 1rem 0; vertical-align: top; }
figcaption { max-width: 28rem; color: #555; }
.wrong { background: #d33; color: #fff; }
.error { background: #fbd0c8; }
.unknown, .timeout { background: #fdecc8; }
.no-peer { color: #aaa; }
`;

export interface PageData {
  readonly rows: readonly Row[];
  readonly engines: readonly string[]; // the first is compared with all the others
  readonly limit: number; // s
  readonly remarks: readonly string[]; // how it was measured, and what was wrong
}

export function resultsPage({ rows, engines, limit, remarks }: PageData): string {
  const [ours, ...rivals] = engines;
  const comparisons = rivals.map(rival => comparisonText(compare(rows, ours, rival)));
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>euforia check</title>
<style>${STYLE}</style>
</head>
<body>
<h1>euforia check</h1>
${[...remarks, ...comparisons].map(text => `<p>${escapeHtml(text).replaceAll('\n', '<br>')}</p>`).join('\n')}
<h2>Families</h2>
${summaryHtml(summaryTable(rows, engines), engines.length)}
<h2>Figures</h2>
${cactusFigure(rows, engines, limit)}
${rivals.map(rival => scatterFigure(rows, ours, rival, limit)).join('\n')}
<h2>Tasks</h2>
${taskTable(rows, engines)}
</body>
</html>
`;
}

/** A line is drawn where a family begins. */
function summaryHtml([heads, ...lines]: readonly string[][], engineCount: number): string {
  const body = lines.map((line, i) => {
    const cells = line.map((cell, column) => td(cell, column < 2 ? 'text' : wrongClass(heads[column], cell)));
    return `<tr${i % engineCount === 0 ? ' class="first"' : ''}>${cells.join('')}</tr>`;
  });
  return tableHtml(heads, 2, body);
}

function wrongClass(head: string, cell: string): string {
  return head === 'wrong' && cell !== '' ? 'wrong' : '';
}

/** Only tasks that all engines were asked about: the others would lengthen some of the curves. */
function cactusFigure(rows: readonly Row[], engines: readonly string[], limit: number): string {
  const common = rows.filter(row => isCommon(row, engines));
  const curves = engines.map((name): Curve => {
    const solved = resultsOf(name, common).filter(isSolved);
    return { name, times: solved.map(({ ms }) => ms / 1000) };
  });
  return figure(
    cactusPlot(curves, limit),
    `How many of ${common.length} tasks each engine solves if every task may take so long, up to ${limit} s.` +
      (common.length < rows.length ? ' Tasks that some engine cannot be asked about are left out.' : ''),
  );
}

/** Points are tasks that one of the two solves and both were asked about. */
function scatterFigure(rows: readonly Row[], ours: string, rival: string, limit: number): string {
  const points = rows.flatMap(({ task, results }): Point[] => {
    const [theirs, our] = [results.get(rival), results.get(ours)];
    if (theirs === undefined || our === undefined || theirs.grade === 'no peer') return [];
    const solved = [our, theirs].find(isSolved);
    if (solved === undefined) return [];
    const kind = solved.verdict === 'safe' ? 'safe' : 'unsafe';
    return [{ task: task.path, kind, x: solvedTime(theirs), y: solvedTime(our) }];
  });
  return figure(
    scatterPlot(points, rival, ours, limit),
    `Time of ${ours} against ${rival}, a point a task: below the diagonal ${ours} is faster. ` +
      `Beyond the dashed lines are tasks that one of them does not solve in ${limit} s.`,
  );
}

function solvedTime(result: Result): number | undefined {
  return isSolved(result) ? result.ms / 1000 : undefined;
}

function figure(svg: string, caption: string): string {
  return `<figure>${svg}<figcaption>${escapeHtml(caption)}</figcaption></figure>`;
}

function taskTable(rows: readonly Row[], engines: readonly string[]): string {
  const first = (row: Row) => row.results.get(engines[0]);
  const urgency = (row: Row) => URGENCY.indexOf(first(row)?.grade ?? 'no peer');
  const sorted = [...rows].sort(
    (a, b) => urgency(a) - urgency(b) || (first(b)?.ms ?? 0) - (first(a)?.ms ?? 0),
  );
  const body = sorted.map(({ task, results }) => {
    const cells = engines.flatMap(name => resultCells(results.get(name)));
    const expected = task.expected === 'unknown' ? '' : `${task.expected} ${task.trust}`;
    return `<tr>${[td(task.path, 'text'), td(expected, 'text'), ...cells].join('')}</tr>`;
  });
  return tableHtml(['task', 'expected', ...engines.flatMap(name => [name, 's'])], 2, body);
}

/** The verdict, with what is known about a missing one shown when pointed at, and the time. */
function resultCells(result: Result | undefined): string[] {
  if (result === undefined) return [td('', ''), td('', '')];
  const { verdict, grade, ms, note } = result;
  const name = grade.replace(' ', '-');
  const title = note === '' ? '' : ` title="${escapeHtml(note)}"`;
  const shown = grade === 'timeout' ? 'timeout' : verdict;
  return [`<td class="${name}"${title}>${shown}</td>`, td(grade === 'no peer' ? '' : seconds(ms), '')];
}

function td(text: string, className: string): string {
  return `<td${className === '' ? '' : ` class="${className}"`}>${escapeHtml(text)}</td>`;
}

/** The first columns are text. */
function tableHtml(heads: readonly string[], textColumns: number, body: readonly string[]): string {
  const cells = heads.map(
    (head, i) => `<th${i < textColumns ? ' class="text"' : ''}>${escapeHtml(head)}</th>`,
  );
  return `<table>\n<thead><tr>${cells.join('')}</tr></thead>\n<tbody>\n${body.join('\n')}\n</tbody>\n</table>`;
}
