/**
 * A real browser for tests, if there is one: Chromium as Debian has it, or what CHROME_PATH names. It has no way out: whatever
 * it asks of any other host than this machine goes to a proxy, which takes it down and refuses.
 */
import { existsSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import puppeteer, { type Browser } from 'puppeteer-core';
import type { Test } from 'tap';

/** The browser's own errands, which no page has asked for. */
const OWN = /^(?:\w+ )?(?:https?:\/\/)?(?:[\w-]+\.)+google(?:apis)?\.com\b/;

/** The last two keep it from most of these errands. */
const SWITCHES = ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-sync'];

const PLACES = [
  process.env.CHROME_PATH,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];

export const browserPath: string | undefined = PLACES.find(p => p !== undefined && existsSync(p));

/** In the place of tests that need a browser: the log says that they were left out. */
export function skipForLackOfBrowser(t: Test, name: string): void {
  const skip = `${name}: skipped, there is no browser here (apt-get install chromium, or set CHROME_PATH)`;
  process.stderr.write(`${skip}\n`);
  t.test(name, { skip }, () => {});
}

export interface Guarded {
  readonly browser: Browser;
  /** The requests to other hosts since this was last asked. */
  readonly takeEscapes: () => string[];
  readonly close: () => Promise<void>;
}

export async function launch(): Promise<Guarded> {
  const escapes: string[] = [];
  const takeDown = (request: string) => {
    if (!OWN.test(request)) escapes.push(request);
  };
  const proxy = createServer((request, response) => {
    takeDown(`${request.method} ${request.url}`);
    response.writeHead(403).end();
  });
  proxy.on('connect', (request, socket) => {
    takeDown(`CONNECT ${request.url}`);
    socket.end();
  });
  await listening(proxy);
  const browser = await puppeteer.launch({
    ...(browserPath === undefined ? {} : { executablePath: browserPath }),
    args: [...SWITCHES, `--proxy-server=http://127.0.0.1:${portOf(proxy)}`],
  });
  const close = async () => {
    await browser.close();
    proxy.close();
  };
  return { browser, takeEscapes: () => escapes.splice(0), close };
}

export function listening(server: Server): Promise<void> {
  return new Promise(resolve => server.listen(0, '127.0.0.1', resolve));
}

export function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}
