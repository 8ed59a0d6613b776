/**
 * Copies of the formulas of edges, with other terms in the place of their variables. They live in a term store of their own,
 * since there may be many of them, and what others keep for every term of a store must not grow with that.
 */
import { type FunctionId, type TermId, TermStore } from '../../../term/store.ts';
import { Transfer } from '../../../term/transfer.ts';
import { conditionsOf, type Edge, inputsOf } from '../../problem/problem.ts';

/** An edge's terms, arguments first; of each the numbers of its arguments among them. */
interface Pattern {
  readonly order: readonly TermId[];
  readonly args: readonly (readonly number[])[];
  readonly index: ReadonlyMap<TermId, number>;
  readonly inputs: readonly TermId[];
}

/** What an edge says in one use of it. */
export interface EdgeCopy {
  readonly conditions: readonly TermId[];
  /** One for each place of the head. */
  readonly values: readonly TermId[];
  /** The variables that stand for its inputs. */
  readonly inputs: ReadonlyMap<TermId, TermId>;
}

export class EdgeCopies {
  /** Has all copies. */
  readonly terms = new TermStore();
  /** How many terms have been copied. */
  size = 0;
  private readonly source: TermStore;
  private readonly transfer: Transfer;
  private readonly patterns = new Map<Edge, Pattern>();

  constructor(source: TermStore) {
    this.source = source;
    this.transfer = new Transfer(source, this.terms);
  }

  /** A new variable for one of the problem. */
  variable(v: TermId, number: number): TermId {
    const { source, terms, transfer } = this;
    const name = source.nameOf(v);
    return terms.variable(`${name}@${number}`, transfer.sort(source.sort(v)));
  }

  /** What a declared function of the problem is called here. */
  function(f: FunctionId): FunctionId {
    return this.transfer.function(f);
  }

  /** `places`: what stands for the places of the sources. Inputs are new variables with the given number. */
  copy(edge: Edge, places: ReadonlyMap<TermId, TermId>, number: number): EdgeCopy {
    const { transfer } = this;
    const { order, args, index, inputs } = this.pattern(edge);
    const own = new Map(inputs.map(v => [v, this.variable(v, number)]));
    const images: TermId[] = [];
    order.forEach((t, i) => {
      const image = places.get(t) ?? own.get(t);
      images.push(
        image ??
          transfer.node(
            t,
            args[i].map(a => images[a]),
          ),
      );
    });
    this.size += order.length;
    const imageOf = (t: TermId) => images[index.get(t) as number];
    return {
      conditions: conditionsOf(edge).map(imageOf),
      values: edge.values.map(imageOf),
      inputs: own,
    };
  }

  private pattern(edge: Edge): Pattern {
    const { source } = this;
    let known = this.patterns.get(edge);
    if (known === undefined) {
      const order = source.postorder([...conditionsOf(edge), ...edge.values]);
      const index = new Map(order.map((t, i) => [t, i]));
      const args = order.map(t => source.args(t).map(a => index.get(a) as number));
      known = { order, args, index, inputs: inputsOf(source, edge) };
      this.patterns.set(edge, known);
    }
    return known;
  }
}
