import { MAX_FILES_PER_LINK } from '../../contract/limits.ts';
import type { ChosenFile } from './upload-queue.ts';

/** What was chosen or dropped at once. */
export interface Choice {
  /** Of a large folder, only so many that they are too many. */
  files: ChosenFile[];
  /** Files of a folder that its owner does not see: none of them is taken. */
  hidden: number;
}

const byPath = new Intl.Collator('en', { numeric: true });

/** What an input holds: files, or a folder with what is in it. */
export function readInput(chosen: FileList): Choice {
  const files = Array.from(chosen, (file) => ({
    file,
    path: file.webkitRelativePath || file.name,
  }));
  return withoutHidden(files);
}

/** What was dropped or pasted. Read at once: later, the browser has forgotten it. */
export function readTransfer({ items }: DataTransfer): Promise<Choice> | null {
  const held = Array.from(items).filter(({ kind }) => kind === 'file');
  if (held.length === 0) return null;
  const entries = held.map((item) => item.webkitGetAsEntry() ?? item.getAsFile());
  return readAll(entries);
}

async function readAll(entries: (FileSystemEntry | File | null)[]): Promise<Choice> {
  const files: ChosenFile[] = [];
  for (const entry of entries) {
    if (entry instanceof File) files.push({ file: entry, path: entry.name });
    else if (entry) await walk(entry, files);
  }
  return withoutHidden(files);
}

async function walk(entry: FileSystemEntry, found: ChosenFile[]): Promise<void> {
  const path = entry.fullPath.replace(/^\//, '');
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) =>
      (entry as FileSystemFileEntry).file(resolve, reject),
    );
    found.push({ file, path });
    return;
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  for (;;) {
    const entries = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (entries.length === 0) return;
    for (const inner of entries) {
      if (found.filter(({ path }) => !isHidden(path)).length > MAX_FILES_PER_LINK) return;
      await walk(inner, found);
    }
  }
}

/** Paths are composed, as they are kept: some systems have é as e and an accent. */
function withoutHidden(files: ChosenFile[]): Choice {
  const seen = files
    .filter(({ path }) => !isHidden(path))
    .map(({ file, path }) => ({ file, path: path.normalize('NFC') }));
  // One after the other as they were chosen; those of a folder as it shows them.
  const isFolder = seen.some(({ path }) => path.includes('/'));
  if (isFolder) seen.sort((a, b) => byPath.compare(a.path, b.path));
  return { files: seen, hidden: files.length - seen.length };
}

const LEFT_BEHIND = /(^|\/)(\.|Thumbs\.db$|desktop\.ini$|__MACOSX\/)/i;

/** What a folder holds for the computer alone; a single file was meant by whoever chose it. */
function isHidden(path: string): boolean {
  return path.includes('/') && LEFT_BEHIND.test(path);
}
