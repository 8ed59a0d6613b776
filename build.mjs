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
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
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

// It is built beside the old one, which may be in use, and takes its place at the end. Nothing old is left behind: V8 tells an old
// compiled form only by the length of the source.
const OUT = 'dist.new';
rmSync(OUT, { recursive: true, force: true });

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
  outfile: `${OUT}/main.cjs`,
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
  outfile: `${OUT}/cadical.js`,
  platform: 'neutral',
  target: 'es2022',
});
await build({
  ...common,
  entryPoints: ['src/cli/clang-process.ts'],
  outfile: `${OUT}/clang-process.mjs`,
  platform: 'node',
  target: 'node20',
});
// What only programs need is a file of its own, and so is what the library and its wrapper share.
await build({
  ...common,
  entryPoints: { api: 'src/api.ts', worker: 'src/worker/client.ts' },
  outdir: OUT,
  chunkNames: 'parts/[name]-[hash]',
  splitting: true,
  platform: 'neutral',
  target: 'es2022',
});
// Node's own CommonJS can require modules; that the library's is done from here spares callers a warning of it.
mkdirSync(`${OUT}/cjs`);
writeFileSync(`${OUT}/cjs/package.json`, '{ "type": "commonjs" }\n');
for (const name of ['api', 'worker'])
  writeFileSync(`${OUT}/cjs/${name}.js`, `module.exports = require('../${name}.js');\n`);
writeTypes(['src/api.ts', 'src/worker/client.ts'], [`${OUT}/types`, `${OUT}/cjs/types`]);
// The worker is complete in itself, so that a page can have it as it is.
await build({
  ...common,
  entryPoints: ['src/worker/thread.ts'],
  outdir: `${OUT}/worker`,
  splitting: true,
  minify: true,
  platform: 'browser',
  target: 'es2022',
});
// Bundlers must leave alone what is imported by an address, and the comments that tell them so are gone.
for (const name of readdirSync(`${OUT}/worker`)) {
  const text = readFileSync(`${OUT}/worker/${name}`, 'utf8');
  const marked = text.replace(/\bimport\((?=[\w$]+\))/g, '$&/* @vite-ignore *//* webpackIgnore: true */');
  if (marked !== text) writeFileSync(`${OUT}/worker/${name}`, marked);
}
copyFileSync('node_modules/cadical-wasm/LICENSE', `${OUT}/cadical.LICENSE`);
copyFileSync('src/cli/start.cjs', `${OUT}/euforia.cjs`);
chmodSync(`${OUT}/euforia.cjs`, 0o755);

// What a first run compiles is what other runs need.
const args = [`${OUT}/euforia.cjs`, 'check', 'examples/counter.vmt', '--quiet', '--property', '0'];
const { status, stderr } = spawnSync(process.execPath, args, {
  env: { ...process.env, EUFORIA_WRITE_CACHE: '1' },
  encoding: 'utf8',
});
if (status !== 0) throw new Error(`the command line does not run: ${stderr}`);

rmSync('dist.old', { recursive: true, force: true });
if (existsSync('dist')) renameSync('dist', 'dist.old');
renameSync(OUT, 'dist');
rmSync('dist.old', { recursive: true, force: true });
