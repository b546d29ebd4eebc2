import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { skipWithout } from '../../../tests/harness/needs.ts';
import type { FileStore } from '../../files/file-store.ts';
import { openDiskStore } from './disk-store.ts';
import { inodeOf, noteSyncs } from './note-syncs.test.support.ts';

const BLOB = '0123456789abcdef0123456789abcdef';
const NO_BLOB = 'f'.repeat(32);

describe('the disk store', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'padlink-disk-'));
  const path = (name: string) => join(dataDir, 'blobs', name);
  let store: FileStore;

  beforeAll(async () => {
    chmodSync(dataDir, 0o755);
    store = await openDiskStore(dataDir);
  });
  afterAll(() => rmSync(dataDir, { recursive: true }));

  async function write(blob: string, offset: number, ...texts: string[]): Promise<void> {
    const writer = await store.openForAppend(blob, offset, 16);
    await writer.write(texts.map((text) => Buffer.from(text)));
    await writer.close();
  }

  test('is closed to other users', async () => {
    if (process.platform === 'win32') return skipWithout('posix');
    await write(BLOB, 0, 'secret');
    expect(statSync(path('')).mode & 0o777).toBe(0o700);
    expect(statSync(path(BLOB)).mode & 0o777).toBe(0o600);
  });

  test('follows no symbolic link', async () => {
    if (process.platform === 'win32') return skipWithout('posix');
    writeFileSync(join(dataDir, 'outside'), 'outside');
    symlinkSync(join(dataDir, 'outside'), path(NO_BLOB));
    await expect(store.openForReading(NO_BLOB)).rejects.toThrow('ELOOP');
    await expect(store.openForAppend(NO_BLOB, 0, 1)).rejects.toThrow('ELOOP');
    await store.remove(NO_BLOB);
    expect(statSync(join(dataDir, 'outside')).size).toBe(7);
  });

  test('lists blobs and nothing else', async () => {
    await write(BLOB, 0, 'x');
    writeFileSync(path('README'), '');
    const listed = [];
    for await (const blob of store.list()) listed.push(blob);
    expect(listed).toEqual([BLOB]);
  });

  test('makes a blob durable with its folder, and the id of its installation before it has its name', async () => {
    if (process.platform === 'win32') skipWithout('posix');
    await write(BLOB, 0, 'kept');
    await store.writeOwner('one');
    const synced: string[] = [];
    const stop = await noteSyncs((inode) => {
      const names = ['', BLOB, 'installation'].filter((name) => inodeOf(path(name)) === inode);
      const [draft] = readdirSync(path('')).filter((name) => name.startsWith('installation.'));
      synced.push(names[0] ?? (draft && inodeOf(path(draft)) === inode ? 'draft' : 'unknown'));
    });
    await store.makeDurable(BLOB);
    expect(synced.splice(0)).toEqual([BLOB, '']);
    await store.writeOwner('two');
    stop();
    expect(synced).toEqual(['draft', '']);
  });

  test('knows how much room there is', async () => {
    const { free, total } = await store.measureSpace();
    expect(free).toBeGreaterThan(0);
    expect(total).toBeGreaterThanOrEqual(free);
  });

  test('may be opened again', async () => {
    await write(BLOB, 0, 'kept');
    const again = await openDiskStore(dataDir);
    expect(await again.sizeOf(BLOB)).toBeGreaterThan(0);
  });
});
