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
    const writer = await store.openForAppend(blob, offset);
    await writer.write(texts.map((text) => Buffer.from(text)));
    await writer.close();
  }

  async function read(blob: string, position: number, length: number): Promise<string> {
    const reader = await store.openForReading(blob);
    const buffer = Buffer.alloc(length);
    const got = await reader.read(buffer, length, position);
    await reader.close();
    return buffer.toString('utf8', 0, got);
  }

  test('continues a blob and reads any part of it', async () => {
    await write(BLOB, 0, 'hel', 'lo');
    await write(BLOB, 5, ' world');
    expect(await store.sizeOf(BLOB)).toBe(11);
    expect(await read(BLOB, 6, 5)).toBe('world');
    expect(await read(BLOB, 9, 5)).toBe('ld');
    expect(await read(BLOB, 11, 5)).toBe('');
    await store.makeDurable(BLOB);
  });

  test('is closed to other users', async () => {
    if (process.platform === 'win32') return skipWithout('posix');
    await write(BLOB, 0, 'secret');
    expect(statSync(path('')).mode & 0o777).toBe(0o700);
    expect(statSync(path(BLOB)).mode & 0o777).toBe(0o600);
  });

  test('removes, also what is not there', async () => {
    await write(BLOB, 0, 'x');
    await store.remove(BLOB);
    await store.remove(BLOB);
    expect(await store.sizeOf(BLOB)).toBeNull();
  });

  test('fails to read or to make durable what is not there', async () => {
    await expect(store.openForReading(NO_BLOB)).rejects.toThrow('ENOENT');
    await expect(store.makeDurable(NO_BLOB)).rejects.toThrow('ENOENT');
  });

  test.each(['', '..', '../padlink.sqlite', 'A'.repeat(32), `${BLOB}/x`, `${BLOB}\n`])(
    'takes no other name for a blob: %j',
    async (name) => {
      const uses = [
        store.openForAppend(name, 0),
        store.openForReading(name),
        store.makeDurable(name),
        store.sizeOf(name),
        store.remove(name),
        store.changedAt(name),
        store.quarantine(name),
        store.release(name),
        store.removeQuarantined(name),
      ];
      for (const use of uses) await expect(use).rejects.toThrow('Not the name of a blob');
    },
  );

  test('follows no symbolic link', async () => {
    if (process.platform === 'win32') return skipWithout('posix');
    writeFileSync(join(dataDir, 'outside'), 'outside');
    symlinkSync(join(dataDir, 'outside'), path(NO_BLOB));
    await expect(store.openForReading(NO_BLOB)).rejects.toThrow('ELOOP');
    await expect(store.openForAppend(NO_BLOB, 0)).rejects.toThrow('ELOOP');
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

  test('keeps apart what is in quarantine, and puts it back', async () => {
    await write(BLOB, 0, 'apart');
    expect(await store.quarantine(BLOB)).toBe(statSync(path(`quarantine/${BLOB}`)).size);
    expect(await store.sizeOf(BLOB)).toBeNull();
    await expect(store.openForReading(BLOB)).rejects.toThrow('ENOENT');
    await store.release(BLOB);
    expect(await read(BLOB, 0, 5)).toBe('apart');
    const bytes = await store.quarantine(BLOB);
    expect(await store.removeQuarantined(BLOB)).toBe(bytes);
    expect(await store.removeQuarantined(BLOB)).toBe(0);
    expect(await store.quarantine(BLOB)).toBe(0);
  });

  test('carries the id of its installation, readable by its owner only', async () => {
    expect(await store.readOwner()).toBeNull();
    await store.writeOwner('one');
    await store.writeOwner('two');
    expect(await (await openDiskStore(dataDir)).readOwner()).toBe('two');
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
