/** The e-graph on its own: random merges, levels and late nodes against a closure computed from scratch. */
import t from 'tap';
import { EGraph, justify, NONE, NodeKind, Reason } from '../../src/euf/egraph.ts';
import { Explainer } from '../../src/euf/explain.ts';
import { Shortcuts } from '../../src/euf/shortcuts.ts';
import { brokenInvariant, notClosed } from '../support/egraph.ts';
import { type Random, seeded } from '../support/random.ts';

const EQ = 0;

/** Asserted equalities with their level, and the nodes as plain data: what the e-graph must agree with. */
class Reference {
  readonly asserted: { a: number; b: number; level: number; literal: number }[] = [];
  private readonly graph: EGraph;

  constructor(graph: EGraph) {
    this.graph = graph;
  }

  /** The congruence closure of some of the equalities: a representative for each node, or a conflict. */
  closure(equalities: readonly { a: number; b: number }[]): number[] | 'conflict' {
    const { graph } = this;
    const parent = Array.from({ length: graph.count }, (_, i) => i);
    const find = (n: number): number => (parent[n] === n ? n : find(parent[n]));
    const argsOf = (n: number) => [...graph.args.subarray(graph.firstArg[n], graph.firstArg[n + 1])];
    const isValue = (n: number) => (graph.kind[n] & NodeKind.VALUE) !== 0;
    const values = parent.filter(isValue);
    for (const { a, b } of equalities) parent[find(a)] = find(b);
    for (let changed = true; changed; ) {
      changed = false;
      const unite = (a: number, b: number) => {
        if (find(a) === find(b)) return;
        parent[find(a)] = find(b);
        changed = true;
      };
      const signatures = new Map<string, number>();
      for (let n = 0; n < graph.count; n++) {
        if (graph.symbol[n] === NONE) continue;
        const roots = argsOf(n).map(find);
        if (graph.symbol[n] === EQ) {
          roots.sort((x, y) => x - y);
          if (roots[0] === roots[1]) unite(n, graph.true);
          const [v, w] = roots.map(r => values.find(x => find(x) === r));
          if (v !== undefined && w !== undefined && v !== w) unite(n, graph.false);
        }
        const key = `${graph.symbol[n]} ${roots}`;
        const other = signatures.get(key);
        if (other !== undefined) unite(n, other);
        else signatures.set(key, n);
      }
    }
    if (new Set(values.map(find)).size < values.length) return 'conflict';
    return parent.map(find);
  }
}

function addRandomNode(graph: EGraph, random: Random, terms: number[], atoms: number[]): void {
  const pick = () => random.pick(terms);
  switch (random.below(5)) {
    case 0:
      terms.push(graph.addLeaf());
      return;
    case 1:
      terms.push(graph.addApplication(1, [pick()], NodeKind.PLAIN));
      return;
    case 2:
      terms.push(graph.addApplication(2, [pick(), pick()], NodeKind.PLAIN));
      return;
    case 3:
      if (random.chance(0.2)) terms.push(graph.addValue());
      return;
    default:
      atoms.push(graph.addApplication(EQ, [pick(), pick()], NodeKind.EQUALITY | NodeKind.EVALUABLE));
  }
}

t.test('random merges, levels and nodes', t => {
  const random = seeded(t);
  let conflicts = 0;
  let explanations = 0;
  for (let round = 0; round < 300; round++) {
    const graph = new EGraph(() => NONE);
    const explainer = new Explainer(graph, new Shortcuts());
    const reference = new Reference(graph);
    const terms = [graph.addLeaf(), graph.addLeaf(), graph.addLeaf()];
    const atoms: number[] = [];
    let literal = 2;
    let isConsistent = true;
    let hasPending = false; // merges must be carried out before a level is opened
    const fail = (what: string) => t.fail(`round ${round}: ${what}`);
    const compare = () => {
      const expected = reference.closure(reference.asserted);
      if (expected === 'conflict') {
        fail('a conflict was missed');
        return;
      }
      for (let a = 0; a < graph.count; a++) {
        const b = random.below(graph.count);
        if ((graph.root[a] === graph.root[b]) !== (expected[a] === expected[b])) {
          fail(`nodes ${a} and ${b}: ${expected[a] === expected[b] ? 'not' : 'wrongly'} merged`);
        }
        if (graph.root[a] !== graph.root[b]) continue;
        explanations++;
        explainer.begin();
        explainer.explain(a, b);
        const used = new Set(explainer.literals.data.subarray(0, explainer.literals.size));
        const closed = reference.closure(reference.asserted.filter(e => used.has(e.literal)));
        if (closed !== 'conflict' && closed[a] !== closed[b]) fail(`${a} = ${b} is not explained`);
      }
    };
    for (let step = 0; step < 60; step++) {
      const action = random.below(10);
      if (action < 4 && isConsistent) {
        addRandomNode(graph, random, terms, atoms);
      } else if (action < 7 && isConsistent) {
        literal += 2;
        const isAtom = atoms.length > 0 && random.chance(0.4);
        const a = isAtom ? random.pick(atoms) : random.pick(terms);
        const b = isAtom ? (random.chance(0.7) ? graph.false : graph.true) : random.pick(terms);
        graph.merge(a, b, justify(Reason.ASSERTED, literal));
        hasPending = true;
        reference.asserted.push({ a, b, level: graph.level, literal });
      } else if (action === 7 && isConsistent && !hasPending) {
        graph.newLevel();
      } else if (action === 8 && graph.level > 0) {
        const level = random.below(graph.level);
        graph.backtrack(level);
        while ((reference.asserted.at(-1)?.level ?? 0) > level) reference.asserted.pop();
        isConsistent = true;
        hasPending = false;
      }
      if (!isConsistent || random.chance(0.3)) continue;
      hasPending = false;
      if (graph.propagate()) {
        const broken = brokenInvariant(graph) ?? notClosed(graph);
        if (broken !== undefined) fail(broken);
        compare();
      } else {
        conflicts++;
        const { a, b, reason } = graph.clash;
        explainer.begin();
        explainer.explain(a, graph.value[graph.root[a]]);
        explainer.explain(b, graph.value[graph.root[b]]);
        explainer.explainStep(a, b, reason);
        const used = new Set(explainer.literals.data.subarray(0, explainer.literals.size));
        const equalities = reference.asserted.filter(e => used.has(e.literal));
        if (reference.closure(equalities) !== 'conflict') fail('the conflict is none');
        isConsistent = false;
        if (graph.level === 0) break;
      }
    }
  }
  t.comment(`${conflicts} conflicts, ${explanations} explanations`);
  t.ok(conflicts > 50 && explanations > 1000);
  t.end();
});

t.test('undoing everything leaves nothing behind', t => {
  const graph = new EGraph(() => NONE);
  const x = Array.from({ length: 50 }, () => graph.addLeaf());
  const f = x.map(n => graph.addApplication(1, [n], NodeKind.PLAIN));
  t.ok(graph.propagate());
  graph.newLevel();
  for (let i = 1; i < 50; i++) graph.merge(x[i - 1], x[i], justify(Reason.ASSERTED, 2 * i));
  t.ok(graph.propagate());
  t.equal(new Set(f.map(n => graph.root[n])).size, 1, 'congruence');
  graph.backtrack(0);
  t.ok(graph.propagate());
  t.equal(new Set([...x, ...f].map(n => graph.root[n])).size, 100);
  t.equal(brokenInvariant(graph), undefined);
  t.end();
});
