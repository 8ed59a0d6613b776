/** The answer about one property: the verdict in a line, and its evidence in as many views as it has. */
import type { CheckResult } from '../../../src/api.ts';
import { h } from '../dom.ts';
import { readRun } from '../text/run.ts';
import type { Sample } from '../text/samples.ts';
import { wavesOf } from '../text/signals.ts';
import { archiveButton, downloadButton, type File } from './downloads.ts';
import { enginesTable } from './engines.ts';
import { invariantView } from './invariant.ts';
import { progressChart } from './progress.ts';
import { runTable, type Source } from './run-table.ts';
import { type Tab, tabs } from './tabs.ts';
import { waveform } from './waveform.ts';

export interface Answered {
  readonly result: CheckResult;
  /** What the property is called, if it has a name. */
  readonly property: string | undefined;
  readonly seconds: number;
  readonly samples: readonly Sample[];
}

/** The name of the text without its extension: what downloads are called after. */
export function resultView(
  { result, property, seconds, samples }: Answered,
  stem: string,
  source: Source,
): HTMLElement {
  return h(
    'article',
    { class: `result ${result.verdict}` },
    headline(result, property, seconds),
    tabs([...evidence(result, stem, source), searchTab(result, seconds, samples)], 'evidence'),
  );
}

function headline(result: CheckResult, property: string | undefined, seconds: number): HTMLElement {
  const what = property === undefined ? 'The property' : h('code', {}, property);
  const text = {
    safe: ' holds in every run. The proof has been checked.',
    unsafe: ' fails. The run below has been replayed.',
    unknown: result.verdict === 'unknown' ? ` is not decided: ${result.reason}.` : '',
  }[result.verdict];
  return h(
    'header',
    { class: 'headline' },
    h('h2', {}, result.verdict),
    h('p', {}, what, text),
    h('span', { class: 'seconds' }, `${seconds < 10 ? seconds.toFixed(2) : seconds.toFixed(0)} s`),
  );
}

function evidence(result: CheckResult, stem: string, source: Source): Tab[] {
  if (result.verdict === 'unknown') return [];
  const graph: Tab = {
    name: 'Graph',
    view: async () => (await import('./graph.ts')).graphView(result.graph, source.goTo),
  };
  if (result.verdict === 'safe') {
    const { invariant, certificate } = result;
    const saved = () =>
      downloads(
        downloadButton('Invariant', { name: `${stem}-invariant.smt2`, text: invariant }),
        archiveButton('Certificate', `${stem}-certificate`, certificate),
      );
    return [
      { name: 'Invariant', view: () => h('div', {}, invariantView(invariant), saved()) },
      { name: 'Certificate', view: () => h('div', {}, certificateView(certificate), saved()) },
      graph,
    ];
  }
  const { trace, table, vcd } = result;
  const run = readRun(trace);
  const saved = () =>
    downloads(
      downloadButton('Run as JSON', { name: `${stem}-run.json`, text: trace }),
      downloadButton('Run as text', { name: `${stem}-run.txt`, text: table }),
      downloadButton('Waveform (VCD)', { name: `${stem}-run.vcd`, text: vcd }),
    );
  if (run === undefined)
    return [{ name: 'Run', view: () => h('div', {}, h('pre', {}, table), saved()) }, graph];
  return [
    { name: 'Run', view: () => h('div', {}, runTable(run, source), saved()) },
    { name: 'Waveform', view: () => h('div', {}, waveform(wavesOf(run, vcd)), saved()) },
    graph,
  ];
}

function downloads(...buttons: readonly HTMLElement[]): HTMLElement {
  return h('div', { class: 'downloads' }, h('span', {}, 'Download'), ...buttons);
}

/** A script for each step of the proof, which any solver can check. */
function certificateView(scripts: readonly File[]): HTMLElement {
  return h(
    'div',
    {},
    h(
      'p',
      { class: 'lead' },
      'You need not trust this page: give these scripts to any SMT solver. If it answers unsat to each, the property holds.',
    ),
    h(
      'div',
      { class: 'scripts' },
      ...scripts.map(({ name, text }) =>
        h(
          'details',
          {},
          h('summary', {}, name, h('span', {}, titleOf(text))),
          h('pre', { tabindex: 0 }, text),
        ),
      ),
    ),
  );
}

/** Scripts begin with what they prove. */
function titleOf(script: string): string {
  return /^; (.*)/.exec(script)?.[1] ?? '';
}

function searchTab({ engines }: CheckResult, seconds: number, samples: readonly Sample[]): Tab {
  return {
    name: 'Search',
    view: () =>
      h('div', {}, samples.length < 2 ? undefined : progressChart(samples, seconds), enginesTable(engines)),
  };
}
