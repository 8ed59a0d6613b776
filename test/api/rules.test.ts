/** What is wrong with a call is said at once, and in words that help. */
import t from 'tap';
import { nearest } from '../../src/api/nearest.ts';
import { expectCall } from '../../src/api/rules.ts';
import { type CheckOptions, check, solve } from '../../src/api.ts';
import { COMMANDS } from '../../src/cli/commands.ts';

t.test('options that there are not, and values that they do not take', t => {
  for (const [name, options, message] of [
    ['check', { timout: 3 }, 'check: there is no option timout: did you mean timeout?'],
    ['check', { datamodel: 'lp64' }, 'check: there is no option datamodel: did you mean dataModel?'],
    ['convert', { too: 'vmt' }, 'convert: there is no option too: did you mean to?'],
    [
      'solve',
      { engines: [] },
      'solve: there is no option engines: there are compiler, file, lookUp, memory, onWarning, signal, timeout, wasm',
    ],
    ['check', { timeout: 'soon' }, "check: the option timeout takes a number of seconds, not 'soon'"],
    ['check', { timeout: -1 }, 'check: the option timeout takes a number of seconds, not -1'],
    ['check', { timeout: Number.NaN }, 'check: the option timeout takes a number of seconds, not NaN'],
    ['check', { memory: 0 }, 'check: the option memory takes a number of megabytes above 0, not 0'],
    ['check', { dataModel: 'lp32' }, "check: the option dataModel takes 'ilp32' or 'lp64', not 'lp32'"],
    [
      'check',
      { property: 1.5 },
      'check: the option property takes the number or the name of a property, not 1.5',
    ],
    ['check', { bound: '3' }, "check: the option bound takes a whole number from 0, not '3'"],
    ['check', { generalize: 'off' }, "check: the option generalize takes true or false, not 'off'"],
    ['check', { arrays: 'eager' }, "check: the option arrays takes 'abstract' or 'lazy', not 'eager'"],
    ['check', { signal: true }, 'check: the option signal takes an AbortSignal, not true'],
    ['check', { compiler: 'clang' }, /takes the package @yowasp\/clang, as it is imported, not 'clang'/],
    ['check', { engines: ['bound'] }, /takes a list of .*'bounded'.*, not \['bound'\]/],
    ['check', { checks: 'all' }, /takes a list of .*'all', not 'all'/],
    ['check', { onProgress: 3 }, 'check: the option onProgress takes a function, not 3'],
    ['check', null, 'check: the options must be an object, not null'],
    ['check', ['timeout'], "check: the options must be an object, not ['timeout']"],
  ] as const)
    t.throws(() => expectCall(name, { text: '' }, options), { name: 'TypeError', message });
  t.end();
});

t.test('what is meant is allowed', t => {
  const signal = new AbortController().signal;
  for (const options of [
    {},
    { timeout: 0.5, memory: 100, signal, property: 'p', engines: ['bounded'], checks: ['all'], bound: 0 },
    { timeout: undefined, engines: undefined, compiler: { runLLVM: () => {} } },
  ])
    expectCall('check', { text: '' }, options);
  t.end();
});

t.test('the functions look at their calls', async t => {
  await t.rejects(check('', { timout: 3 } as CheckOptions), TypeError);
  const bytes = Buffer.from('(check-sat)') as unknown as string;
  await t.rejects(solve(bytes), {
    name: 'TypeError',
    message: 'solve: the script must be a string, not an object (Buffer)',
  });
});

t.test('the library has the options of the command line, but for what is about files and printing', t => {
  const OTHERWISE = new Map([
    ['include', 'includeFolders'],
    ['define', 'defines'],
    ['preprocessed', 'isPreprocessed'],
  ]);
  const FILES =
    /^(trace|vcd|invariant|harness|witness|certificate|format|json|quiet|stats|profile|exit-code|warnings|cache|output|jobs|each)$/;
  for (const { name, options } of COMMANDS) {
    if (name !== 'check' && name !== 'certify' && name !== 'convert') continue;
    for (const option of options.filter(o => !FILES.test(o.name))) {
      const key =
        OTHERWISE.get(option.name) ?? option.name.replace(/-(.)/g, (_, c: string) => c.toUpperCase());
      t.doesNotThrow(() => expectCall(name, {}, { [key]: undefined }), `${name} --${option.name}`);
    }
  }
  t.end();
});

t.test('what is far from everything is near to nothing', t => {
  t.equal(nearest('frobnicate', ['timeout', 'memory']), undefined);
  t.equal(nearest('Memroy', ['timeout', 'memory']), 'memory');
  t.end();
});
