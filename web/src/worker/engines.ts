/** The engines that there are, for those who want to choose among them. */
import { ON_VARIANTS, PORTFOLIO } from '../../../src/core/portfolio/table.ts';

export interface EngineName {
  readonly name: string;
  readonly help: string;
}

export function engines(): readonly EngineName[] {
  const kinds = new Set([...PORTFOLIO, ...ON_VARIANTS].map(r => r.kind));
  return [...kinds].map(({ name, help }) => ({ name, help }));
}
