/** A run as hardware engineers like to see it: a line for each bit, a band for each number, time to the right. */
import { h, s } from '../dom.ts';
import type { Signal, Waves } from '../text/signals.ts';

const ROW = 28;
const TOP = 22;
const PAD = 6; // above and below a signal in its row
const SLANT = 4;
const CHARACTER = 7.2;
const NARROWEST = 42;
const WIDEST = 150;
/** What a person can look at; the download has all. */
const MOST_SIGNALS = 80;
const MOST_STEPS = 400;

export function waveform({ signals, steps }: Waves): HTMLElement {
  const shown = signals.slice(0, MOST_SIGNALS);
  const count = Math.min(steps, MOST_STEPS);
  const needed = Math.max(...shown.flatMap(signal => spans(signal, count).map(widthOfStep)));
  const unit = Math.min(WIDEST, Math.max(NARROWEST, needed));
  const [width, height] = [count * unit + 1, TOP + shown.length * ROW];
  const grid = Array.from({ length: count }, (_, i) => [
    s('line', { x1: i * unit, x2: i * unit, y1: TOP, y2: height, class: 'grid' }),
    s('text', { x: i * unit + unit / 2, y: TOP - 8, class: 'time', 'text-anchor': 'middle' }, String(i)),
  ]).flat();
  const rows = shown.map((signal, i) =>
    s(
      'g',
      { transform: `translate(0 ${TOP + i * ROW})`, class: `signal wave-${signal.kind}` },
      ...drawn(signal, count, unit),
    ),
  );
  const names = shown.map(({ name, kind }) =>
    h('li', { class: `wave-${kind}`, title: `${kind} ${name}` }, name),
  );
  const left = [
    signals.length > shown.length ? `The first ${shown.length} of ${signals.length} signals. ` : '',
    steps > count ? `The first ${count} of ${steps} steps. ` : '',
  ].join('');
  return h(
    'figure',
    { class: 'framed' },
    h(
      'div',
      { class: 'waves' },
      h('ul', { class: 'wave-names', 'aria-hidden': true }, ...names),
      h(
        'div',
        { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'the run as a waveform' },
        s(
          'svg',
          { width, height, viewBox: `0 0 ${width} ${height}`, class: 'wave', role: 'img' },
          ...grid,
          ...rows,
        ),
      ),
    ),
    left === '' ? undefined : h('figcaption', {}, `${left}The download has all.`),
  );
}

function drawn(signal: Signal, count: number, unit: number): SVGElement[] {
  return signal.isBit ? [bit(signal, count, unit)] : bus(signal, count, unit);
}

function bit({ values }: Signal, count: number, unit: number): SVGElement {
  const y = (v: string | undefined) => (v === '1' ? PAD : ROW - PAD);
  const parts = values.slice(0, count).map((v, i) => `${i === 0 ? 'M0 ' : 'V'}${y(v)}H${(i + 1) * unit}`);
  return s('path', { d: parts.join(''), class: 'bit' });
}

/** Where a value stays the same. */
interface Span {
  readonly from: number;
  readonly to: number;
  readonly value: string | undefined;
}

function spans({ values, isBit }: Signal, count: number): Span[] {
  const all: Span[] = [];
  for (let from = 0, to = 0; from < count && !isBit; from = to) {
    for (to = from; to < count && values[to] === values[from]; ) to++;
    all.push({ from, to, value: values[from] });
  }
  return all;
}

/** How wide a step must be for the value to fit into its span. */
function widthOfStep({ from, to, value = '' }: Span): number {
  return (value.length * CHARACTER + 2 * SLANT + 6) / (to - from);
}

/** A band for each span, a thin line where there is no value yet. */
function bus(signal: Signal, count: number, unit: number): SVGElement[] {
  const [top, middle, bottom] = [PAD, ROW / 2, ROW - PAD];
  return spans(signal, count).map(({ from, to, value }) => {
    const [left, right] = [from * unit, to * unit];
    if (value === undefined) return s('path', { d: `M${left} ${middle}H${right}`, class: 'nothing' });
    const d =
      `M${left} ${middle}L${left + SLANT} ${top}H${right - SLANT}L${right} ${middle}` +
      `L${right - SLANT} ${bottom}H${left + SLANT}Z`;
    const room = Math.max(1, Math.floor((right - left - 2 * SLANT) / CHARACTER));
    const text = value.length > room ? `${value.slice(0, room - 1)}…` : value;
    return s(
      'g',
      {},
      s('title', {}, value),
      s('path', { d, class: 'bus' }),
      s('text', { x: (left + right) / 2, y: middle + 4, 'text-anchor': 'middle' }, text),
    );
  });
}
