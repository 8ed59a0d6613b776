/**
 * Builds the page: one folder of static files, `web/dist` unless said otherwise, that any file server can serve. The C compiler's
 * files are part of it where its package is installed, unless `--without-c` leaves their 100 MB out.
 */
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { POLICY } from './policy.mjs';

const here = fileURLToPath(new URL('.', import.meta.url));
const packages = join(here, '../node_modules');

/** Returns what esbuild says about what is in each file. */
export async function buildPage({ outdir = join(here, 'dist'), withC = true } = {}) {
  rmSync(outdir, { recursive: true, force: true });
  mkdirSync(outdir, { recursive: true });
  const common = {
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    minify: true,
    metafile: true,
    outdir,
    logLevel: 'warning',
    // The browser finds what a page loads later by these names.
    chunkNames: 'parts/[name]-[hash]',
  };
  const texts = Object.fromEntries(['.c', '.vmt', '.btor2', '.smt2'].map(e => [e, 'text']));
  const page = await build({
    ...common,
    entryPoints: { main: join(here, 'src/main.ts'), style: join(here, 'style/main.css') },
    entryNames: '[name]',
    loader: texts,
  });
  // The SAT solver's package has imports that only node reaches.
  const thread = await build({
    ...common,
    entryPoints: { thread: join(here, 'src/worker/thread.ts') },
    external: ['node:*'],
  });
  // A page says its own policy, so that it is as strict on a server that knows nothing of it.
  const html = readFileSync(join(here, 'index.html'), 'utf8').replace('{{policy}}', POLICY.inPage);
  writeFileSync(join(outdir, 'index.html'), html);
  cpSync(join(here, 'icon.svg'), join(outdir, 'icon.svg'));
  cpSync(join(packages, 'cadical-wasm/dist/cadical.wasm'), join(outdir, 'cadical.wasm'));
  const clang = join(packages, '@yowasp/clang/gen');
  if (withC && existsSync(clang)) cpSync(clang, join(outdir, 'clang'), { recursive: true });
  return { outdir, outputs: { ...page.metafile.outputs, ...thread.metafile.outputs } };
}
