/** The page in a real browser. Where there is none, the tests say so and are skipped. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unzipSync } from 'fflate';
import type { Page, Viewport } from 'puppeteer-core';
import t from 'tap';
import { buildPage } from '../../web/build.mjs';
import { servePage } from '../../web/serve.mjs';
import { browserPath, launch, portOf, skipForLackOfBrowser } from '../support/browser.ts';
import { HARD } from '../support/hard.ts';

/** As the comments in the files have it, property by property. */
const VERDICTS: Readonly<Record<string, readonly string[]>> = {
  'counter.vmt': ['safe', 'unsafe'],
  'lag.vmt': ['safe'],
  'copy.vmt': ['safe'],
  'store.vmt': ['safe'],
  'traffic-rules.smt2': ['unsafe', 'safe'],
  'two-loops.smt2': ['safe'],
  'handshake.btor2': ['safe', 'unsafe'],
  'memory.btor2': ['safe'],
  'lock-bug.c': ['unsafe'],
  'lock.c': ['safe'],
  'average.c': ['unsafe'],
  'elevator.c': ['safe'],
  'ring-buffer.c': ['safe'],
  'maximum.c': ['safe'],
  'driver.c': ['safe'],
};

const DESKTOP: Viewport = { width: 1280, height: 800 };
const PHONE: Viewport = { width: 360, height: 740, isMobile: true, hasTouch: true };

/** Milliseconds: for machines that are busy. */
const PATIENCE = 240_000;

t.setTimeout(PATIENCE);

if (browserPath === undefined) {
  skipForLackOfBrowser(t, 'the page in a browser');
} else {
  const folder = mkdtempSync(join(tmpdir(), 'euforia-web-'));
  const { outdir } = await buildPage({ outdir: join(folder, 'page') });
  const server = await servePage(outdir, 0);
  const address = `http://localhost:${portOf(server)}/`;
  const guarded = await launch();
  const { browser } = guarded;
  const complaints: string[] = [];
  const requests: string[] = [];

  const newPage = async (hash = '', viewport: Viewport = DESKTOP) => {
    const page = await browser.newPage();
    page.setDefaultTimeout(PATIENCE);
    await page.setViewport(viewport);
    page.on('request', request => requests.push(request.url()));
    page.on('console', message => complaints.push(message.text()));
    page.on('pageerror', error => complaints.push(String(error)));
    await page.goto(address + hash);
    await page.waitForSelector('body[data-ready]');
    return page;
  };

  const text = (page: Page, selector: string) =>
    page.$$eval(selector, elements => elements.map(e => e.textContent ?? ''));
  const run = async (page: Page) => {
    await page.click('#run');
    await page.waitForSelector('#run:not([hidden])');
  };
  const open = async (page: Page, name: string) => {
    await page.select('#examples', name);
    await page.waitForFunction(`document.querySelector('#kind').title === ${JSON.stringify(name)}`);
  };
  const tab = (page: Page, name: string) => page.locator(`[role=tab]::-p-text(${name})`).click();
  const openFile = async (page: Page, name: string, content: string) => {
    const path = join(folder, name);
    writeFileSync(path, content);
    const input = await page.$('input#file');
    await input?.uploadFile(path);
    await page.waitForFunction(`document.querySelector('#kind').title === ${JSON.stringify(name)}`);
  };
  /** The verdicts of all properties, in their order. */
  const verdicts = async (page: Page) => {
    const chips = await text(page, '.properties .chip');
    return chips.length > 0 ? chips : (await text(page, '.failure, .headline h2')).map(w => w.toLowerCase());
  };
  const inEditor = (page: Page, expression: string) =>
    page.evaluate(`(root => ${expression})(document.querySelector('#editor').shadowRoot)`);

  t.teardown(async () => {
    await guarded.close();
    server.close();
    rmSync(folder, { recursive: true });
  });

  t.test('its policy is strict, in the header and in the page', async t => {
    const response = await fetch(address);
    const header = response.headers.get('content-security-policy') ?? '';
    const page = await newPage();
    const meta = await page.$eval('meta[http-equiv]', e => e.getAttribute('content') ?? '');
    for (const policy of [header, meta]) {
      const rules = new Map(
        policy.split('; ').map((r: string) => [r.split(' ')[0], r.split(' ').slice(1).join(' ')]),
      );
      t.equal(rules.get('default-src'), "'none'");
      t.equal(rules.get('script-src'), "'self' 'wasm-unsafe-eval'");
      t.equal(rules.get('style-src'), "'self'");
      t.notMatch(policy, /unsafe-inline|'unsafe-eval'|https?:|data:|\*/);
    }
    // A script that the page would load from elsewhere does not get in.
    const blocked = await page.evaluate(`new Promise(resolve => {
      addEventListener('securitypolicyviolation', e => resolve(e.effectiveDirective), { once: true });
      fetch('https://example.org/').catch(() => {});
    })`);
    t.equal(blocked, 'connect-src');
    await page.close();
    // With its policy out of force the page could speak to others, and it would be seen here.
    const free = await browser.newPage();
    await free.setBypassCSP(true);
    await free.goto(address);
    await free.evaluate(`fetch('http://example.org/seen').catch(() => {})`);
    t.same(guarded.takeEscapes(), ['GET http://example.org/seen']);
    await free.close();
    complaints.length = 0; // the browser has complained of that
  });

  t.test('every example has its verdicts', async t => {
    const page = await newPage();
    await page.$eval('.options', e => e.setAttribute('open', ''));
    await page.$eval('#options input[type=number]', e => Object.assign(e, { value: '600' }));
    const offered = await page.$$eval('#examples option[value]', o =>
      o.map(e => e.getAttribute('value') ?? ''),
    );
    t.same(offered.filter(name => name !== '').sort(), Object.keys(VERDICTS).sort());
    for (const [name, expected] of Object.entries(VERDICTS)) {
      await open(page, name);
      t.not((await text(page, '#shows'))[0], '', 'it says what it shows');
      await run(page);
      t.same(await verdicts(page), expected, name);
    }
    await page.close();
  });

  t.test('a violation as table, waveform and path', async t => {
    const page = await newPage();
    await open(page, 'handshake.btor2');
    await page.waitForSelector('#property:not([hidden])');
    await page.select('#properties', '1');
    await run(page);
    t.equal((await text(page, '.run tbody tr')).length, 12, 'ten steps of waiting after the request');
    await tab(page, 'Waveform');
    await page.waitForSelector('svg.wave');
    t.same(await text(page, '.wave-names li'), ['request', 'grant', 'waiting', 'send', 'answer']);
    t.equal((await page.$$('svg.wave .bit')).length, 4);
    await tab(page, 'Graph');
    await page.waitForSelector('svg.graph');
    t.equal((await page.$$('svg.graph .edge.on-path')).length, 3, 'start, steps and violation');
    await open(page, 'lock-bug.c');
    await page.evaluate(`{
      globalThis.loaded = [];
      const note = () => loaded.push(...[...document.querySelectorAll('progress')].map(p => p.value / p.max));
      new MutationObserver(note).observe(document.querySelector('#output'), { childList: true, subtree: true });
    }`);
    await run(page);
    const loaded = (await page.evaluate('loaded')) as number[];
    t.ok(
      loaded.length > 5 && loaded.every((l, i) => i === 0 || l >= loaded[i - 1]),
      'the compiler comes bit by bit',
    );
    t.match((await text(page, '.run .violation'))[0], /assert\(!locked\) fails/);
    t.same(
      await inEditor(page, `[...root.querySelectorAll('.cm-marked-line')].map(l => l.textContent.trim())`),
      [
        'assert(!locked);',
        'locked = 1;',
        'int requests = 0, served;',
        'served = requests;',
        'if (__VERIFIER_nondet_int()) {',
        'requests++; /* the lock is still held */',
      ],
    );
    await page.close();
  });

  t.test('a proof with its explanation and its certificate', async t => {
    const page = await newPage();
    await open(page, 'counter.vmt');
    await run(page);
    t.match(await text(page, '.formula pre'), ['(not (= #xa count))']);
    const hidden = await page.$eval('.explanation', e => e.checkVisibility());
    await page.focus('.formula');
    t.same([hidden, await page.$eval('.explanation', e => e.checkVisibility())], [false, true]);
    t.match((await text(page, '.explanation'))[0], 'count ≠ 10');
    const session = await page.createCDPSession();
    await session.send('Browser.setDownloadBehavior', { behavior: 'allow', downloadPath: folder });
    await page.locator('button::-p-text(Certificate).download').click();
    const file = join(folder, 'counter-certificate.zip');
    for (let i = 0; i < 100 && !readdirSync(folder).includes('counter-certificate.zip'); i++)
      await new Promise(resolve => setTimeout(resolve, 50));
    const scripts = unzipSync(new Uint8Array(readFileSync(file)));
    t.ok('counter-certificate/step.smt2' in scripts);
    t.match(new TextDecoder().decode(scripts['counter-certificate/property.smt2']), /\(check-sat\)/);
    await page.close();
  });

  t.test('what cannot be read is marked at its line and column', async t => {
    const page = await newPage();
    const underlined = () =>
      inEditor(page, `[...root.querySelectorAll('.cm-lintRange-error')].map(e => e.textContent)`);
    await openFile(page, 'bad.vmt', '(declare-const x Bool)\n(define-fun .x () Bool (! y :next x))\n');
    await page.waitForFunction(
      `document.querySelector('#editor').shadowRoot.querySelector('.cm-lintRange-error')`,
    );
    t.same(await underlined(), ['y'], 'before anybody asks');
    t.same(
      await inEditor(page, `root.querySelector('.cm-bad-line').textContent`),
      '(define-fun .x () Bool (! y :next x))',
    );
    await run(page);
    t.match((await text(page, '.failure'))[0], /unknown symbol 'y'.*line 2, column 27/);
    await openFile(page, 'bad.c', 'int main(void) {\n  return yes;\n}\n');
    await run(page);
    t.same(await underlined(), ['yes']);
    t.match((await text(page, '.failure'))[0], /undeclared identifier.*line 2, column 10/);
    await page.close();
  });

  t.test('stop stops at once', async t => {
    const page = await newPage();
    await openFile(page, 'hard.vmt', HARD);
    await page.click('#run');
    await page.waitForSelector('.progress-chart');
    const before = page.workers();
    const [isOver, milliseconds] = (await page.evaluate(`(() => {
      const start = performance.now();
      document.querySelector('#stop').click();
      const isOver = document.querySelector('#stop').hidden && !document.querySelector('#run').hidden;
      return [isOver, performance.now() - start];
    })()`)) as [boolean, number];
    t.ok(isOver, 'when the click is done, so is the search');
    t.comment(`it took ${milliseconds.toFixed(1)} ms`);
    t.match((await text(page, '.searching'))[0], 'Stopped');
    while (before.every(w => page.workers().includes(w)))
      await new Promise(resolve => setTimeout(resolve, 10));
    await open(page, 'counter.vmt');
    await run(page);
    t.same(await verdicts(page), VERDICTS['counter.vmt'], 'and the next check works');
    await page.close();
  });

  t.test('a link carries the input', async t => {
    const page = await newPage();
    await openFile(page, 'mine.vmt', HARD);
    await page.click('#share');
    await page.waitForFunction('location.hash.length > 10');
    const hash = String(await page.evaluate('location.hash'));
    await page.close();
    const other = await newPage(hash);
    t.equal(
      await inEditor(other, `[...root.querySelectorAll('.cm-line')].map(l => l.textContent).join('\\n')`),
      HARD,
    );
    t.equal(await other.$eval('#kind', e => e.getAttribute('title')), 'mine.vmt');
    await other.close();
    const broken = await newPage(hash.slice(0, -20));
    t.equal(await broken.$eval('#examples', e => (e as unknown as { value: string }).value), 'counter.vmt');
    await broken.close();
  });

  t.test('the keyboard is enough', async t => {
    const page = await newPage();
    await open(page, 'traffic-rules.smt2');
    const press = async (isThere: string) => {
      for (let i = 0; i < 40; i++) {
        if (await page.evaluate(isThere)) return true;
        await page.keyboard.press('Tab');
      }
      return false;
    };
    t.ok(await press(`document.activeElement.id === 'run'`), 'the button can be reached');
    await page.keyboard.press('Enter');
    await page.waitForSelector('#run:not([hidden])');
    t.ok(await press(`document.activeElement.getAttribute('role') === 'tab'`), 'and the evidence');
    await page.keyboard.press('ArrowRight');
    await page.waitForSelector('svg.wave');
    t.equal(await page.evaluate('document.activeElement.textContent'), 'Waveform');
    await page.focus('#share');
    await page.keyboard.down('Control');
    await page.keyboard.press('Enter');
    await page.keyboard.up('Control');
    await page.waitForSelector('#run:not([hidden])');
    t.same(await verdicts(page), VERDICTS['traffic-rules.smt2']);
    await page.close();
  });

  t.test('it fits on a phone', async t => {
    const page = await newPage('', PHONE);
    for (const name of ['handshake.btor2', 'elevator.c', 'traffic-rules.smt2']) {
      await open(page, name);
      await run(page);
      const count = (await page.$$('[role=tab]')).length;
      for (let i = 0; i < count; i++) {
        await page.$$eval('[role=tab]', (all, n) => (all[n] as unknown as { click(): void }).click(), i);
        t.equal(await page.evaluate('document.documentElement.scrollWidth'), 360, `${name}, view ${i}`);
      }
    }
    await page.close();
  });

  t.test('nothing left the page, and the browser had nothing to complain of', t => {
    t.same(guarded.takeEscapes(), []);
    t.ok(requests.length > 0);
    const own = (url: string) => url.startsWith(address) || url.startsWith(`blob:${address}`);
    t.same(
      requests.filter(url => !own(url)),
      [],
    );
    t.same(complaints, []);
    t.end();
  });
}
