/** Files that are dropped on the page or chosen: one to be checked, and others that it may include. */
export interface Dropped {
  readonly name: string;
  readonly text: string;
  readonly others: Readonly<Record<string, string>>;
}

export function onFiles(picker: HTMLInputElement, receive: (dropped: Dropped) => void): void {
  const take = async (files: FileList | null | undefined) => {
    const all = await Promise.all(
      [...(files ?? [])].map(async f => ({ name: f.name, text: await f.text() })),
    );
    const main = all.find(f => !/\.h$/i.test(f.name)) ?? all[0];
    if (main === undefined) return;
    const others = all.filter(f => f !== main).map(f => [f.name, f.text]);
    receive({ ...main, others: Object.fromEntries(others) });
  };
  picker.addEventListener('change', () => {
    void take(picker.files);
    picker.value = ''; // so that the same file can be chosen again
  });
  const { body } = document;
  const isOver = (over: boolean) => body.classList.toggle('dropping', over);
  body.addEventListener('dragover', event => {
    event.preventDefault();
    isOver(true);
  });
  body.addEventListener('dragleave', event => {
    if (event.relatedTarget === null) isOver(false);
  });
  // Before the editor, which would insert the text of the file where it is dropped.
  body.addEventListener(
    'drop',
    event => {
      isOver(false);
      if (!event.dataTransfer?.files.length) return;
      event.preventDefault();
      event.stopPropagation();
      void take(event.dataTransfer.files);
    },
    { capture: true },
  );
}
