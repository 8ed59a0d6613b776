/**
 * Witnesses: they have the fields that format 2.0 asks for, their locations are where it wants them, and what they say of loops is true: the program
 * in which every loop checks its invariant is still safe, and one that checks the opposite is not.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import t from 'tap';
import { parse } from 'yaml';
import { correctnessWitness, violationWitness, type WitnessTask } from '../../../src/formats/c/witness.ts';
import { loadedBackEnd, verdictOf } from '../../support/checking.ts';
import { modulesOf, programQuestion } from '../../support/programs.ts';

const heavy = await loadedBackEnd();
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

interface Place {
  readonly file_name: string;
  readonly line: number;
  readonly column: number;
  readonly function: string;
}

interface Waypoint {
  readonly type: string;
  readonly action: string;
  readonly location: Place;
  readonly constraint?: { readonly value: string; readonly format: string };
}

interface Invariant {
  readonly type: string;
  readonly location: Place;
  readonly value: string;
  readonly format: string;
}

interface Entry {
  readonly entry_type: string;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly content: readonly { segment?: { waypoint: Waypoint }[]; invariant?: Invariant }[];
}

async function witnessOf(text: string): Promise<{ verdict: string; yaml: string; entry: Entry }> {
  const question = programQuestion(await modulesOf(text));
  const verdict = verdictOf(question, heavy);
  const { program } = question.words;
  const task: WitnessTask = {
    files: [{ name: 'a.c', text, hash: sha256(text) }],
    dataModel: 'ilp32',
    version: '1.2.3',
    creationTime: new Date(0),
    digest: sha256,
  };
  if (verdict.kind === 'unknown' || program === undefined) throw new Error('there is nothing to witness');
  const yaml =
    verdict.kind === 'unsafe'
      ? violationWitness(task, program.violation(verdict.derivation))
      : correctnessWitness(task, program.loops(verdict.proof), program.errorName);
  const entries: Entry[] = parse(yaml);
  if (entries.length !== 1) throw new Error('a witness is one entry');
  return { verdict: verdict.kind, yaml, entry: entries[0] };
}

/** What the format asks for in every entry; it allows nothing else at these places. */
function checkEntry(t: Tap, text: string, { metadata, entry_type }: Entry, type: string): void {
  t.equal(entry_type, type);
  t.same(Object.keys(metadata).sort(), ['creation_time', 'format_version', 'producer', 'task', 'uuid']);
  t.equal(metadata.format_version, '2.0');
  t.match(metadata.uuid, /^[\da-f]{8}-[\da-f]{4}-[1-8][\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
  t.equal(metadata.creation_time, '1970-01-01T00:00:00Z');
  t.same(metadata.producer, { name: 'Euforia', version: '1.2.3' });
  t.same(metadata.task, {
    input_files: ['a.c'],
    input_file_hashes: { 'a.c': sha256(text) },
    specification: 'CHECK( init(main()), LTL(G ! call(reach_error())) )',
    data_model: 'ILP32',
    language: 'C',
  });
}

type Tap = Pick<typeof t, 'equal' | 'same' | 'match' | 'ok'>;

/** The text from a place on. */
function textAt(text: string, { line, column }: Place): string {
  return text.split('\n')[line - 1].slice(column - 1);
}

t.test('a violation is what functions returned, and where the error is called', async t => {
  const text = `extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned char read_byte(int port, const char *why);
static int digit(void) { return __VERIFIER_nondet_int(  ) % 10; }
int main(void) {
  int code = 0;
  for (int i = 0; i < 2; i++) code = 10 * code + digit();
  if (read_byte(3, "a ) \\" (") == 200 && code == -42) {
    reach_error();
  }
  return 0;
}
`;
  const { verdict, entry, yaml } = await witnessOf(text);
  t.equal(verdict, 'unsafe');
  checkEntry(t, text, entry, 'violation_sequence');
  const waypoints = entry.content.map(({ segment, ...rest }) => {
    t.same(rest, {}, 'a segment is nothing else');
    t.equal(segment?.length, 1, 'nothing is to be avoided');
    return segment?.[0].waypoint as Waypoint;
  });
  t.same(
    waypoints.map(w => [w.type, w.action, w.location.line, w.location.function]),
    [
      ['function_return', 'follow', 4, 'digit'],
      ['function_return', 'follow', 4, 'digit'],
      ['function_return', 'follow', 8, 'main'],
      ['target', 'follow', 9, 'main'],
    ],
  );
  t.equal(textAt(text, waypoints[0].location), ') % 10; }', 'the closing parenthesis');
  t.equal(textAt(text, waypoints[2].location), ') == 200 && code == -42) {');
  t.equal(textAt(text, waypoints[3].location), 'reach_error();', 'where the statement begins');
  const results = waypoints.slice(0, 3).map(w => {
    t.equal(w.constraint?.format, 'acsl_expression');
    return Number(/^\\result == (-?\d+)$/.exec(w.constraint?.value ?? '')?.[1]);
  });
  t.equal(10 * (results[0] % 10) + (results[1] % 10), -42, 'these choices lead to the error');
  t.equal(results[2], 200);
  t.equal(waypoints[3].constraint, undefined);
  t.equal((await witnessOf(text)).yaml, yaml, 'the same every time');
});

t.test('what the preprocessor left is placed where it is', async t => {
  const text = `# 1 "lib.h" 1
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
# 100 "other.c" 2
int main(void) {
  if (__VERIFIER_nondet_int() == 6)
#line 7 "third.c"
    reach_error();
}
`;
  const { entry } = await witnessOf(text);
  const places = entry.content.map(c => c.segment?.[0].waypoint.location as Place);
  t.same(
    places.map(p => [p.file_name, p.line, textAt(text, p)]),
    [
      ['a.c', 6, ') == 6)'],
      ['a.c', 8, 'reach_error();'],
    ],
  );
});

const LOOPS: readonly (readonly [name: string, text: string])[] = [
  [
    'variables of the same name, and a function that is called twice',
    `extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
static int total;
int i = 100;
static void add(int n) {
  int seen = 0;
  while (seen < n) { seen++; total++; if (seen > 5) reach_error(); }
}
int main(void) {
  for (int i = 0; i < 4; i++) {
    if (i > 3 || i < 0) reach_error();
    for (unsigned char i = 250; i > 245; i--) { if (i > 250) reach_error(); }
  }
  add(3);
  add(5);
  if (i != 100) reach_error();
  return 0;
}
`,
  ],
  [
    'signs, structs and pointers',
    `extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
struct state { short level; unsigned char mode; struct { long long big; } inner; } s;
int main(void) {
  int *p = 0;
  s.level = -7;
  s.inner.big = -5000000000LL;
  while (__VERIFIER_nondet_int()) {
    if (s.level < 0) s.mode = (unsigned char)(s.mode ^ 1);
    else { p = (int *)&s; s.inner.big++; }
    if (s.level != -7 || s.mode > 1 || p != 0 || s.inner.big != -5000000000LL) reach_error();
  }
  return 0;
}
`,
  ],
  ...['examples/ring-buffer.c', 'examples/elevator.c'].map(
    file => [file, readFileSync(new URL(`../../../${file}`, import.meta.url), 'utf8')] as const,
  ),
];

/** The program in which loops check conditions before every round. */
function checking(text: string, invariants: readonly Invariant[], opposite: boolean): string {
  const lines = text.split('\n');
  // From the back, so that places before stay where they are.
  for (const { location, value } of [...invariants].sort((a, b) => b.location.line - a.location.line)) {
    const { line, column } = location;
    const before = lines[line - 1].slice(0, column - 1);
    const after = lines[line - 1].slice(column - 1);
    const condition = `${opposite ? '!' : ''}(${value}) || (reach_error(), 0), `;
    const isFor = after.startsWith('for');
    const at = isFor ? after.indexOf(';') + 1 : after.indexOf('(') + 1;
    const always = isFor && /^\s*;/.test(after.slice(at)) ? '1' : '';
    lines[line - 1] = `${before}${after.slice(0, at)} ${condition}${always}${after.slice(at)}`;
  }
  return `extern void reach_error(void);\n${lines.join('\n')}`;
}

t.test('invariants hold where they are said to hold', async t => {
  for (const [name, text] of LOOPS) {
    const { verdict, entry } = await witnessOf(text);
    t.equal(verdict, 'safe', name);
    t.equal(entry.entry_type, 'invariant_set');
    const invariants = entry.content.map(c => c.invariant as Invariant);
    t.ok(invariants.length > 0, `something is said of ${name}`);
    for (const { type, format, location, value } of invariants) {
      t.same([type, format], ['loop_invariant', 'c_expression']);
      t.same(Object.keys(location), ['file_name', 'line', 'column', 'function']);
      t.match(textAt(text, location), /^(for|while) \(/, 'where the statement begins');
      t.notMatch(value, /@|%|#/, 'no names of our own');
    }
    const checked = programQuestion(await modulesOf(checking(text, invariants, false)));
    t.equal(
      verdictOf(checked, heavy).kind,
      'safe',
      `${name} with ${JSON.stringify(invariants.map(i => i.value))}`,
    );
    for (const invariant of invariants) {
      const wrong = programQuestion(await modulesOf(checking(text, [invariant], true)));
      t.equal(verdictOf(wrong, heavy).kind, 'unsafe', 'the loop is reached, and the check there counts');
    }
  }
});

t.test('nothing is said of do loops', async t => {
  // Their invariants are asked for where the condition is evaluated, and known where a round begins.
  const { verdict, entry } = await witnessOf(`extern void reach_error(void);
int main(void) {
  int i = 0;
  do { if (i > 8) reach_error(); i += 2; } while (i != 10);
  return 0;
}
`);
  t.equal(verdict, 'safe');
  t.same(entry.content, []);
});
