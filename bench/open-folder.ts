import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A throwaway folder, removed when the scope ends; open it before the servers that use it. */
export function openFolder(): Disposable & { path: string } {
  const path = mkdtempSync(join(tmpdir(), 'padlink-bench-'));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}
