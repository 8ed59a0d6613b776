/** What each engine did, when all is done. */
import { h } from '../dom.ts';
import { colourOf } from './progress.ts';

interface Share {
  readonly name: string;
  readonly spent: number;
  readonly stats: Readonly<Record<string, number>>;
  readonly obstacle: string | undefined;
}

export function enginesTable(shares: readonly Share[]): HTMLElement {
  const rows = shares.map(({ name, spent, stats, obstacle }) => {
    const numbers = Object.entries(stats)
      .filter(([, value]) => value > 0)
      .map(([stat, value]) => `${spaced(stat)} ${Math.round(value).toLocaleString('en')}`);
    const text = obstacle ?? (spent === 0 ? 'was not needed' : numbers.join(' · '));
    return h(
      'tr',
      { class: spent === 0 ? 'idle' : undefined },
      h('th', { scope: 'row' }, h('span', { class: `dot ${colourOf(name)}` }), name),
      h('td', {}, text),
    );
  });
  return h('table', { class: 'engines' }, h('tbody', {}, ...rows));
}

/** `stateRefinements` in words. */
function spaced(name: string): string {
  return name.replace(/[A-Z]/g, c => ` ${c.toLowerCase()}`);
}
