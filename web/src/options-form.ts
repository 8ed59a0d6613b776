/** The options that matter, made from the library's own table. */
import type { CheckOptions } from '../../src/api.ts';
import { ENGINE_OPTIONS, type EngineOption } from '../../src/core/env/options.ts';
import { DATA_MODELS, type DataModel } from '../../src/formats/c/flags.ts';
import { h } from './dom.ts';
import type { EngineName } from './worker/engines.ts';

export type CheckSettings = Pick<
  CheckOptions,
  | 'timeout'
  | 'engines'
  | 'dataModel'
  | 'entry'
  | 'arrays'
  | 'generalize'
  | 'evaluateConstants'
  | 'bound'
  | 'seed'
>;

const DEFAULT_SECONDS = 60;

export class OptionsForm {
  private readonly timeout = h('input', {
    type: 'number',
    min: 1,
    value: DEFAULT_SECONDS,
    inputmode: 'numeric',
  });
  private readonly dataModel = select(DATA_MODELS, DATA_MODELS[0]);
  private readonly entry = h('input', { type: 'text', value: 'main', size: 8, spellcheck: 'false' });
  private readonly own = ENGINE_OPTIONS.map(option => ({ option, input: inputFor(option) }));
  private readonly engines: HTMLInputElement[] = [];
  private readonly engineList = h('fieldset', {}, h('legend', {}, 'Engines'));
  private readonly program = h(
    'fieldset',
    {},
    h('legend', {}, 'For C'),
    row('data model', 'ilp32: long and pointers have 32 bits; lp64: they have 64', this.dataModel),
    row('entry', 'the function that the program starts with', this.entry),
  );

  constructor(host: HTMLElement) {
    host.append(
      h(
        'fieldset',
        {},
        h('legend', {}, 'Search'),
        row('time limit', 'seconds for each property', this.timeout),
        ...this.own.map(({ option, input }) => row(option.name.replaceAll('-', ' '), option.help, input)),
      ),
      this.engineList,
      this.program,
    );
  }

  offerEngines(engines: readonly EngineName[]): void {
    for (const { name, help } of engines) {
      const box = h('input', { type: 'checkbox', checked: true, value: name });
      this.engines.push(box);
      this.engineList.append(
        h('label', { class: 'check', title: help }, box, h('span', {}, name), h('small', {}, help)),
      );
    }
  }

  showProgramOptions(isProgram: boolean): void {
    this.program.hidden = !isProgram;
  }

  get settings(): CheckSettings {
    const chosen = this.engines.filter(box => box.checked).map(box => box.value);
    const seconds = Number(this.timeout.value);
    return {
      ...Object.fromEntries(
        this.own.map(({ option, input }) => [option.key, settingOf(option, input.value)]),
      ),
      timeout: seconds > 0 ? seconds : DEFAULT_SECONDS,
      dataModel: this.dataModel.value as DataModel,
      entry: this.entry.value.trim() || 'main',
      ...(chosen.length === this.engines.length ? {} : { engines: chosen }),
    };
  }
}

function row(label: string, help: string, input: HTMLElement): HTMLElement {
  return h('label', { title: help }, h('span', {}, label), input);
}

function inputFor(option: EngineOption): HTMLInputElement | HTMLSelectElement {
  if (option.type === 'choice') return select(option.choices, option.initial);
  return h('input', { type: 'number', min: 0, step: 1, value: option.initial, inputmode: 'numeric' });
}

function select(choices: readonly string[], initial: string): HTMLSelectElement {
  return h('select', {}, ...choices.map(c => h('option', { value: c, selected: c === initial }, c)));
}

function settingOf(option: EngineOption, text: string): string | number | boolean {
  if (option.type === 'index') return Math.max(0, Math.floor(Number(text) || 0));
  return text === 'on' ? true : text === 'off' ? false : text;
}
