/**
 * Lifting: which latches a step rests on. A model of a step assigns all latches of the cone; those whose value can change,
 * with the inputs as they are, without the step's goals becoming false, do not belong into the cube of states to be
 * blocked.
 *
 * First by justification, from the goals downwards: a false conjunction needs one false argument, and of several the one
 * that costs the fewest latches is taken. Then by ternary simulation (Eén, Mishchenko and Brayton 2011): each latch that
 * is left is made unknown, and stays so if that reaches no goal.
 *
 * Arrays are indexed by node and valid for the nodes of the current cone only.
 */
import { IntStack } from '../../../sat/int-stack.ts';
import { type Cube, cubeOf } from '../ic3/literal-cube.ts';
import type { Activity } from './activity.ts';
import { IntHeap } from './int-heap.ts';
import { Kind, type Netlist } from './netlist.ts';
import { UNKNOWN } from './ternary.ts';

const MAX_COST = 1 << 20;

export class Lifter {
  private readonly netlist: Netlist;
  private readonly activity: Activity;
  private readonly cost: Int32Array; // latches that a node's value rests on, about
  private readonly choice: Int32Array; // a false conjunction's argument; of a choice, 1 if its two values will do
  private readonly needed: Int32Array; // the last question that needed the node
  private readonly inCone: Int32Array; // the last question whose cone has the node
  private readonly isGoal: Int32Array; // the last question that has it as a goal
  private question = 0;
  private readonly ternary: Uint8Array; // 0, 1 or UNKNOWN
  private readonly heap: IntHeap;
  private readonly stack = new IntStack();
  private readonly latches = new IntStack();
  private readonly changed = new IntStack(); // nodes that became unknown

  constructor(netlist: Netlist, activity: Activity) {
    this.netlist = netlist;
    this.activity = activity;
    const { count } = netlist;
    this.cost = new Int32Array(count);
    this.choice = new Int32Array(count);
    this.needed = new Int32Array(count);
    this.inCone = new Int32Array(count);
    this.isGoal = new Int32Array(count);
    this.ternary = new Uint8Array(count);
    this.heap = new IntHeap(count);
  }

  /**
   * A cube of latches that makes all goals true, where `values` does. The cone has the nodes below the goals, arguments
   * first. Latches of low activity are dropped first.
   */
  lift(cone: IntStack, values: Uint8Array, goals: readonly number[]): Cube {
    this.question++;
    this.weigh(cone, values);
    this.justify(values, goals);
    this.spread(cone, values, goals);
    const { latches, ternary } = this;
    const justified = cubeOf(latches.data.subarray(0, latches.size).map(n => (n << 1) | (1 - values[n])));
    for (const literal of this.activity.ascending(justified)) this.tryUnknown(literal >> 1);
    return cubeOf(justified.literals.filter(l => ternary[l >> 1] !== UNKNOWN));
  }

  /** How many latches the value of each node rests on, at most. */
  private weigh(cone: IntStack, values: Uint8Array): void {
    const { cost, choice, netlist, inCone, question } = this;
    const { kind, start, fanin, latchCount } = netlist;
    for (let i = 0; i < cone.size; i++) {
      const n = cone.data[i];
      inCone[n] = question;
      const first = start[n];
      const end = start[n + 1];
      if (kind[n] === Kind.LEAF) {
        cost[n] = n >= 1 && n <= latchCount ? 1 : 0;
      } else if (kind[n] === Kind.CHOICE) {
        const c = fanin[first];
        const a = fanin[first + 1];
        const b = fanin[first + 2];
        const taken = (values[c >> 1] ^ (c & 1)) === 1 ? a : b;
        const byCondition = cost[c >> 1] + cost[taken >> 1];
        const byValues = cost[a >> 1] + cost[b >> 1];
        const isEqual = (values[a >> 1] ^ (a & 1)) === (values[b >> 1] ^ (b & 1));
        choice[n] = isEqual && byValues < byCondition ? 1 : 0;
        cost[n] = Math.min(MAX_COST, choice[n] === 1 ? byValues : byCondition);
      } else if (values[n] === 1) {
        let sum = 0;
        for (let k = first; k < end; k++) sum += cost[fanin[k] >> 1];
        cost[n] = Math.min(MAX_COST, sum);
      } else {
        let best = -1;
        for (let k = first; k < end; k++) {
          const e = fanin[k];
          if ((values[e >> 1] ^ (e & 1)) === 0 && (best < 0 || cost[e >> 1] < cost[best])) best = e >> 1;
        }
        choice[n] = best;
        cost[n] = cost[best];
      }
    }
  }

  /** Collects the latches that the goals rest on. */
  private justify(values: Uint8Array, goals: readonly number[]): void {
    const { choice, netlist, stack, latches, isGoal, question } = this;
    const { kind, start, fanin, latchCount } = netlist;
    latches.clear();
    for (const g of goals) {
      isGoal[g >> 1] = question;
      this.need(g >> 1);
    }
    while (stack.size > 0) {
      const n = stack.data[--stack.size];
      const first = start[n];
      if (kind[n] === Kind.LEAF) {
        if (n >= 1 && n <= latchCount) latches.push(n);
      } else if (kind[n] === Kind.CHOICE) {
        const c = fanin[first];
        const isTaken = (values[c >> 1] ^ (c & 1)) === 1;
        if (choice[n] === 0) this.need(c >> 1);
        if (choice[n] === 1 || isTaken) this.need(fanin[first + 1] >> 1);
        if (choice[n] === 1 || !isTaken) this.need(fanin[first + 2] >> 1);
      } else if (values[n] === 1) {
        for (let k = first; k < start[n + 1]; k++) this.need(fanin[k] >> 1);
      } else {
        this.need(choice[n]);
      }
    }
  }

  private need(n: number): void {
    if (this.needed[n] === this.question) return;
    this.needed[n] = this.question;
    this.stack.push(n);
  }

  /** Sets the ternary value of each node of the cone, with all latches unknown that justification left out. */
  private spread(cone: IntStack, values: Uint8Array, goals: readonly number[]): void {
    const { netlist, ternary, needed, question } = this;
    const { kind, latchCount } = netlist;
    for (let i = 0; i < cone.size; i++) {
      const n = cone.data[i];
      const isOpen = n >= 1 && n <= latchCount && needed[n] !== question;
      if (kind[n] === Kind.LEAF) ternary[n] = isOpen ? UNKNOWN : values[n];
      else ternary[n] = this.evaluate(n);
    }
    for (const g of goals) if (ternary[g >> 1] === UNKNOWN) throw new Error('justification lost a goal');
  }

  /** Makes a latch unknown, unless a goal would become unknown, too. */
  private tryUnknown(latch: number): void {
    const { netlist, ternary, heap, changed, inCone, isGoal, question } = this;
    const { outStart, fanout } = netlist;
    if (isGoal[latch] === question) return;
    changed.clear();
    let isLost = false;
    let n = latch;
    for (;;) {
      changed.push(n);
      changed.push(ternary[n]);
      ternary[n] = UNKNOWN;
      if (isGoal[n] === question) {
        isLost = true;
        break;
      }
      for (let k = outStart[n]; k < outStart[n + 1]; k++) {
        const m = fanout[k];
        if (inCone[m] === question && ternary[m] !== UNKNOWN) heap.insert(m);
      }
      let found = -1;
      while (heap.size > 0 && found < 0) {
        const m = heap.pop();
        if (this.evaluate(m) === UNKNOWN) found = m;
      }
      if (found < 0) break;
      n = found;
    }
    heap.clear();
    if (!isLost) return;
    for (let i = 0; i < changed.size; i += 2) ternary[changed.data[i]] = changed.data[i + 1];
  }

  private evaluate(n: number): number {
    const { netlist, ternary } = this;
    const { kind, start, fanin } = netlist;
    const first = start[n];
    if (kind[n] === Kind.CHOICE) {
      const c = fanin[first];
      const a = fanin[first + 1];
      const b = fanin[first + 2];
      const condition = ternary[c >> 1];
      const yes = ternary[a >> 1] === UNKNOWN ? UNKNOWN : ternary[a >> 1] ^ (a & 1);
      const no = ternary[b >> 1] === UNKNOWN ? UNKNOWN : ternary[b >> 1] ^ (b & 1);
      if (condition === UNKNOWN) return yes === no ? yes : UNKNOWN;
      return (condition ^ (c & 1)) === 1 ? yes : no;
    }
    let result = 1;
    for (let k = first; k < start[n + 1]; k++) {
      const e = fanin[k];
      const value = ternary[e >> 1];
      if (value === UNKNOWN) result = UNKNOWN;
      else if ((value ^ (e & 1)) === 0) return 0;
    }
    return result;
  }
}
