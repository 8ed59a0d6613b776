/** Where the time went, as a tree for people: time, share, calls and mean of each span, the dearest first. */
import type { Span } from '../core/env/profile.ts';

/** Spans that took less than this share of all the time are left out. */
const LEAST_SHARE = 0.001;

export function profileLines(root: Span): string[] {
  const rows: string[][] = [['time', 'share', 'calls', 'mean', 'phase']];
  const total = milliseconds(root);
  const add = (span: Span, depth: number) => {
    const time = milliseconds(span);
    const mean = span.calls === 0 ? '' : durationText(time / span.calls);
    const share = total === 0 ? '' : `${((100 * time) / total).toFixed(1)} %`;
    const calls = span.calls === 0 ? '' : String(span.calls);
    rows.push([durationText(time), share, calls, mean, `${'  '.repeat(depth)}${span.name}`]);
    const inner = [...span.inner.values()].sort((a, b) => milliseconds(b) - milliseconds(a));
    for (const s of inner.filter(s => milliseconds(s) >= LEAST_SHARE * total)) add(s, depth + 1);
  };
  add(root, 0);
  const widths = rows[0].map((_, i) => Math.max(...rows.map(r => r[i].length)));
  return rows.map(row =>
    row
      .map((cell, i) => (i === row.length - 1 ? cell : cell.padStart(widths[i])))
      .join('  ')
      .trimEnd(),
  );
}

/** The phases at the top of the tree with their times. */
export function phaseTimes(root: Span): [name: string, milliseconds: number][] {
  return [...root.inner.values()].map(s => [s.name, s.milliseconds]);
}

/** For each phase the part of its time that all spans of a name below it take, if there are such. */
export function sharesOf(name: string, root: Span): [phase: string, share: number][] {
  const within = (span: Span): number =>
    [...span.inner.values()].reduce((sum, s) => sum + (s.name === name ? s.milliseconds : within(s)), 0);
  return [...root.inner.values()]
    .map(s => [s.name, within(s) / s.milliseconds] as [string, number])
    .filter(([, share]) => share > 0);
}

/** The time of a span; the root was never entered, so its time is that of its parts. */
function milliseconds(span: Span): number {
  if (span.calls > 0) return span.milliseconds;
  return [...span.inner.values()].reduce((sum, s) => sum + milliseconds(s), 0);
}

/** Three digits and a unit. */
export function durationText(ms: number): string {
  if (ms >= 1000) return `${(ms / 1000).toFixed(2)} s`;
  if (ms >= 1) return `${ms.toFixed(ms >= 100 ? 0 : 1)} ms`;
  return `${Math.round(1000 * ms)} us`;
}
