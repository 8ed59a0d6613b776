import type { Metafile } from 'esbuild';

export function buildPage(options?: {
  readonly outdir?: string;
  readonly withC?: boolean;
}): Promise<{ readonly outdir: string; readonly outputs: Metafile['outputs'] }>;
