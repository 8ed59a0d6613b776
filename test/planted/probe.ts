/**
 * What the probes share. A probe is a small program that checks one part of the project against an independent account of
 * the truth: it ends well, or says on one line what it caught and exits with 1. Each is run on the sources as they are and
 * on sources with a planted bug (bugs.ts).
 *
 * Random numbers start from the same seed every time: whether a bug is caught must not depend on luck. EUFORIA_SEED=N
 * runs the same with another seed.
 */
import { OwnEngine } from '../../src/bv/own-engine.ts';
import { HeavyBackEnd } from '../../src/bv/tiered.ts';
import { Random } from '../support/random.ts';

/** The probe has found something wrong. */
export function caught(what: string): never {
  process.stdout.write(`caught: ${what}\n`);
  process.exit(1);
}

export function probeRandom(): Random {
  const seed = Number(process.env.EUFORIA_SEED ?? 1);
  process.stdout.write(`seed ${seed}\n`);
  return new Random(seed);
}

/** The probes are small enough for our own SAT engine. */
export const backEnd = () => new OwnEngine();

export async function lightOnly(): Promise<HeavyBackEnd> {
  const heavy = new HeavyBackEnd(
    () => Promise.reject(new Error('probes do without')),
    () => undefined,
  );
  await heavy.load();
  return heavy;
}
