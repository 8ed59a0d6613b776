/**
 * What makes the WebAssembly SAT solver a part of what is built, so that nobody has to tell where its file is. The package
 * `cadical-wasm` looks for a file beside its own code, with imports that only node has: bundlers for browsers refuse the imports,
 * and most of them lose the file. Here the bytes, compressed, become a module of their own, which is loaded when a question is
 * hard, and the package's code is left without its search for the file.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { deflateRawSync } from 'node:zlib';

const dist = new URL('../node_modules/cadical-wasm/dist/', import.meta.url);

/** What the package does to find its file, and what stands there instead. */
const SEARCH = [
  [/ENVIRONMENT_IS_NODE = globalThis\.process[^;]*;/g, 'ENVIRONMENT_IS_NODE = false;'],
  [/await import\("node:module"\)/g, '{}'],
  [/new URL\("cadical\.wasm", import\.meta\.url\)\.href/g, '"cadical.wasm"'],
  [/\bimport\.meta\.url\b/g, '""'],
];

export const withSolver = {
  name: 'the solver with its bytes',
  setup(bundler) {
    bundler.onLoad({ filter: /\/src\/bv\/packed-cadical\.ts$/ }, () => {
      const packed = deflateRawSync(readFileSync(new URL('cadical.wasm', dist)), { level: 9 });
      return { contents: `export const PACKED = ${JSON.stringify(packed.toString('base64'))};` };
    });
    bundler.onLoad({ filter: /\/cadical-wasm\/dist\/cadical\.js$/ }, ({ path }) => {
      let contents = readFileSync(path, 'utf8');
      for (const [pattern, other] of SEARCH) {
        if (contents.search(pattern) < 0)
          throw new Error(`${fileURLToPath(dist)}cadical.js is not as expected: it has no ${pattern}`);
        contents = contents.replace(pattern, other);
      }
      return { contents };
    });
  },
};
