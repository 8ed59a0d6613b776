/** What the page makes of texts, without a browser. */
import { readFileSync } from 'node:fs';
import t from 'tap';
import { type CheckResult, check } from '../../src/api.ts';
import { indented } from '../../web/src/text/indent.ts';
import { infix, ruleOf } from '../../web/src/text/infix.ts';
import { readInvariant } from '../../web/src/text/invariant.ts';
import { kindOf, nameFor } from '../../web/src/text/kind.ts';
import { pictureOf } from '../../web/src/text/picture.ts';
import { type Run, readRun } from '../../web/src/text/run.ts';
import { courses, Samples } from '../../web/src/text/samples.ts';
import { fromHash, toHash } from '../../web/src/text/share-link.ts';
import { wavesOf } from '../../web/src/text/signals.ts';
import { expanded, treesOf } from '../../web/src/text/tree.ts';
import { valueText } from '../../web/src/text/values.ts';
import { readVcd } from '../../web/src/text/vcd.ts';

const example = (name: string) => readFileSync(new URL(`../../examples/${name}`, import.meta.url), 'utf8');

/** The result, if it is as it should be. */
function expected<V extends CheckResult['verdict']>(
  result: CheckResult,
  verdict: V,
): Extract<CheckResult, { verdict: V }> {
  if (result.verdict !== verdict) throw new Error(`expected ${verdict} and not ${result.verdict}`);
  return result as Extract<CheckResult, { verdict: V }>;
}

const tree = (text: string) => treesOf(text)[0];

t.test('formulas as people write them', t => {
  for (const [smt, text] of [
    ['(= #x0a count)', 'count = 10'],
    ['(not (= #xa count))', 'count ≠ 10'],
    ['(not (bvult a b))', 'a ≥ b'],
    ['(or (= #x9 x) (not (= #xa (bvadd #x1 x))))', 'x + 1 = 10 ⇒ x = 9'],
    ['(or (not a) (not b) c d)', 'a ∧ b ⇒ c ∨ d'],
    ['(or (not a) (not b))', '¬a ∨ ¬b'],
    ['(bvmul (bvadd a b) c)', '(a + b) · c'],
    ['(bvsub a (bvsub b c))', 'a − (b − c)'],
    ['(select (store m i #xff) j)', 'm[i ↦ 255][j]'],
    ['((_ extract 7 0) x)', 'x[7:0]'],
    ['((_ extract 3 3) (bvadd x y))', '(x + y)[3]'],
    ['(ite p a b)', 'p ? a : b'],
    ['(f (g x) |a b|)', 'f(g(x), a b)'],
    ['(= x@12 #xffffffff)', 'x = −1'],
    ['(= x (_ bv7 64))', 'x = 7'],
    ['(and (or a b) c)', '(a ∨ b) ∧ c'],
  ]) {
    t.equal(infix(tree(smt)), text);
  }
  t.same(ruleOf(tree('(or a (not b))')), { when: ['b'], follows: ['a'] });
  t.equal(ruleOf(tree('(and a b)')), undefined);
  t.end();
});

t.test('S-expressions on several lines are the same expressions', t => {
  const text = '(or (not (= #x00000001 state@0)) (and (= a b) (f (g (h x)))))';
  t.equal(indented(tree(text), 80), text);
  t.equal(indented(tree(text), 40), '(or\n  (not (= #x00000001 state@0))\n  (and (= a b) (f (g (h x)))))');
  for (const columns of [5, 20, 30]) t.same(tree(indented(tree(text), columns)), tree(text));
  const shared = tree('(let ((p (= a b))) (let ((q (not p))) (and q (or p q))))');
  t.same(expanded(shared, 100), tree('(and (not (= a b)) (or (= a b) (not (= a b))))'));
  t.equal(expanded(shared, 8), shared, 'what would be too large stays as it is');
  t.end();
});

t.test('values', t => {
  t.equal(valueText(tree('#x000f')), '15');
  t.equal(valueText(tree('#xdeadbeef')), '0xdeadbeef');
  t.equal(valueText(tree('(as @S!3 S)')), 'S!3');
  const array = '(store (store ((as const (Array (_ BitVec 4) Bool)) false) #x1 true) #x2 true)';
  t.equal(valueText(tree(array)), 'all false, [1] = true, [2] = true');
  t.end();
});

t.test('the parts of an invariant, in each of the ways that formats word it', async t => {
  const counter = expected(await check(example('counter.vmt'), { property: 0 }), 'safe');
  const loops = expected(await check(example('two-loops.smt2'), { file: 'two-loops.smt2' }), 'safe');
  const [state, ...lemmas] = [...(readInvariant(counter.invariant)?.sections ?? [])].sort((a, b) =>
    b.kind.localeCompare(a.kind),
  );
  t.match(state, { kind: 'state', title: undefined });
  t.ok(lemmas.every(l => l.kind === 'lemma' && /^lemma-\d+$/.test(l.name) && l.formulas.length === 1));
  t.same(
    readInvariant(loops.invariant)?.sections.map(s => s.title),
    ['up(up.0, up.1, up.2)', 'down(down.0, down.1)'],
  );
  const program = readInvariant(
    '; in main, main:21#0\n(and (= a@0 b@0) (not c@0))\n; assumed: f returns any value\n',
  );
  t.match(program?.sections, [{ title: 'main, line 21', kind: 'state' }]);
  t.equal(program?.sections[0].formulas.length, 2);
  t.same(program?.notes, ['f returns any value']);
  t.equal(readInvariant('; k\n(set-info :k-induction 3)\n(define-fun inv () Bool true)')?.k, 3);
  t.equal(readInvariant('a < b ) && c'), undefined, 'anything else is shown as it is');
});

t.test('waves, from states and from a dump', async t => {
  const counter = expected(await check(example('counter.vmt'), { property: 1 }), 'unsafe');
  const waves = wavesOf(readRun(counter.trace) as Run, counter.vcd);
  t.match(waves, {
    steps: 6,
    signals: [
      { name: 'count', kind: 'state', isBit: false, values: ['0', '1', '2', '3', '4', '5'] },
      { name: 'hold', kind: 'input', isBit: true, values: ['0', '0', '0', '0', '0', '0'] },
    ],
  });
  const { wires, times } = readVcd(counter.vcd);
  t.equal(times, 6);
  t.same(wires.find(w => w.name.endsWith('count'))?.values, waves.signals[0].values, 'both say the same');
  const scoped =
    '$scope module top $end\n$scope module a $end\n$var wire 1 ! b $end\n$upscope $end\n$upscope $end\n#0\n1!\n#2\n0!\n#3';
  t.same(readVcd(scoped), { times: 3, wires: [{ name: 'a.b', values: ['bit 1', 'bit 1', 'bit 0'] }] });
});

t.test('the picture of the control graph', async t => {
  const question = { file: 'traffic-rules.smt2', property: 0 };
  const rules = expected(await check(example('traffic-rules.smt2'), question), 'unsafe');
  const { nodes, edges } = pictureOf(rules.graph);
  t.same(
    nodes.map(n => n.label),
    ['start', 'lights', 'crash', 'dark', 'violation'],
  );
  t.notOk(nodes.find(n => n.label === 'dark')?.isOnPath);
  const way = edges.flatMap(e => e.uses).sort((a, b) => a - b);
  t.same(way, [1, 2, 3, 4, 5], 'every step of the derivation is on some edge, once');
  t.equal(edges.find(e => e.from === e.to)?.label, 'lines 11, 12');
  const call = pictureOf({
    nodes: ['a', 'b'],
    edges: [{ from: [0, 0], to: 1, label: 'the clause in line 3' }],
    path: [],
  });
  t.equal(call.nodes.filter(n => n.kind === 'joint').length, 1, 'several premises come together');
});

t.test('the kind of a text', t => {
  for (const name of ['counter.vmt', 'two-loops.smt2', 'memory.btor2', 'lock.c', 'driver.c'] as const) {
    const kind = kindOf('anything', example(name));
    t.equal(nameFor(name, kind), name, `${name} is known by its content`);
    t.not(nameFor('other.ll', kind), 'other.ll', 'which counts more than a name');
  }
  t.equal(kindOf('a.c', ''), 'c');
  t.equal(kindOf('', 'what is this?'), undefined);
  t.end();
});

t.test('links', async t => {
  const shared = { name: 'ä.vmt', text: `${example('lag.vmt')}\n; ☃` };
  const hash = await toHash(shared);
  t.match(hash, /^v1=[\w-]+$/);
  t.ok(hash.length < shared.text.length);
  t.same(await fromHash(`#${hash}`), shared);
  t.equal(await fromHash(`#${hash.slice(0, 40)}`), undefined);
  t.equal(await fromHash('#elsewhere'), undefined);
});

t.test('there are never too many samples, and the last one counts', t => {
  const samples = new Samples();
  for (let i = 0; i < 10_000; i++) samples.add(i / 10, { phase: i % 7 ? 'a' : 'b', stats: { depth: i } });
  t.ok(samples.all.length <= 250);
  const { all } = samples;
  t.ok(all.every((s, i) => i === 0 || s.time >= all[i - 1].time));
  t.same([...courses(all, 'depth').keys()].sort(), ['a', 'b']);
  t.equal(courses(all, 'cubes').size, 0);
  t.end();
});
