/** Puts the page together: the input on one side, what comes of it on the other. */
import { CompileError } from '../../src/formats/c/messages.ts';
import { InputError } from '../../src/formats/diagnostic.ts';
import type { PropertyName } from '../../src/formats/question.ts';
import { startChecker } from './checker.ts';
import { byId, h, isNarrow } from './dom.ts';
import { onFiles } from './drop.ts';
import { EXAMPLES } from './examples.ts';
import { OptionsForm } from './options-form.ts';
import { Session } from './session.ts';
import { KIND_NAMES, kindOf, nameFor } from './text/kind.ts';
import { readRun } from './text/run.ts';
import { fromHash, toHash } from './text/share-link.ts';
import { themeButton } from './theme.ts';
import { Answers, nameOf } from './views/answers.ts';

/** Milliseconds without a key until the text is read. */
const PAUSE = 300;

const editorChunk = import('./editor/editor.ts');
const checker = startChecker();

const examples = byId('examples', HTMLSelectElement);
const shows = byId('shows', HTMLElement);
const kindLabel = byId('kind', HTMLElement);
const properties = byId('properties', HTMLSelectElement);
const run = byId('run', HTMLButtonElement);
const stop = byId('stop', HTMLButtonElement);
const share = byId('share', HTMLButtonElement);
const output = byId('output', HTMLElement);
const options = new OptionsForm(byId('options', HTMLElement));

themeButton(byId('theme', HTMLButtonElement));

let name = 'input.vmt';
let others: Readonly<Record<string, string>> = {};
let known: readonly PropertyName[] = [];
let session: Session | undefined;
let pause: ReturnType<typeof setTimeout> | undefined;
let reading: Promise<void> | undefined;

const { Editor } = await editorChunk;
const editor = new Editor(byId('editor', HTMLElement), () => {
  if (location.hash !== '') history.replaceState(null, '', location.pathname + location.search);
  examples.value = '';
  shows.textContent = '';
  noticeKind();
  clearTimeout(pause);
  pause = setTimeout(readAhead, PAUSE);
});

function noticeKind(): void {
  const kind = kindOf(name, editor.text);
  name = nameFor(name, kind);
  kindLabel.textContent = kind === undefined ? 'unknown format' : KIND_NAMES[kind];
  kindLabel.title = name;
  editor.highlightAs(kind);
  options.showProgramOptions(kind === 'c' || kind === 'llvm');
}

/** Puts a text into the editor. */
function open(file: string, text: string, more: Readonly<Record<string, string>> = {}): void {
  name = file;
  others = more;
  editor.text = text;
  clearTimeout(pause);
  void readAhead();
}

/** Looks for properties and for what is wrong before anybody asks. */
function readAhead(): Promise<void> {
  reading ??= readUntilQuiet().finally(() => {
    reading = undefined;
  });
  return reading;
}

/** Reads again as long as the text changes meanwhile. */
async function readUntilQuiet(): Promise<void> {
  for (;;) {
    const { text } = editor;
    const [found, problems] = await read(text);
    if (text !== editor.text) continue;
    offerProperties(found);
    complain(problems);
    return;
  }
}

async function read(text: string): Promise<[readonly PropertyName[], readonly InputError[]]> {
  if (text.trim() === '' || kindOf(name, text) === 'c') return [[], []];
  try {
    return [(await checker.outline(text, { file: name })) ?? [], []];
  } catch (error) {
    return [[], error instanceof InputError ? [error] : []];
  }
}

function offerProperties(found: readonly PropertyName[]): void {
  known = found;
  const chosen = properties.value;
  properties.replaceChildren(
    h('option', { value: '' }, found.length < 2 ? 'the property' : `all properties (${found.length})`),
    ...(found.length < 2 ? [] : found.map(p => h('option', { value: p.index }, nameOf(p)))),
  );
  properties.value = found.some(p => String(p.index) === chosen) ? chosen : '';
  byId('property', HTMLElement).hidden = found.length < 2;
}

function complain(errors: readonly InputError[]): void {
  editor.complain(errors.map(({ line, column, reason }) => ({ line, column, message: reason })));
}

async function start(): Promise<void> {
  if (session !== undefined) return;
  clearTimeout(pause);
  setRunning(true);
  await readAhead();
  const text = editor.text;
  const chosen = known.filter(p => properties.value === '' || String(p.index) === properties.value);
  const asked = chosen.length === 0 ? [undefined] : chosen;
  const lines = text.split('\n');
  const source = { line: (n: number) => lines[n - 1], goTo: (n: number) => editor.goTo(n) };
  const answers = new Answers(output, source, name.replace(/\.[^.]*$/, ''), asked);
  if (isNarrow()) output.scrollIntoView({ behavior: 'smooth' });
  const task = { file: name, text, files: others, properties: asked, settings: options.settings };
  session = new Session(checker, task, {
    started: i => answers.started(i),
    progress: (now, samples, seconds) => answers.progress(now, samples, seconds),
    warned: message => answers.warned(message),
    answered: (i, answer) => {
      answers.answered(i, answer);
      // Its view is there with the next picture.
      if (isNarrow()) requestAnimationFrame(() => output.scrollIntoView({ behavior: 'smooth' }));
      const run = answer.result.verdict === 'unsafe' ? readRun(answer.result.trace) : undefined;
      if (run?.format === 'euforia-program-run')
        editor.markLines([...run.steps, run.error].flatMap(s => s.line ?? []));
    },
    failed: error => {
      answers.failed(error);
      if (error instanceof CompileError) complain(error.errors);
      else if (error instanceof InputError) complain([error]);
    },
    ended: wasStopped => {
      answers.ended(wasStopped);
      session = undefined;
      setRunning(false);
    },
  });
}

function setRunning(isRunning: boolean): void {
  const hadFocus = document.activeElement === (isRunning ? run : stop);
  run.hidden = isRunning;
  stop.hidden = !isRunning;
  output.setAttribute('aria-busy', String(isRunning));
  if (hadFocus) (isRunning ? stop : run).focus();
}

async function copyLink(): Promise<void> {
  history.replaceState(null, '', `#${await toHash({ name, text: editor.text })}`);
  try {
    await navigator.clipboard.writeText(location.href);
    share.textContent = 'Copied';
  } catch {
    share.textContent = 'See address bar';
  }
  setTimeout(() => {
    share.textContent = 'Copy link';
  }, 2000);
}

function openExample(chosen: string): void {
  const example = EXAMPLES.find(e => e.name === chosen);
  if (example === undefined) return;
  open(example.name, example.text);
  examples.value = example.name;
  shows.textContent = example.shows;
}

async function openLink(): Promise<boolean> {
  const shared = await fromHash(location.hash);
  if (shared === undefined) return false;
  const { hash } = location;
  open(shared.name, shared.text);
  history.replaceState(null, '', hash);
  return true;
}

for (const group of new Set(EXAMPLES.map(e => e.group)))
  examples.append(
    h(
      'optgroup',
      { label: group },
      ...EXAMPLES.filter(e => e.group === group).map(e => h('option', { value: e.name }, e.name)),
    ),
  );

examples.addEventListener('change', () => openExample(examples.value));
run.addEventListener('click', () => void start());
stop.addEventListener('click', () => session?.stop());
share.addEventListener('click', () => void copyLink());
byId('open', HTMLButtonElement).addEventListener('click', () => byId('file', HTMLInputElement).click());
onFiles(byId('file', HTMLInputElement), dropped => open(dropped.name, dropped.text, dropped.others));
window.addEventListener('hashchange', () => void openLink());
document.addEventListener('keydown', event => {
  if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
    event.preventDefault();
    void start();
  } else if (event.key === 'Escape') session?.stop();
});

if (!(await openLink())) openExample(EXAMPLES[0].name);
document.body.dataset.ready = 'true';
options.offerEngines(await checker.engines());
