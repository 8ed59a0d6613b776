/** Views of which one is shown, as the authoring practices have tabs: arrows move among them, and one is in the tab order. */
import { h } from '../dom.ts';

export interface Tab {
  readonly name: string;
  /** Made when it is first shown. */
  readonly view: () => HTMLElement | Promise<HTMLElement>;
}

export function tabs(all: readonly Tab[], label: string): HTMLElement {
  const panels = all.map((_, i) =>
    h('div', { role: 'tabpanel', id: `panel-${i}`, class: 'panel', hidden: true }),
  );
  const buttons = all.map(({ name }, i) =>
    h('button', { type: 'button', role: 'tab', id: `tab-${i}`, 'aria-controls': `panel-${i}` }, name),
  );
  const made = new Set<number>();
  const show = async (chosen: number) => {
    buttons.forEach((button, i) => {
      button.setAttribute('aria-selected', String(i === chosen));
      button.tabIndex = i === chosen ? 0 : -1;
      panels[i].hidden = i !== chosen;
      panels[i].setAttribute('aria-labelledby', `tab-${i}`);
    });
    if (made.has(chosen)) return;
    made.add(chosen);
    panels[chosen].append(await all[chosen].view());
  };
  buttons.forEach((button, i) => {
    button.addEventListener('click', () => void show(i));
    button.addEventListener('keydown', event => {
      const to = { ArrowRight: i + 1, ArrowLeft: i - 1, Home: 0, End: all.length - 1 }[event.key];
      if (to === undefined) return;
      event.preventDefault();
      const next = (to + all.length) % all.length;
      buttons[next].focus();
      void show(next);
    });
  });
  void show(0);
  return h(
    'div',
    { class: 'tabs' },
    h('div', { role: 'tablist', 'aria-label': label }, ...buttons),
    ...panels,
  );
}
