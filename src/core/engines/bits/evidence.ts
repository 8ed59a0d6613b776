/** What bit-level IC3 has to show for its answers, in the language of the system: an invariant, or a run. */
import { type Edge, isComplemented, nodeOf } from '../../../bv/aig.ts';
import { Cnf } from '../../../bv/cnf.ts';
import { OwnEngine } from '../../../bv/own-engine.ts';
import { Op } from '../../../term/operators.ts';
import { Rewriter } from '../../../term/rewrite/rewriter.ts';
import type { SortId } from '../../../term/sort.ts';
import type { TermId, TermStore } from '../../../term/store.ts';
import { ArrayValue, allValues, domain, type Value } from '../../../term/value.ts';
import { NO_FUNCTIONS } from '../../problem/derivation.ts';
import { type Trace, traceAlong } from '../../problem/trace.ts';
import type { TransitionSystem } from '../../problem/transition-system.ts';
import type { Cube } from '../ic3/literal-cube.ts';
import type { Circuit } from './circuit.ts';
import type { BitState } from './queries.ts';
import type { SystemBits } from './system-bits.ts';

/** No state in one of the cubes, and the constants are constant. */
export function invariantOf(terms: TermStore, circuit: Circuit, cubes: readonly Cube[]): TermId {
  const rewriter = new Rewriter(terms);
  const literal = (word: TermId, bit: number, isSet: boolean) => {
    const isBoolean = terms.sort(word) === terms.sorts.bool;
    const one = terms.bv(1, 1);
    const formula = isBoolean ? word : rewriter.mk(Op.EQ, [one, rewriter.mk(Op.EXTRACT, [word], [bit, bit])]);
    return isSet ? formula : rewriter.mk(Op.NOT, [formula]);
  };
  const clauses = cubes.map(cube =>
    terms.or(
      Array.from(cube.literals, l => {
        const { word, bit } = circuit.latches[(l >> 1) - 1];
        return literal(word, bit, (l & 1) !== 0);
      }),
    ),
  );
  return terms.and([
    ...circuit.constants.map(({ of, isSet }) => literal(of.word, of.bit, isSet)),
    ...clauses,
  ]);
}

/** The run through the cubes of a path, from an initial state in the first. */
export function traceOf(
  system: TransitionSystem,
  bits: SystemBits,
  circuit: Circuit,
  path: readonly BitState[],
): Trace {
  const { terms } = system;
  const initial = initialState(bits, circuit, path[0].cube);
  const isOn = path.map(({ inputs }) => {
    const nodes = new Set(inputs);
    return (e: Edge) => nodes.has(circuit.nodeOf(e));
  });
  return traceAlong(system, {
    length: path.length,
    initial: v => variableValue(terms, bits, v, initial),
    input: (y, i) => variableValue(terms, bits, y, isOn[i]),
    after: (s, i) => variableValue(terms, bits, s.next, isOn[i]),
    functionValue: NO_FUNCTIONS,
  });
}

/** An initial state in a cube: whether an input of the system's graph is set there. */
function initialState(bits: SystemBits, circuit: Circuit, cube: Cube): (e: Edge) => boolean {
  const sat = new OwnEngine();
  const cnf = new Cnf(bits.aig, sat);
  for (const e of bits.init) cnf.assert(e);
  for (const l of cube.literals) cnf.assert((circuit.latches[(l >> 1) - 1].now ^ (l & 1)) as Edge);
  if (sat.solve([]) !== 'sat') throw new Error('a counterexample does not begin in an initial state');
  const values = cnf.evaluate();
  return e => (values[nodeOf(e)] === 1) !== isComplemented(e);
}

function variableValue(
  terms: TermStore,
  bits: SystemBits,
  variable: TermId,
  isSet: (e: Edge) => boolean,
): Value {
  const { sorts } = terms;
  const sort = terms.sort(variable);
  const words = bits.bitsOf(variable);
  if (!sorts.isArray(sort)) return wordValue(terms, sort, words[0], isSet);
  const element = sorts.elementSort(sort);
  const values = words.map(w => wordValue(terms, element, w, isSet));
  let array = ArrayValue.constant(values[0], domain(sorts, sorts.indexSort(sort)));
  for (const index of allValues(sorts, sorts.indexSort(sort)))
    array = array.store(index, values[Number(index)]);
  return array;
}

function wordValue(
  terms: TermStore,
  sort: SortId,
  word: readonly Edge[],
  isSet: (e: Edge) => boolean,
): Value {
  if (sort === terms.sorts.bool) return isSet(word[0]);
  let value = 0n;
  for (let i = word.length - 1; i >= 0; i--) value = 2n * value + (isSet(word[i]) ? 1n : 0n);
  return word.length <= 32 ? Number(value) : value;
}
