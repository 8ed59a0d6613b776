/** What a witness says of the files that were checked, and when it was made. */
import { createHash } from 'node:crypto';
import type { DataModel } from '../formats/c/flags.ts';
import type { WitnessTask } from '../formats/c/witness.ts';
import { readBytes } from './files.ts';
import { version } from './version.ts';

export function witnessTask(paths: readonly string[], dataModel: DataModel): WitnessTask {
  const files = paths.map(name => {
    const bytes = readBytes(name);
    return { name, text: new TextDecoder().decode(bytes), hash: sha256(bytes) };
  });
  return { files, dataModel, version, creationTime: creationTime(), digest: sha256 };
}

function sha256(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}

/** Now, or when SOURCE_DATE_EPOCH says it is (seconds since 1970), for those who want the same file every time. */
function creationTime(): Date {
  const given = process.env.SOURCE_DATE_EPOCH;
  return given !== undefined && /^\d{1,12}$/.test(given) ? new Date(1000 * Number(given)) : new Date();
}
