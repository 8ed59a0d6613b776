#!/usr/bin/env node
/** Starts the command line from its compiled form, if V8 takes it, or else from its source (see build.mjs). */
const { readFileSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');
const { pathToFileURL } = require('node:url');
const { Script } = require('node:vm');

const filename = join(__dirname, 'main.cjs');
const cacheFile = join(__dirname, 'main.cache');

function compiledForm() {
  try {
    return readFileSync(cacheFile);
  } catch {
    return undefined;
  }
}

const script = new Script(readFileSync(filename, 'utf8'), { filename, cachedData: compiledForm() });
const importModule = specifier => import(specifier);
script.runInThisContext()(require, pathToFileURL(filename).href, importModule);
if (process.env.EUFORIA_WRITE_CACHE !== undefined) {
  process.on('exit', () => writeFileSync(cacheFile, script.createCachedData()));
}
