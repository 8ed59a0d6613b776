/** A system has something that the format to be written has no words for. */
export class NotExpressible extends Error {
  override readonly name = 'NotExpressible';
}
