/** The input as the part of the page's address after `#`, compressed: whoever opens the link has it in the editor. */
export interface Shared {
  readonly name: string;
  readonly text: string;
}

const VERSION = 'v1=';

export async function toHash(shared: Shared): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify([shared.name, shared.text]));
  const packed = await through(bytes, new CompressionStream('deflate-raw'));
  let binary = '';
  for (const byte of packed) binary += String.fromCharCode(byte);
  return VERSION + btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

/** Undefined if that is no link of this kind, or only a part of one. */
export async function fromHash(hash: string): Promise<Shared | undefined> {
  const encoded = hash.replace(/^#/, '');
  if (!encoded.startsWith(VERSION)) return undefined;
  try {
    const binary = atob(encoded.slice(VERSION.length).replaceAll('-', '+').replaceAll('_', '/'));
    const packed = Uint8Array.from(binary, c => c.charCodeAt(0));
    const bytes = await through(packed, new DecompressionStream('deflate-raw'));
    const [name, text] = JSON.parse(new TextDecoder().decode(bytes));
    return typeof name === 'string' && typeof text === 'string' ? { name, text } : undefined;
  } catch {
    return undefined;
  }
}

async function through(
  bytes: Uint8Array<ArrayBuffer>,
  stream: CompressionStream | DecompressionStream,
): Promise<Uint8Array> {
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());
}
