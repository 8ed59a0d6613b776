/**
 * The same flow with fewer blocks: without those that no path leads to, those that do nothing, and those that only follow another one.
 * Slicing and inlining leave many of them.
 */
import { type End, type Flow, type FlowBlock, type Procedure, targetsOf, type Value } from './flow.ts';
import { reversePostorder } from './order.ts';

export function compacted(flow: Flow): Flow {
  const blocks: FlowBlock[] = [];
  const procedures = new Map<string, Procedure>();
  for (const [name, procedure] of flow.procedures) {
    const own = new Compaction(flow, procedure.blocks[0]).run(blocks.length);
    blocks.push(...own);
    procedures.set(name, { ...procedure, blocks: own });
  }
  return { ...flow, blocks, procedures };
}

/** A block that is being changed. */
interface Draft {
  readonly from: FlowBlock;
  readonly number: number; // in the order
  readonly phis: { readonly to: FlowBlock['phis'][number]['to']; readonly incoming: Map<Draft, Value> }[];
  statements: FlowBlock['statements'];
  end: End;
  place: FlowBlock['place'];
  loop: FlowBlock['loop'];
  targets: Draft[]; // in the order of `targetsOf`
  readonly sources: Set<Draft>;
  isGone: boolean;
}

class Compaction {
  private readonly drafts: Draft[];

  constructor(flow: Flow, entry: FlowBlock) {
    const order = reversePostorder(flow, entry);
    const made = new Map<number, Draft>();
    this.drafts = order.map((from, number) => {
      const { statements, end, place, loop } = from;
      const draft: Draft = {
        from,
        number,
        phis: [],
        statements,
        end,
        place,
        loop,
        targets: [],
        sources: new Set(),
        isGone: false,
      };
      made.set(from.id, draft);
      return draft;
    });
    for (const draft of this.drafts) {
      draft.targets = targetsOf(draft.from).map(t => made.get(t) as Draft);
      for (const t of draft.targets) t.sources.add(draft);
      for (const { to, incoming } of draft.from.phis) {
        const reached = [...incoming].flatMap(([id, value]): [Draft, Value][] => {
          const source = made.get(id);
          return source === undefined ? [] : [[source, value]];
        });
        draft.phis.push({ to, incoming: new Map(reached) });
      }
    }
  }

  run(first: number): FlowBlock[] {
    const [entry, ...others] = this.drafts;
    for (const draft of others.reverse()) if (draft !== entry) this.bypass(draft);
    for (const draft of this.drafts) if (!draft.isGone) this.absorb(draft);
    const left = this.drafts.filter(d => !d.isGone);
    const ids = new Map(left.map((d, i) => [d, first + i]));
    return left.map((draft): FlowBlock => {
      const { from, phis, statements, place } = draft;
      return {
        id: ids.get(draft) as number,
        phis: phis.map(({ to, incoming }) => ({
          to,
          incoming: new Map([...incoming].map(([d, value]) => [ids.get(d) as number, value])),
        })),
        statements,
        end: redirected(
          draft.end,
          draft.targets.map(t => ids.get(t) as number),
        ),
        place,
        function: from.function,
        frame: from.frame,
        loop: draft.loop,
        ...(from.isEntry ? { isEntry: true as const } : {}),
      };
    });
  }

  /** Whoever goes to a block that does nothing can go on to where that goes. */
  private bypass(draft: Draft): void {
    if (draft.end.op !== 'goto' || draft.statements.length > 0 || draft.phis.length > 0) return;
    if (draft.from.isEntry) return;
    const [target] = draft.targets;
    if (target === draft) return;
    // The head of a loop is told as what it is, not as the function that is called there.
    const isHead = [...draft.sources].some(s => s.number >= draft.number);
    if (isHead && target.from.function !== draft.from.function) return;
    if (target.phis.length > 0) {
      // It must still be told which way one comes.
      if ([...draft.sources].some(s => target.sources.has(s))) return;
      for (const { incoming } of target.phis) {
        const value = incoming.get(draft);
        incoming.delete(draft);
        if (value !== undefined) for (const s of draft.sources) incoming.set(s, value);
      }
    }
    target.loop ??= draft.loop;
    target.sources.delete(draft);
    for (const s of draft.sources) {
      s.targets = s.targets.map(t => (t === draft ? target : t));
      target.sources.add(s);
      if (s.targets.every(t => t === target)) {
        s.end = { op: 'goto', target: target.from.id };
        s.targets = [target];
      }
    }
    draft.isGone = true;
  }

  /** A block that follows another one, and no other, becomes part of it. */
  private absorb(draft: Draft): void {
    for (let target = this.only(draft); target !== undefined; target = this.only(draft)) {
      draft.statements = draft.statements.concat(target.statements);
      draft.end = target.end;
      draft.place = target.place;
      draft.targets = target.targets;
      for (const t of new Set(target.targets)) {
        t.sources.delete(target);
        t.sources.add(draft);
        for (const { incoming } of t.phis) {
          const value = incoming.get(target);
          incoming.delete(target);
          if (value !== undefined) incoming.set(draft, value);
        }
      }
      target.isGone = true;
    }
  }

  private only({ from, end, targets: [target] }: Draft): Draft | undefined {
    if (end.op !== 'goto' || target.sources.size > 1 || target.phis.length > 0) return undefined;
    if (target.from === from || target === this.drafts[0] || target.from.frame !== from.frame)
      return undefined;
    if (target.from.isEntry) return undefined;
    return target;
  }
}

function redirected(end: End, targets: readonly number[]): End {
  switch (end.op) {
    case 'goto':
      return { op: 'goto', target: targets[0] };
    case 'branch':
      return { ...end, ifTrue: targets[0], ifFalse: targets[1] };
    case 'switch':
      return {
        ...end,
        cases: end.cases.map(([n], i) => [n, targets[i]] as const),
        default: targets[targets.length - 1],
      };
    default:
      return end;
  }
}
