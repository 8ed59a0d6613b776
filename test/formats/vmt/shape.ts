/** Systems read from VMT text, and what they are, for tests of the reader and the writer. */
import type { System } from '../../../src/core/problem/system.ts';
import { readVmt } from '../../../src/formats/vmt/reader.ts';
import { printTerm } from '../../../src/term/printer.ts';
import { type TermId, TermStore } from '../../../src/term/store.ts';

/** Reads a text, with the warnings that it causes. */
export function read(text: string, strict = false): { system: System; warnings: string[] } {
  const warnings: string[] = [];
  const warn = (line: string) => void warnings.push(line);
  return { system: readVmt(new TermStore(), 'f.vmt', text, { strict, warn }), warnings };
}

/** What a system is, but for the numbers of its terms. */
export function shape({ terms, states, inputs, init, trans, constraints, properties }: System) {
  const variable = (v: TermId) => `${printTerm(terms, v)} ${terms.sorts.name(terms.sort(v))}`;
  return {
    states: states.map(s => [variable(s.current), variable(s.next)]),
    inputs: inputs.map(variable),
    init: printTerm(terms, init),
    trans: printTerm(terms, trans),
    constraints: constraints.map(c => printTerm(terms, c)),
    properties: properties.map(p => [p.index, p.name, printTerm(terms, p.formula)]),
  };
}
