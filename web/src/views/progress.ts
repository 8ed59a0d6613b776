/** How a search goes: who is at work, and how depth, cubes and lemmas grow, each engine in its colour. */
import { h, s } from '../dom.ts';
import { courses, type Sample } from '../text/samples.ts';

const WIDTH = 320;
const HEIGHT = 36;
const BAND = 10;

/** The numbers that say most, with what they are. */
const STATS: readonly (readonly [stat: string, meaning: string])[] = [
  ['depth', 'steps that the search looks ahead'],
  ['cubes', 'sets of states that were shown to be out of reach'],
  ['lemmas', 'facts that the abstraction was taught'],
];

/** Colours are classes `engine-0` to `engine-5`. */
const COLOURS = ['abstract', 'bounded', 'k-induction', 'walks', 'bits', 'predicates'];

export function colourOf(engine: string): string {
  const i = COLOURS.indexOf(engine);
  return i < 0 ? 'engine-other' : `engine-${i}`;
}

export function progressChart(samples: readonly Sample[], end: number): HTMLElement {
  const x = (time: number) => (end === 0 ? 0 : (WIDTH * Math.min(time, end)) / end).toFixed(1);
  const phases = [...new Set(samples.map(p => p.phase))];
  return h(
    'div',
    { class: 'progress-chart' },
    h('div', { class: 'spark-label', title: 'which engine has its turn' }, 'at work'),
    band(samples, x),
    h('div', { class: 'spark-value' }, `${end.toFixed(1)} s`),
    ...STATS.flatMap(([stat, meaning]) => sparkline(samples, stat, meaning, x)),
    h(
      'ul',
      { class: 'legend' },
      ...phases.map(phase => h('li', {}, h('span', { class: `dot ${colourOf(phase)}` }), phase)),
    ),
  );
}

function band(samples: readonly Sample[], x: (time: number) => string): SVGElement {
  const runs: { phase: string; from: number; to: number }[] = [];
  samples.forEach(({ time, phase }, i) => {
    const to = samples[i + 1]?.time ?? Number.POSITIVE_INFINITY;
    const last = runs.at(-1);
    if (last?.phase === phase) last.to = to;
    else runs.push({ phase, from: time, to });
  });
  return s(
    'svg',
    { viewBox: `0 0 ${WIDTH} ${BAND}`, preserveAspectRatio: 'none', class: 'band', 'aria-hidden': true },
    ...runs.map(({ phase, from, to }) =>
      s('rect', {
        x: x(from),
        width: Math.max(0, Number(x(to)) - Number(x(from))),
        y: 0,
        height: BAND,
        class: colourOf(phase),
      }),
    ),
  );
}

function sparkline(
  samples: readonly Sample[],
  stat: string,
  meaning: string,
  x: (time: number) => string,
): (HTMLElement | SVGElement)[] {
  const lines = [...courses(samples, stat)];
  const highest = Math.max(1, ...lines.flatMap(([, points]) => points.map(p => p.value)));
  const y = (value: number) => (HEIGHT - 2 - ((HEIGHT - 4) * value) / highest).toFixed(1);
  const latest = Math.max(0, ...lines.map(([, points]) => points.at(-1)?.value ?? 0));
  return [
    h('div', { class: 'spark-label', title: meaning }, stat),
    s(
      'svg',
      { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: 'none', class: 'spark', 'aria-hidden': true },
      ...lines.map(([engine, points]) => {
        const first = points[0];
        const steps = points.map((p, i) => `H${x(p.time)}${i === 0 ? '' : `V${y(p.value)}`}`);
        return s('path', {
          d: `M${x(first.time)} ${y(first.value)}${steps.join('')}H${WIDTH}`,
          class: `line ${colourOf(engine)}`,
        });
      }),
    ),
    h('div', { class: 'spark-value' }, lines.length === 0 ? '–' : latest.toLocaleString('en')),
  ];
}
