/** Bundles a probe, with the source of one file altered in memory, and runs it in a process of its own. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, normalize } from 'node:path';
import { build, type Plugin } from 'esbuild';
import type { Change } from './bugs.ts';

const root = normalize(new URL('../..', import.meta.url).pathname);

/** A probe that takes longer than this, in milliseconds, has been made to run forever. */
const TIME_LIMIT = 120_000;

export type Outcome =
  /** What the probe has said, line by line, but for its seed. */
  | { readonly kind: 'passed'; readonly said: readonly string[] }
  | { readonly kind: 'caught'; readonly what: string }
  | { readonly kind: 'crash'; readonly what: string }
  | { readonly kind: 'timeout' };

/** How often the text that a bug replaces occurs in its file: it must be once. */
export function occurrences({ file, find }: Change): number {
  return readFileSync(join(root, file), 'utf8').split(find).length - 1;
}

function planting({ file, find, replace }: Change): Plugin {
  // Only the altered file is read here: to be asked about each of them would take longer than all the rest.
  const filter = new RegExp(`/${file.replace(/[.]/g, '\\.')}$`);
  return {
    name: 'planting',
    setup({ onLoad }) {
      onLoad({ filter }, ({ path }) => {
        if (path !== join(root, file)) return undefined;
        return { contents: readFileSync(path, 'utf8').replace(find, () => replace), loader: 'ts' };
      });
    },
  };
}

/** `probe`: the name of its file. */
export async function runProbe(probe: string, bug?: Change): Promise<Outcome> {
  const { outputFiles } = await build({
    entryPoints: [join(root, 'test/planted', `${probe}.ts`)],
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    logLevel: 'silent',
    plugins: bug === undefined ? [] : [planting(bug)],
  });
  const run = spawnSync(process.execPath, ['--input-type=module', '-'], {
    cwd: root,
    input: outputFiles[0].text,
    encoding: 'utf8',
    timeout: TIME_LIMIT,
    killSignal: 'SIGKILL',
  });
  const lines = run.stdout.split('\n').filter(l => l !== '' && !l.startsWith('seed '));
  if (run.status === 0) return { kind: 'passed', said: lines };
  if (run.error !== undefined && 'code' in run.error && run.error.code === 'ETIMEDOUT')
    return { kind: 'timeout' };
  const [, what] = /^caught: (.*)$/m.exec(run.stdout) ?? [];
  if (run.status === 1 && what !== undefined) return { kind: 'caught', what };
  const [message] = /^\w*Error.*$/m.exec(run.stderr) ?? [run.stderr.slice(0, 200)];
  return { kind: 'crash', what: message };
}
