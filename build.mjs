/**
 * Builds what is shipped: the library, which needs nothing of node, and the command line. The command line is one file
 * of code, `main.cjs`, with V8's compiled form of it beside it, `main.cache`, because half of all questions are
 * answered sooner than V8 could compile the code; and a starter that puts the two together. If the compiled form is from
 * another version of V8, it is ignored.
 */
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { build } from 'esbuild';
import { withSolver } from './build/solver.mjs';
import { writeTypes } from './build/types.mjs';

const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
const common = {
  bundle: true,
  format: 'esm',
  minifySyntax: true,
  minifyWhitespace: true,
  plugins: [withSolver],
  define: { EUFORIA_VERSION: JSON.stringify(version) },
  logLevel: 'warning',
};

// V8 tells an old compiled form only by the length of the source: none must be left behind.
rmSync('dist', { recursive: true, force: true });

/** The SAT solver is a module, which compiled code cannot import; the starter does it in its place. */
const cadicalApart = {
  name: 'cadical apart',
  setup(bundler) {
    bundler.onLoad({ filter: /\/import-cadical\.ts$/ }, () => ({
      contents: "export const importCadical = () => EUFORIA_IMPORT('./cadical.js');",
    }));
  },
};

await build({
  ...common,
  format: 'cjs',
  entryPoints: ['src/cli/main.ts'],
  outfile: 'dist/main.cjs',
  platform: 'node',
  target: 'node20',
  define: { ...common.define, 'import.meta.url': 'EUFORIA_URL' },
  // The starter calls this function.
  banner: { js: '(function(require,EUFORIA_URL,EUFORIA_IMPORT){const module={exports:{}};' },
  footer: { js: '})' },
  plugins: [cadicalApart],
});
await build({
  ...common,
  entryPoints: ['src/bv/cadical.ts'],
  outfile: 'dist/cadical.js',
  platform: 'neutral',
  target: 'es2022',
});
await build({
  ...common,
  entryPoints: ['src/cli/clang-process.ts'],
  outfile: 'dist/clang-process.mjs',
  platform: 'node',
  target: 'node20',
});
// What only programs need is a file of its own, and so is what the library and its wrapper share.
await build({
  ...common,
  entryPoints: { api: 'src/api.ts', worker: 'src/worker/client.ts' },
  outdir: 'dist',
  chunkNames: 'parts/[name]-[hash]',
  splitting: true,
  platform: 'neutral',
  target: 'es2022',
});
// Node's own CommonJS can require modules; that the library's is done from here spares callers a warning of it.
mkdirSync('dist/cjs');
writeFileSync('dist/cjs/package.json', '{ "type": "commonjs" }\n');
for (const name of ['api', 'worker'])
  writeFileSync(`dist/cjs/${name}.js`, `module.exports = require('../${name}.js');\n`);
writeTypes(['src/api.ts', 'src/worker/client.ts'], ['dist/types', 'dist/cjs/types']);
// The worker is complete in itself, so that a page can have it as it is.
await build({
  ...common,
  entryPoints: ['src/worker/thread.ts'],
  outdir: 'dist/worker',
  splitting: true,
  minify: true,
  platform: 'browser',
  target: 'es2022',
});
// Bundlers must leave alone what is imported by an address, and the comments that tell them so are gone.
for (const name of readdirSync('dist/worker')) {
  const text = readFileSync(`dist/worker/${name}`, 'utf8');
  const marked = text.replace(/\bimport\((?=[\w$]+\))/g, '$&/* @vite-ignore *//* webpackIgnore: true */');
  if (marked !== text) writeFileSync(`dist/worker/${name}`, marked);
}
copyFileSync('node_modules/cadical-wasm/LICENSE', 'dist/cadical.LICENSE');
copyFileSync('src/cli/start.cjs', 'dist/euforia.cjs');
chmodSync('dist/euforia.cjs', 0o755);

// What a first run compiles is what other runs need.
const args = ['dist/euforia.cjs', 'check', 'examples/counter.vmt', '--quiet', '--property', '0'];
const { status, stderr } = spawnSync(process.execPath, args, {
  env: { ...process.env, EUFORIA_WRITE_CACHE: '1' },
  encoding: 'utf8',
});
if (status !== 0) throw new Error(`the command line does not run: ${stderr}`);
