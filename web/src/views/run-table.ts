/** A run as a table, in the way of its format: states step by step, lines of a program, or clauses that derive one another. */
import { type Child, h } from '../dom.ts';
import type { ClauseRun, ProgramRun, Run, SystemRun } from '../text/run.ts';
import { treesOf } from '../text/tree.ts';
import { valueText } from '../text/values.ts';

/** What the table may ask of the page. */
export interface Source {
  readonly line: (number: number) => string | undefined;
  readonly goTo: (number: number) => void;
}

/** Longer ones are shown up to here. */
const MOST_STEPS = 500;
const MOST_CHARACTERS = 60;

export function runTable(run: Run, source: Source): HTMLElement {
  switch (run.format) {
    case 'euforia-trace':
      return systemTable(run);
    case 'euforia-program-run':
      return programTable(run, source);
    case 'euforia-derivation':
      return clauseTable(run, source);
  }
}

function systemTable({ steps }: SystemRun): HTMLElement {
  const columns = (['state', 'input'] as const).flatMap(kind =>
    Object.keys(steps[0]?.[kind] ?? {}).map(name => ({ kind, name })),
  );
  const rows = steps.slice(0, MOST_STEPS).map((step, i) => {
    const cells = columns.map(({ kind, name }) => {
      const value = step[kind][name];
      const isSame = i > 0 && steps[i - 1][kind][name] === value;
      return h(
        'td',
        { class: isSame ? 'same' : 'changed', title: value },
        short(valueText(treesOf(value)[0])),
      );
    });
    const isLast = i === steps.length - 1;
    return h(
      'tr',
      { class: isLast ? 'violation' : undefined },
      h('th', { scope: 'row' }, String(i)),
      ...cells,
    );
  });
  const heads = columns.map(({ kind, name }) =>
    h('th', { scope: 'col', title: name }, h('span', { class: 'column-kind' }, kind), short(name, 24)),
  );
  return framed(
    ['step'],
    heads,
    rows,
    steps.length,
    'Values that stay the same are pale; the last step violates the property.',
  );
}

function programTable({ steps, error }: ProgramRun, source: Source): HTMLElement {
  const row = (line: number | null, text: Child, className?: string) =>
    h(
      'tr',
      { class: className },
      h('td', {}, lineButton(line, source)),
      h('td', { class: 'code' }, line === null ? '' : (source.line(line)?.trim() ?? '')),
      h('td', { class: 'event' }, text),
    );
  const rows = steps.slice(0, MOST_STEPS).map(({ line, text }) => row(line, text));
  const what = error.text ?? 'an error';
  const end = `${what} ${what.startsWith('assert(') ? 'fails' : 'is reached'}`;
  const heads = [
    h('th', { scope: 'col', class: 'code' }, 'the program'),
    h('th', { scope: 'col' }, 'what happens'),
  ];
  return framed(['line'], heads, [...rows, row(error.line, end, 'violation')], steps.length);
}

function clauseTable({ steps }: ClauseRun, source: Source): HTMLElement {
  const rows = steps.slice(0, MOST_STEPS).map(({ line, values, premises, derives }, i) => {
    const given = Object.entries(values).map(([name, v]) => `${name} = ${valueText(treesOf(v)[0])}`);
    return h(
      'tr',
      { class: i === steps.length - 1 ? 'violation' : undefined },
      h('th', { scope: 'row' }, String(i)),
      h('td', {}, lineButton(line, source)),
      h('td', { class: 'event' }, derives === 'false' ? 'the query' : derives),
      h('td', { class: 'event' }, short(given.join(', '))),
      h('td', {}, premises.join(', ')),
    );
  });
  const heads = ['line', 'derives', 'with', 'from step'].map(name => h('th', { scope: 'col' }, name));
  return framed(['step'], heads, rows, steps.length);
}

function lineButton(line: number | null, { goTo }: Source): Child {
  if (line === null) return undefined;
  return h(
    'button',
    { type: 'button', class: 'link', title: `go to line ${line}`, onclick: () => goTo(line) },
    String(line),
  );
}

function framed(
  first: readonly string[],
  heads: readonly HTMLElement[],
  rows: readonly HTMLElement[],
  steps: number,
  note?: string,
): HTMLElement {
  const more = steps > MOST_STEPS ? `The first ${MOST_STEPS} of ${steps} steps; the download has all. ` : '';
  return h(
    'figure',
    { class: 'framed' },
    h(
      'div',
      { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'the run as a table' },
      h(
        'table',
        { class: 'run' },
        h('thead', {}, h('tr', {}, ...first.map(f => h('th', { scope: 'col' }, f)), ...heads)),
        h('tbody', {}, ...rows),
      ),
    ),
    more === '' && note === undefined ? undefined : h('figcaption', {}, `${more}${note ?? ''}`),
  );
}

function short(text: string, most = MOST_CHARACTERS): string {
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
}
