/** A system, or a run, has something that the format to be written has no words for. */
export class NotExpressible extends Error {
  override readonly name = 'NotExpressible';
}

/** Why a format that lists every step has no words for a run. */
export const TOO_LONG = 'the run is too long to list';
