/** Some editors begin a file with this mark, which says nothing; as other tools do, every reader passes over it. */
const BYTE_ORDER_MARK = 0xfeff;

export function withoutMark(text: string): string {
  return text.charCodeAt(0) === BYTE_ORDER_MARK ? text.slice(1) : text;
}
