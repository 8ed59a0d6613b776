/** Strings of LLVM's textual IR: a backslash stands before two hexadecimal digits, or before another backslash. */

const BACKSLASH = 0x5c;

/** The text of a name or of metadata, which is UTF-8; left as it is written if it is not. */
export function decodeText(written: string): string {
  if (!written.includes('\\')) return written;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(decodeBytes(written));
  } catch {
    return written;
  }
}

/** The bytes of a string; a backslash before anything else is itself. */
export function decodeBytes(written: string): Uint8Array {
  const bytes = new TextEncoder().encode(written);
  let length = 0; // of what is decoded, which is never longer than what is written
  for (let i = 0; i < bytes.length; i++) {
    let byte = bytes[i];
    if (byte === BACKSLASH) {
      const value = 16 * digit(bytes[i + 1]) + digit(bytes[i + 2]);
      if (!Number.isNaN(value)) {
        byte = value;
        i += 2;
      } else if (bytes[i + 1] === BACKSLASH) {
        i++;
      }
    }
    bytes[length++] = byte;
  }
  return bytes.slice(0, length);
}

/** The value of a hexadecimal digit, NaN for anything else. */
function digit(c: number | undefined): number {
  if (c === undefined) return Number.NaN;
  if (c >= 0x30 && c <= 0x39) return c - 0x30;
  const letter = c | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x61 + 10 : Number.NaN;
}
