/**
 * The package as its users have it: packed from a copy of the sources, so that nobody's `dist` is disturbed, and installed into an
 * empty project with an empty cache and no network.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Test } from 'tap';

const root = new URL('../../', import.meta.url).pathname;
/** What the package is made from. */
const SOURCES = ['package.json', 'README.md', 'LICENSE', 'build.mjs', 'build', 'src', 'examples'];

export interface Project {
  readonly folder: string;
  /** Runs a command there, and returns what it prints; one that fails is a failed test. */
  readonly run: (command: string, ...args: string[]) => string;
  readonly write: (file: string, text: string) => void;
}

export function projectWithPackage(t: Test): Project {
  const all = mkdtempSync(join(tmpdir(), 'euforia-package-'));
  t.teardown(() => rmSync(all, { recursive: true }));
  const [copy, folder] = [join(all, 'copy'), join(all, 'project')];
  mkdirSync(copy);
  mkdirSync(folder);
  for (const name of SOURCES) cpSync(join(root, name), join(copy, name), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  // What the npm that runs the tests tells its scripts is not for the one that is run here.
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name)));
  const runIn =
    (cwd: string) =>
    (command: string, ...args: string[]) => {
      const { status, stdout, stderr } = spawnSync(command, args, { cwd, env, encoding: 'utf8' });
      t.equal(status, 0, `${command} ${args.join(' ')} ends well`, { stderr });
      return stdout;
    };
  runIn(copy)('npm', 'pack', '--pack-destination', all);
  const tarball = readdirSync(all).find(f => f.endsWith('.tgz')) as string;
  const run = runIn(folder);
  const write = (file: string, text: string) => writeFileSync(join(folder, file), text);
  write('package.json', '{ "private": true }');
  run('npm', 'install', '--offline', '--cache', join(all, 'cache'), '--no-audit', join(all, tarball));
  return { folder, run, write };
}
