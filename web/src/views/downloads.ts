/** Files that the page has made, to be saved. */
import { strToU8, zipSync } from 'fflate';
import { h } from '../dom.ts';

export interface File {
  readonly name: string;
  readonly text: string;
}

export function downloadButton(label: string, { name, text }: File): HTMLElement {
  return button(label, name, () => new Blob([text], { type: 'text/plain' }));
}

/** Several files in one archive, in a folder of its name. */
export function archiveButton(label: string, name: string, files: readonly File[]): HTMLElement {
  return button(label, `${name}.zip`, () => {
    const entries = files.map(file => [`${name}/${file.name}`, strToU8(file.text)] as const);
    return new Blob([zipSync(Object.fromEntries(entries)) as Uint8Array<ArrayBuffer>], {
      type: 'application/zip',
    });
  });
}

function button(label: string, name: string, make: () => Blob): HTMLElement {
  const save = () => {
    const address = URL.createObjectURL(make());
    h('a', { href: address, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(address), 10_000);
  };
  return h('button', { type: 'button', class: 'download', title: `save ${name}`, onclick: save }, label);
}
