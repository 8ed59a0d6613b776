/** The engines that there are, for those who want to choose among them. */
import { PORTFOLIO } from '../../../src/core/portfolio/table.ts';

export interface EngineName {
  readonly name: string;
  readonly help: string;
}

export function engines(): readonly EngineName[] {
  return PORTFOLIO.map(({ kind }) => ({ name: kind.name, help: kind.help }));
}
