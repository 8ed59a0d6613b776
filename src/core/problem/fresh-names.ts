/** Names for variables that are new to a problem, such that people and files can tell them from all that are there. */
import { conditionsOf, type Problem } from './problem.ts';

/** The wanted names, each with a number behind it if it is taken. */
export function freshNames({ terms, locations, edges }: Problem, wanted: readonly string[]): string[] {
  const formulas = [
    ...locations.flatMap(l => l.places),
    ...edges.flatMap(e => [...conditionsOf(e), ...e.values]),
  ];
  const variables = terms.postorder(formulas).filter(t => terms.isVariable(t));
  const taken = new Set([...locations.map(l => l.name), ...variables.map(v => terms.nameOf(v))]);
  return wanted.map(name => {
    let free = name;
    for (let i = 1; taken.has(free); i++) free = `${name}${i}`;
    taken.add(free);
    return free;
  });
}
