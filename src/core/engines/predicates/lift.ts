/**
 * Lifting (thesis, section 3.2): of a state with a step, what makes the step lead where it does. The core of a question that
 * cannot be: the edge is taken, the inputs are what they are in the step, the state is as its labels say, and the guard
 * fails or the target is missed. With the inputs free there would be other steps, and nothing to lift. Where labels do
 * not suffice, bits are added. There is one solver for each edge: it knows nothing but the edge.
 */
import { negate } from '../../../sat/literals.ts';
import type { Work } from '../../../sat/work.ts';
import type { TermId } from '../../../term/store.ts';
import type { Value } from '../../../term/value.ts';
import { conditionsOf, type Edge, inputsOf, sourceOf } from '../../problem/problem.ts';
import { Encoding, type Region, type Shared } from './encoding.ts';

/** So many clauses of questions may be dead before a solver is made anew. */
const MAX_DEAD = 1000;

export class Lifter {
  private readonly shared: Shared;
  private readonly encodings = new Map<Edge, Encoding>();

  constructor(shared: Shared) {
    this.shared = shared;
  }

  /** States from which the edge leads into the target, or violates the property, with these inputs; all labels hold there. */
  *lift(
    edge: Edge,
    values: ReadonlyMap<TermId, Value>,
    labels: readonly number[],
    target: Region,
  ): Work<Region> {
    const { circuit } = this.shared;
    const encoding = this.encodingOf(edge);
    const inputs = circuit.bitsOf(inputsOf(circuit.terms, edge), values);
    const bits = circuit.bitsOf(sourceOf(edge)?.places ?? [], values);
    const fixed = encoding.of({ labels: [], bits: inputs });
    const ofLabels = encoding.of({ labels, bits: [] });
    const ofBits = encoding.of({ labels: [], bits });
    const held = [...conditionsOf(edge).map(f => encoding.literal(f)), ...encoding.into(target)];
    encoding.begin();
    const given = [encoding.reserve(held.map(negate)), ...fixed, ...ofLabels];
    const needsBits = yield* encoding.solve(given);
    if (needsBits && (yield* encoding.solve([...given, ...ofBits])))
      throw new Error('a step with all its values does not lead where it led');
    return {
      labels: labels.filter((_, i) => encoding.isUsed(ofLabels[i])),
      bits: needsBits ? bits.filter((_, i) => encoding.isUsed(ofBits[i])) : [],
    };
  }

  private encodingOf(edge: Edge): Encoding {
    let encoding = this.encodings.get(edge);
    if (encoding === undefined || encoding.dead > MAX_DEAD) {
      encoding = new Encoding(this.shared);
      encoding.takes([{ edge, when: undefined }]);
      this.encodings.set(edge, encoding);
    }
    return encoding;
  }
}
