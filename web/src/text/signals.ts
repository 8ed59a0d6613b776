/** What a waveform shows: variables with a value in each step. */
import { assignmentOf, type Run } from './run.ts';
import { treesOf } from './tree.ts';
import { valueText } from './values.ts';
import { readVcd } from './vcd.ts';

export interface Signal {
  readonly name: string;
  readonly kind: 'state' | 'input';
  /** High or low, and not a number. */
  readonly isBit: boolean;
  /** In each step; undefined before it has one. Bits are `0` or `1`. */
  readonly values: readonly (string | undefined)[];
}

export interface Waves {
  readonly signals: readonly Signal[];
  readonly steps: number;
}

/** Clauses have no variables that last, so their wires are those of the dump. */
export function wavesOf(run: Run, vcd: string): Waves {
  switch (run.format) {
    case 'euforia-trace': {
      const signals = (kind: 'state' | 'input') =>
        Object.keys(run.steps[0]?.[kind] ?? {}).map(name =>
          signal(
            name,
            kind,
            run.steps.map(step => shortValue(step[kind][name])),
          ),
        );
      return { signals: [...signals('state'), ...signals('input')], steps: run.steps.length };
    }
    case 'euforia-program-run': {
      const steps = run.steps.map(({ text }) => assignmentOf(text));
      const names = [...new Set(steps.flatMap(a => a?.name ?? []))];
      const signals = names.map(name => {
        let value: string | undefined;
        const values = steps.map(a => (value = a?.name === name ? a.value : value));
        return { name, kind: name.endsWith('()') ? 'input' : 'state', isBit: false, values } as const;
      });
      return { signals, steps: steps.length };
    }
    case 'euforia-derivation': {
      const { wires, times } = readVcd(vcd);
      return { signals: wires.map(w => signal(w.name, 'state', w.values)), steps: times };
    }
  }
}

function signal(name: string, kind: 'state' | 'input', values: readonly (string | undefined)[]): Signal {
  const isBit = values.every(
    v => v === undefined || v === 'true' || v === 'false' || v === 'bit 0' || v === 'bit 1',
  );
  const bit = (v: string | undefined) => v && (v === 'true' || v === 'bit 1' ? '1' : '0');
  return { name, kind, isBit, values: isBit ? values.map(bit) : values };
}

/** One bit is high or low; all else is a value. */
function shortValue(smt: string): string {
  return /^#b[01]$/.test(smt) ? `bit ${smt[2]}` : valueText(treesOf(smt)[0]);
}
