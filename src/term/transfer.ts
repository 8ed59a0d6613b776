/** Builds the terms of one store again in another: sorts and declared functions are matched one by one. */
import { Op } from './operators.ts';
import { type SortId, SortKind } from './sort.ts';
import type { FunctionId, TermId, TermStore } from './store.ts';

export class Transfer {
  private readonly from: TermStore;
  private readonly to: TermStore;
  private readonly sorts = new Map<SortId, SortId>();
  private readonly functions = new Map<FunctionId, FunctionId>();

  constructor(from: TermStore, to: TermStore) {
    this.from = from;
    this.to = to;
  }

  /** The way back, for what has been built so far. */
  inverse(): Transfer {
    const back = new Transfer(this.to, this.from);
    for (const [sort, image] of this.sorts) back.sorts.set(image, sort);
    for (const [f, image] of this.functions) back.functions.set(image, f);
    return back;
  }

  sort(sort: SortId): SortId {
    let image = this.sorts.get(sort);
    if (image === undefined) {
      image = this.newSort(sort);
      this.sorts.set(sort, image);
    }
    return image;
  }

  private newSort(sort: SortId): SortId {
    const { sorts } = this.from;
    const target = this.to.sorts;
    switch (sorts.kind(sort)) {
      case SortKind.BOOL:
        return target.bool;
      case SortKind.BITVEC:
        return target.bitVec(sorts.width(sort));
      case SortKind.ARRAY:
        return target.array(this.sort(sorts.indexSort(sort)), this.sort(sorts.elementSort(sort)));
      case SortKind.UNINTERPRETED:
        return target.declare(sorts.name(sort));
    }
  }

  function(f: FunctionId): FunctionId {
    let image = this.functions.get(f);
    if (image === undefined) {
      const { name, parameters, result } = this.from.symbol(f);
      image = this.to.declare(
        name,
        parameters.map(p => this.sort(p)),
        this.sort(result),
      );
      this.functions.set(f, image);
    }
    return image;
  }

  /** The node of the first store over arguments of the second. */
  node(t: TermId, args: readonly TermId[]): TermId {
    const { from, to } = this;
    const op = from.op(t);
    switch (op) {
      case Op.TRUE:
      case Op.FALSE:
        return to.bool(op === Op.TRUE);
      case Op.BV_CONST:
        return to.bv(from.width(t), from.bvValue(t));
      case Op.APPLY:
        return to.apply(this.function(from.functionOf(t)), args);
      case Op.CONST_ARRAY:
        return to.constArray(this.sort(from.sort(t)), args[0]);
      default:
        return to.app(op, args, from.indices(t));
    }
  }
}
