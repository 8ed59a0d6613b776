/**
 * Several modules as one program: a function or variable that is only declared in one is what another defines. What is a
 * module's own business has a name of its own, and definitions that give way to others do.
 */
import type { Checkpoint } from '../../sat/checkpoint.ts';
import { InputError } from '../diagnostic.ts';
import type { FunctionDefinition, GlobalVariable, Module } from './module.ts';
import { linkageOf } from './text/linkage.ts';
import { readModule } from './text/reader.ts';

export interface ModuleText {
  readonly name: string;
  readonly text: string;
}

export function readProgram(file: string, texts: readonly ModuleText[], checkpoint: Checkpoint): Module {
  if (texts.length === 1) return readModule(texts[0].name, texts[0].text, checkpoint);
  const functions = new Map<string, FunctionDefinition>();
  const variables = new Map<string, GlobalVariable>();
  const givesWay = new Set<FunctionDefinition | GlobalVariable>();
  let pointerWidth: Module['pointerWidth'] | undefined;
  texts.forEach(({ name: from, text }, i) => {
    const { local, replaceable } = linkageOf(text);
    const module = readModule(from, text, checkpoint, name => (local.has(name) ? `${name}@${i}` : name));
    if (pointerWidth !== undefined && module.pointerWidth !== pointerWidth)
      throw new InputError(from, 1, 1, 'its pointers are not as wide as those of the other files');
    ({ pointerWidth } = module);
    for (const [name, f] of module.functions) {
      if (replaceable.has(name)) givesWay.add(f);
      const known = functions.get(name);
      if (known === undefined || known.blocks.length === 0) functions.set(name, f);
      else if (f.blocks.length === 0 || givesWay.has(f)) continue;
      else if (givesWay.has(known)) functions.set(name, f);
      else throw new InputError(f.place?.file ?? from, f.place?.line ?? 1, 1, `'${name}' is defined twice`);
    }
    for (const [name, v] of module.variables) {
      if (replaceable.has(name)) givesWay.add(v);
      const known = variables.get(name);
      if (known?.initializer === undefined) variables.set(name, v);
      else if (v.initializer === undefined || givesWay.has(v)) continue;
      else if (givesWay.has(known)) variables.set(name, v);
      else
        throw new InputError(
          v.debug?.place?.file ?? from,
          v.debug?.place?.line ?? 1,
          1,
          `'${name}' is defined twice`,
        );
    }
  });
  return { file, pointerWidth: pointerWidth ?? 64, functions, variables };
}
