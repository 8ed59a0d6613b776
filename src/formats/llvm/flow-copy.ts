/**
 * Copies a flow and adds to it on the way: before and after statements, beside phis and before the program ends. What is added may branch,
 * so a block may become several; it is about numbers only, so that it does not change what pointers may point to.
 */
import type { Checkpoint } from '../../sat/checkpoint.ts';
import { Builder } from './builder.ts';
import type { Flow, FlowBlock, InitialLeaf, Phi, Register, Site, Statement, Value } from './flow.ts';

export abstract class FlowCopy extends Builder {
  protected readonly flow: Flow;
  private readonly initial: Map<Site, readonly InitialLeaf[]>;

  constructor(flow: Flow, checkpoint: Checkpoint) {
    super(flow.pointerWidth, checkpoint);
    this.flow = flow;
    this.registers = flow.registers;
    this.sites.push(...flow.sites);
    this.initial = new Map(flow.initial);
  }

  /** What is said before a statement, with it, and after it. */
  protected abstract before(s: Statement): void;
  protected abstract copyOf(s: Statement): Statement;
  protected abstract after(s: Statement): void;
  /** A phi that goes with another. */
  protected abstract besides(phi: Phi): Phi | undefined;
  /** The program is about to end in the way it wants to. */
  protected abstract exit(): void;

  /** All that is computed here is a number. */
  override register(width: number): Register {
    return { ...super.register(width), isNumber: true };
  }

  run(): Flow {
    const { flow, blocks } = this;
    for (const { function: name, frame } of flow.blocks.slice(1)) {
      this.frame = frame;
      this.block(name);
    }
    const made = blocks.slice();
    const last = flow.blocks.map((old, i) => this.copied(old, made[i]).id);
    for (const { phis } of made) {
      for (const [i, { to, incoming }] of phis.entries())
        phis[i] = { to, incoming: new Map([...incoming].map(([from, v]) => [last[from], v])) };
    }
    return {
      ...flow,
      blocks,
      sites: this.sites,
      initial: this.initial,
      registers: this.registers,
    };
  }

  /** A variable of ours, zero at the start. */
  protected hidden(name: string): Site {
    const type = { kind: 'int', width: this.pointerWidth } as const;
    const site = this.site({
      kind: 'global',
      name,
      symbol: undefined,
      type: undefined,
      place: undefined,
      scope: undefined,
      size: this.pointerWidth / 8,
      initial: { type, value: { kind: 'integer', value: 0n, type } },
    });
    this.initial.set(site, []);
    return site;
  }

  /** Copies a block; returns the one that its end is in. */
  private copied(old: FlowBlock, made: FlowBlock): FlowBlock {
    this.current = made;
    this.frame = old.frame;
    made.loop = old.loop;
    for (const phi of old.phis) {
      const other = this.besides(phi);
      made.phis.push(phi, ...(other === undefined ? [] : [other]));
    }
    for (const s of old.statements) {
      this.place = s.place;
      this.before(s);
      this.emit(this.copyOf(s));
      this.after(s);
    }
    this.place = old.place;
    if (old.end.op === 'stop' && old.end.isExit) this.exit();
    this.end(old.end);
    return this.current;
  }

  protected addressOf(site: Site): Value {
    return { kind: 'address', site, offset: 0n, width: this.pointerWidth };
  }

  protected not(condition: Value): Value {
    return this.binary('xor', condition, this.constant(1, 1));
  }

  protected either(a: Value, b: Value): Value {
    return this.binary('or', a, b);
  }

  protected errorUnless(condition: Value, text: string): void {
    this.otherwise(condition, () => this.error(text));
  }

  protected trapUnless(condition: Value, reason: string): void {
    this.otherwise(condition, () => this.trap(reason));
  }

  private otherwise(condition: Value, end: () => void): void {
    const { function: name } = this.current;
    const [fine, wrong] = [this.block(name), this.block(name)];
    this.branch(condition, fine, wrong);
    this.current = wrong;
    end();
    this.current = fine;
  }
}
