/** Some editors begin a file with this mark, which says nothing; as other tools do, every reader passes over it. */
import { InputError } from './diagnostic.ts';

const BYTE_ORDER_MARK = 0xfeff;

/** The mark of UTF-16, read as UTF-8, which it is not. */
const UTF_16 = '\ufffd\ufffd';

/** Throws an InputError if the text is in another encoding than UTF-8. */
export function withoutMark(file: string, text: string): string {
  if (text.startsWith(UTF_16)) throw new InputError(file, 1, 1, 'this is UTF-16; save it as UTF-8');
  return text.charCodeAt(0) === BYTE_ORDER_MARK ? text.slice(1) : text;
}
