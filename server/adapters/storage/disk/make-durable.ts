import { open } from 'node:fs/promises';

/** A new file outlives a power cut only when its folder is synced as well. */
export async function makeDurable(folder: string, path: string): Promise<void> {
  await using file = await open(path, 'r+');
  await file.sync();
  await syncFolder(folder);
}

export async function syncFolder(path: string): Promise<void> {
  // Windows cannot open a folder; NTFS journals its entries itself.
  if (process.platform === 'win32') return;
  await using folder = await open(path, 'r');
  await folder.sync();
}
