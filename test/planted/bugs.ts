/**
 * Known ways to be unsound or incomplete, one at a time: a piece of source text, which must occur exactly once in its file
 * so that the list cannot rot, what to put in its place, and the probe that must notice.
 */
export type ProbeName = 'sat' | 'euf' | 'bits' | 'engine' | 'evidence' | 'reader';

export const PROBES: readonly ProbeName[] = ['sat', 'euf', 'bits', 'engine', 'evidence', 'reader'];

export interface PlantedBug {
  readonly name: string;
  readonly file: string;
  readonly find: string;
  readonly replace: string;
  readonly probe: ProbeName;
  /** Where the sources notice themselves: a crash with this message counts as well, and no other does. */
  readonly crash?: string;
}

export const BUGS: readonly PlantedBug[] = [
  // ---- the SAT engine ----
  {
    name: 'a core lacks an assumption',
    file: 'src/sat/analyze.ts',
    find: 'else if (ref === DECISION) core.push(lit);',
    replace: 'else if (ref === DECISION && core.size < 2) core.push(lit);',
    probe: 'sat',
  },
  {
    name: 'a learnt clause has no more than three literals',
    file: 'src/sat/analyze.ts',
    find: 'learntLits[learntSize++] = lit;',
    replace: 'if (learntSize < 3) learntLits[learntSize++] = lit;',
    probe: 'sat',
  },
  {
    name: 'the proof checker believes every clause',
    file: 'src/sat/checker.ts',
    find: 'if (kind !== INPUT && kind !== AXIOM && !this.follows(literals)) {',
    replace: 'if (kind === DELETED && !this.follows(literals)) {',
    probe: 'sat',
  },
  // ---- equality ----
  {
    name: 'an explanation of congruence lacks the first arguments',
    file: 'src/euf/explain.ts',
    find: 'for (let k = 0; k < arity; k++) {',
    replace: 'for (let k = 1; k < arity; k++) {',
    probe: 'euf',
  },
  {
    name: 'an explanation of a value lacks an argument',
    file: 'src/euf/explain.ts',
    find: 'for (let i = firstArg[payload]; i < firstArg[payload + 1]; i++) {',
    replace: 'for (let i = firstArg[payload] + 1; i < firstArg[payload + 1]; i++) {',
    probe: 'euf',
  },
  {
    name: 'the explanation of a conflict lacks one of its ends',
    file: 'src/euf/theory.ts',
    find: 'explainer.explain(b, graph.value[graph.root[b]]);',
    replace: '',
    probe: 'euf',
  },
  {
    name: 'a class keeps its value when the merge that gave it is undone',
    file: 'src/euf/egraph.ts',
    find: 'value[parent] = trail.data[at + 4];',
    replace: '',
    probe: 'euf',
    crash: 'so there is nothing to explain',
  },
  // ---- bits and arrays ----
  {
    name: 'division by zero is zero',
    file: 'src/term/bitvector.ts',
    find: 'return b === 0 ? smallMask(w) : (a / b) >>> 0;',
    replace: 'return b === 0 ? 0 : (a / b) >>> 0;',
    probe: 'bits',
  },
  {
    name: 'a carry is lost',
    file: 'src/bv/circuits.ts',
    find: 'carry = aig.or(aig.and(a[i], b[i]), aig.and(half, carry));',
    replace: 'carry = aig.and(a[i], b[i]);',
    probe: 'bits',
  },
  {
    name: 'the signed order is the unsigned one',
    file: 'src/bv/circuits.ts',
    find: 'return this.less(flippedSign(a), flippedSign(b), orEqual);',
    replace: 'return this.less(a, b, orEqual);',
    probe: 'bits',
  },
  {
    name: 'a lemma about reading over a write lacks the premise that the indices differ',
    file: 'src/bv/lemmas/descent.ts',
    find: 'clause.givenDifferent(access.index, write.index);',
    replace: '',
    probe: 'bits',
  },
  {
    name: 'accesses to an array that disagree are not noticed',
    file: 'src/bv/lemmas/descent.ts',
    find: 'if (other.elementValue !== access.elementValue) this.addMeeting(access, other);',
    replace: '',
    probe: 'bits',
  },
  {
    name: 'the rewriter takes the exclusive or of a constant of ones and x for x',
    file: 'src/term/rewrite/bitvector-rules.ts',
    find: 'if (a === ones(terms, a)) return r.mk(Op.BVNOT, [b]);',
    replace: 'if (a === ones(terms, a)) return b;',
    probe: 'bits',
  },
  // ---- the engine ----
  {
    name: 'the core of a blocked cube may have an initial state',
    file: 'src/core/ic3/generalize.ts',
    find: 'if (core.length > 0 && this.queries.initialCore(core) !== undefined) return core;',
    replace: 'if (core.length > 0) return core;',
    probe: 'engine',
  },
  {
    name: 'literals are dropped without regard to initial states',
    file: 'src/core/ic3/generalize.ts',
    find: 'if (this.queries.initialCore(smaller) === undefined) return undefined;',
    replace: '',
    probe: 'engine',
    crash: 'an unreachable cube has an initial state',
  },
  {
    name: 'the questions of the search lack a constraint',
    file: 'src/core/ic3/part.ts',
    find: 'for (const f of formulas.constraints)',
    replace: 'for (const f of formulas.constraints.slice(1))',
    probe: 'engine',
  },
  {
    name: 'the last state of a run needs a successor',
    file: 'src/core/ic3/part.ts',
    find: 'this.assert(f, common.isStep);',
    replace: 'this.assert(f);',
    probe: 'engine',
  },
  {
    name: 'a step starts one frame too late',
    file: 'src/core/ic3/queries.ts',
    find: "'step into cube', level - 1,",
    replace: "'step into cube', level,",
    probe: 'engine',
  },
  {
    name: 'a cube is blocked one frame too far',
    file: 'src/core/ic3/queries.ts',
    find: 'level: answer.frame + 1 };',
    replace: 'level: answer.frame + 2 };',
    probe: 'engine',
  },
  {
    name: 'a cube is blocked forever because the initial states do not reach it in a step',
    file: 'src/core/ic3/part.ts',
    find: 'frame: level === 0 ? 0 : levels[lowest] };',
    replace: 'frame: level === 0 ? INFINITY : levels[lowest] };',
    probe: 'engine',
  },
  {
    name: 'the successor of a step is not primed',
    file: 'src/core/ic3/queries.ts',
    find: 'const target = new Set(division.target(cube).map(l => this.prime.apply(l)));',
    replace: 'const target = new Set(division.target(cube));',
    probe: 'engine',
  },
  {
    name: 'a slice knows only one of the ways into its location',
    file: 'src/core/system/slices.ts',
    find: 'const ways = this.into.get(location) ?? [];',
    replace: 'const ways = (this.into.get(location) ?? []).slice(0, 1);',
    probe: 'engine',
  },
  {
    name: 'a slice lacks the guards of its ways',
    file: 'src/core/system/slices.ts',
    find: 'for (const g of guards) relations.push(this.implication(selection, g));',
    replace: '',
    probe: 'engine',
  },
  {
    name: 'the invariant is taken from one frame too late',
    file: 'src/core/ic3/engine.ts',
    find: 'return terms.and(frames.excluded(i + 1).map(c => clauseOf(terms, c)));',
    replace: 'return terms.and(frames.excluded(i + 2).map(c => clauseOf(terms, c)));',
    probe: 'engine',
  },
  {
    name: 'projection forgets the condition of an ite',
    file: 'src/core/ic3/projection.ts',
    find: 'this.need(terms.arg(t, 0));',
    replace: '',
    probe: 'engine',
  },
  {
    name: 'a lemma has a literal the wrong way round',
    file: 'src/core/refine/lemma.ts',
    find: '.map(l => this.rewriter.not(l))',
    replace: '.map((l, i) => (i === 0 ? l : this.rewriter.not(l)))',
    probe: 'engine',
  },
  {
    name: 'the steps of a path are not tied together',
    file: 'src/core/refine/refiner.ts',
    find: 'if (defined.has(variable) || !used.has(variable)) continue;',
    replace: 'if (defined.has(variable) || used.has(variable)) continue;',
    probe: 'engine',
  },
  {
    name: 'a run has the inputs of the first step in every step',
    file: 'src/core/refine/run.ts',
    find: 'for (const y of system.inputs) step.set(y, valueAt(y, i));',
    replace: 'for (const y of system.inputs) step.set(y, valueAt(y, 0));',
    probe: 'engine',
  },
  // ---- evidence ----
  {
    name: 'replay ignores constraints',
    file: 'src/core/check/replay.ts',
    find: "firstComplaint(constraints, c => expect(c, 'a constraint is violated')) ??",
    replace: '',
    probe: 'evidence',
  },
  {
    name: 'replay ignores the last transition',
    file: 'src/core/check/replay.ts',
    find: '(i < last ? expect(trans,',
    replace: '(i < last - 1 ? expect(trans,',
    probe: 'evidence',
  },
  {
    name: 'replay ignores the initial condition',
    file: 'src/core/check/replay.ts',
    find: "(i === 0 ? expect(init, 'this is no initial state') : undefined) ??",
    replace: '',
    probe: 'evidence',
  },
  {
    name: 'an invariant need not hold initially',
    file: 'src/core/system/proof.ts',
    find: 'ofInvariant: [not(invariant)] }',
    replace: 'ofInvariant: [terms.false] }',
    probe: 'evidence',
  },
  {
    name: 'an invariant need not be inductive',
    file: 'src/core/system/proof.ts',
    find: 'ofInvariant: [invariant, not(next)] }',
    replace: 'ofInvariant: [invariant, not(invariant)] }',
    probe: 'evidence',
  },
  {
    name: 'an invariant need not imply the property',
    file: 'src/core/system/proof.ts',
    find: 'ofSystem: [...constraints, not(property.formula)], ofInvariant: [invariant] }',
    replace: 'ofSystem: [...constraints, not(property.formula)], ofInvariant: [terms.false] }',
    probe: 'evidence',
  },
  {
    name: 'an invariant may speak of inputs',
    file: 'src/core/check/invariant.ts',
    find: 'if (foreign === undefined) return undefined;',
    replace: 'if (foreign !== invariant) return undefined;',
    probe: 'evidence',
  },
  {
    name: 'only the first lemma of a proof is checked',
    file: 'src/core/check/invariant.ts',
    find: '...proof.lemmas.map((_, i) => () => checkLemma(system, proof, i, options)),',
    replace: '...proof.lemmas.slice(0, 1).map((_, i) => () => checkLemma(system, proof, i, options)),',
    probe: 'evidence',
  },
  {
    name: 'operators that differ in their indices only are one function in the check of proofs',
    file: 'src/core/check/purify.ts',
    find: "const key = [source.op(t), source.payload(t), ...sorts].join(' ');",
    replace:
      "const key = [source.op(t), source.op(t) === Op.APPLY && source.payload(t), ...sorts].join(' ');",
    probe: 'evidence',
  },
  // ---- reading ----
  {
    name: 'of several initial conditions, only the first counts',
    file: 'src/input/vmt/assemble.ts',
    find: 'init: this.conjunction(init),',
    replace: 'init: this.conjunction(init.slice(0, 1)),',
    probe: 'reader',
  },
  {
    name: 'of several parts of the transition relation, only the first counts',
    file: 'src/input/vmt/assemble.ts',
    find: 'trans: this.conjunction(trans),',
    replace: 'trans: this.conjunction(trans.slice(0, 1)),',
    probe: 'reader',
  },
];
