/** The right side of the page: a search as it goes on, then its answers, one for each property. */

import type { Progress } from '../../../src/core/portfolio/share.ts';
import { InputError } from '../../../src/formats/diagnostic.ts';
import type { PropertyName } from '../../../src/formats/question.ts';
import { LOADING_COMPILER } from '../../../src/worker/loading-clang.ts';
import { h } from '../dom.ts';
import type { Sample } from '../text/samples.ts';
import { progressChart } from './progress.ts';
import { type Answered, resultView } from './result.ts';
import type { Source } from './run-table.ts';

interface Row {
  readonly button: HTMLButtonElement;
  readonly status: HTMLElement;
  answer: Answered | undefined;
}

export class Answers {
  private readonly host: HTMLElement;
  private readonly source: Source;
  private readonly stem: string;
  private readonly rows: readonly Row[];
  private readonly list: HTMLElement;
  private readonly body = h('div', { class: 'body' });
  private readonly warnings = h('ul', { class: 'warnings' });
  private readonly status = h('p', { class: 'status', role: 'status' });
  private shown: number | undefined;

  constructor(
    host: HTMLElement,
    source: Source,
    stem: string,
    properties: readonly (PropertyName | undefined)[],
  ) {
    this.host = host;
    this.source = source;
    this.stem = stem;
    this.rows = properties.map((property, i) => {
      const status = h('span', { class: 'chip waiting' }, 'waiting');
      const button = h(
        'button',
        { type: 'button', onclick: () => this.show(i) },
        h('span', { class: 'property-name' }, nameOf(property)),
        status,
      );
      return { button, status, answer: undefined };
    });
    this.list = h(
      'nav',
      { class: 'properties', 'aria-label': 'properties' },
      ...this.rows.map(r => r.button),
    );
    this.list.hidden = properties.length < 2;
    host.replaceChildren(this.list, this.warnings, this.body, this.status);
  }

  started(index: number): void {
    this.mark(index, 'working', 'at work');
    if (this.shown === undefined) this.body.replaceChildren(h('div', { class: 'searching' }, 'Reading …'));
  }

  progress({ phase, stats }: Progress, samples: readonly Sample[], seconds: number): void {
    if (this.shown !== undefined) return; // somebody reads an answer already
    if (phase === LOADING_COMPILER) {
      const megabytes = (bytes: number) => Math.round(bytes / 2 ** 20);
      this.body.replaceChildren(
        h(
          'div',
          { class: 'searching' },
          `Loading the C compiler, once: ${megabytes(stats.bytes)} of ${megabytes(stats.of)} MB`,
          h('progress', { value: stats.bytes, max: stats.of, 'aria-label': 'loading the C compiler' }),
        ),
      );
      return;
    }
    const search = samples.filter(s => s.phase !== LOADING_COMPILER);
    this.body.replaceChildren(
      h('div', { class: 'searching' }, `Searching: ${phase}`),
      progressChart(search, seconds),
    );
  }

  answered(index: number, answer: Answered): void {
    this.rows[index].answer = answer;
    this.mark(index, answer.result.verdict, answer.result.verdict);
    if (this.shown === undefined) this.show(index);
    this.say(`${answer.property ?? 'the property'}: ${answer.result.verdict}`);
  }

  warned(message: string): void {
    this.warnings.append(h('li', {}, message));
  }

  failed(error: unknown): void {
    const { goTo } = this.source;
    if (error instanceof InputError) {
      const { line, column, reason } = error;
      this.body.replaceChildren(
        h(
          'div',
          { class: 'failure', role: 'alert' },
          h('h2', {}, 'This cannot be read'),
          h('p', {}, reason),
          h(
            'button',
            { type: 'button', class: 'link', onclick: () => goTo(line) },
            `line ${line}, column ${column}`,
          ),
        ),
      );
    } else {
      const message = error instanceof Error ? error.message : String(error);
      const isCompiler = /dynamically imported module|importing a module/i.test(message);
      this.body.replaceChildren(
        h(
          'div',
          { class: 'failure', role: 'alert' },
          h('h2', {}, isCompiler ? 'No C compiler' : 'Something went wrong'),
          h(
            'p',
            {},
            isCompiler
              ? 'This page is served without the C compiler, which C needs. All other formats work.'
              : message,
          ),
        ),
      );
    }
    this.rows.forEach(({ answer }, i) => {
      if (answer === undefined) this.mark(i, 'waiting', 'not checked');
    });
  }

  ended(wasStopped: boolean): void {
    if (!wasStopped) return;
    this.rows.forEach(({ answer }, i) => {
      if (answer === undefined) this.mark(i, 'waiting', 'stopped');
    });
    if (this.shown === undefined)
      this.body.replaceChildren(h('div', { class: 'searching stopped' }, 'Stopped.'));
    this.say('stopped');
  }

  private show(index: number): void {
    const { answer } = this.rows[index];
    if (answer === undefined) return;
    this.shown = index;
    this.rows.forEach(({ button }, i) => {
      button.setAttribute('aria-current', String(i === index));
    });
    this.body.replaceChildren(resultView(answer, this.stem, this.source));
    this.host.scrollTop = 0;
  }

  private mark(index: number, className: string, text: string): void {
    const { status } = this.rows[index];
    status.className = `chip ${className}`;
    status.textContent = text;
  }

  /** To those who hear the page and do not see it. */
  private say(text: string): void {
    this.status.textContent = text;
  }
}

export function nameOf(property: PropertyName | undefined): string {
  if (property === undefined) return 'the property';
  return property.name === undefined ? `property ${property.index}` : property.name;
}
