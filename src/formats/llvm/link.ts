/** Several modules as one program: a function or variable that is only declared in one is what another defines. */
import { InputError } from '../diagnostic.ts';
import type { FunctionDefinition, GlobalVariable, Module } from './module.ts';

export function linked(file: string, modules: readonly Module[]): Module {
  if (modules.length === 1) return modules[0];
  const functions = new Map<string, FunctionDefinition>();
  const variables = new Map<string, GlobalVariable>();
  for (const module of modules) {
    for (const [name, f] of module.functions) {
      const known = functions.get(name);
      if (known !== undefined && known.blocks.length > 0 && f.blocks.length > 0)
        throw new InputError(
          module.file,
          f.place?.line ?? 1,
          f.place?.column ?? 1,
          `'${name}' is defined twice`,
        );
      if (known === undefined || f.blocks.length > 0) functions.set(name, f);
    }
    for (const [name, v] of module.variables) {
      const known = variables.get(name);
      if (known === undefined || v.initializer !== undefined) variables.set(name, v);
    }
  }
  return { file, pointerWidth: modules[0].pointerWidth, functions, variables };
}
