/**
 * The first steps of a system as an SMT-LIB script: its answer is `sat` exactly if some run of at most so many steps
 * violates a property. What the system says is written once, as four functions of states and inputs, and every step
 * applies them to variables of its own, so the text grows with the number of variables and not with the circuit.
 *
 * A run may end anywhere, in a state without successors too: run@k says that there are k steps, and a violation in step k
 * asks for no more than that.
 */
import type { Property, System } from '../../core/problem/system.ts';
import { printTerm } from '../../term/printer.ts';
import { quoteSymbol } from '../../term/sort.ts';
import type { TermId } from '../../term/store.ts';
import { declarations, freeName, logicOf, namePortably, namesIn } from '../smtlib/script-text.ts';

export function writeSmt2Bmc(
  system: System,
  steps: number,
  properties: readonly Property[] = system.properties,
): string {
  return new BmcWriter(system, properties).write(steps);
}

class BmcWriter {
  private readonly system: System;
  private readonly taken: Set<string>;
  private readonly current: readonly TermId[]; // under the names that the script has for them
  private readonly next: readonly TermId[];
  private readonly inputs: readonly TermId[];
  private readonly formulas: readonly TermId[]; // init, trans, constraints, properties
  private readonly lines: string[] = [];

  constructor(system: System, properties: readonly Property[]) {
    const { terms, states, inputs } = system;
    this.system = system;
    const formulas = [
      system.init,
      system.trans,
      terms.and(system.constraints),
      terms.and(properties.map(p => p.formula)),
    ];
    const { named, remarks } = namePortably(terms, [
      ...states.map(s => s.current),
      ...states.map(s => s.next),
      ...inputs,
      ...formulas,
    ]);
    this.taken = namesIn(terms, named);
    const take = (count: number) => named.splice(0, count);
    this.current = take(states.length);
    this.next = take(states.length);
    this.inputs = take(inputs.length);
    this.formulas = named;
    this.lines.push(...remarks);
  }

  write(steps: number): string {
    const { current, next, inputs, formulas, lines } = this;
    const [initFormula, transFormula, constraint, property] = formulas;
    this.header(steps);
    const init = this.define('init', current, initFormula);
    const trans = this.define('trans', [...current, ...inputs, ...next], transFormula);
    const constraints = this.define('constraints', [...current, ...inputs], constraint);
    const properties = this.define('properties', [...current, ...inputs], property);
    const violations: string[] = [];
    let states = this.copies(current, 0);
    let before = application(init, states); // what holds before the constraints of the step
    for (let k = 0; k <= steps; k++) {
      const now = [...states, ...this.copies(inputs, k)];
      const run = this.name(`run@${k}`);
      lines.push(`(define-fun ${run} () Bool (and ${before} ${application(constraints, now)}))`);
      violations.push(`(and ${run} (not ${application(properties, now)}))`);
      if (k === steps) break;
      states = this.copies(current, k + 1);
      before = `${run} ${application(trans, [...now, ...states])}`;
    }
    lines.push(`(assert (or false ${violations.join(' ')}))`, '(check-sat)', '(exit)');
    return `${lines.join('\n')}\n`;
  }

  private header(steps: number): void {
    const { lines, formulas, current, next, inputs } = this;
    const { terms } = this.system;
    const variables = [...current, ...next, ...inputs];
    const ofVariables = new Set(declarations(terms, variables).filter(l => l.startsWith('(declare-fun')));
    lines.push(
      `; sat if a property is violated after at most ${steps} steps, unsat if not`,
      `(set-logic ${logicOf(terms, [...variables, ...formulas])})`,
      ...declarations(terms, [...variables, ...formulas]).filter(line => !ofVariables.has(line)),
    );
  }

  /** Defines a function of variables; gives its name. */
  private define(wanted: string, variables: readonly TermId[], body: TermId): string {
    const { terms } = this.system;
    const name = this.name(wanted);
    const parameters = variables.map(
      v => `(${quoteSymbol(this.nameOf(v))} ${terms.sorts.name(terms.sort(v))})`,
    );
    this.lines.push(`(define-fun ${name} (${parameters.join(' ')}) Bool ${printTerm(terms, body)})`);
    return name;
  }

  /** Declares variables of one step. */
  private copies(variables: readonly TermId[], step: number): string[] {
    const { terms } = this.system;
    return variables.map(v => {
      const name = this.name(`${this.nameOf(v)}@${step}`);
      this.lines.push(`(declare-fun ${name} () ${terms.sorts.name(terms.sort(v))})`);
      return name;
    });
  }

  private nameOf(variable: TermId): string {
    const { terms } = this.system;
    return terms.nameOf(variable);
  }

  /** A name that nothing else in the script has. */
  private name(wanted: string): string {
    const name = freeName(wanted, this.taken);
    this.taken.add(name);
    return quoteSymbol(name);
  }
}

function application(name: string, args: readonly string[]): string {
  return args.length === 0 ? name : `(${name} ${args.join(' ')})`;
}
