import { parse } from 'content-disposition';
import { describe, expect, test } from 'vitest';
import { createLink, signUp, storageUrl, uploadFile } from '../factories/factories.ts';
import { runPython } from '../harness/run-python.ts';
import { useApp } from '../harness/use-app.ts';

/** As sent, and as kept where that differs. */
const NAMES: [string, string?][] = [
  ['Test%2F.txt'],
  ['Test%252F.txt'],
  ['CON.pdf'],
  ['100% "sure"; really=1, \'yes\'.txt'],
  ['日本語の名前.pdf'],
  ['日'.repeat(200), '日'.repeat(85)],
  ['🎵'.repeat(70), '🎵'.repeat(63)],
  ['photo\u202egpj.exe', 'photogpj.exe'],
  ['a\tb.txt', 'ab.txt'],
  ['.', 'file'],
  ['=1+1.csv'],
];
const LIST = `
import io, json, sys, zipfile
archive = zipfile.ZipFile(io.BytesIO(sys.stdin.buffer.read()))
print(json.dumps([entry.filename for entry in archive.infolist()]))
`;

describe('names that once broke other shops', () => {
  const app = useApp();

  test('are those of the downloads and of the archive', async () => {
    const seller = await signUp(app);
    const bytesOf = (name: string) => new Uint8Array(Buffer.from(`content of ${name}`));
    const files: string[] = [];
    for (const [name] of NAMES) {
      files.push((await uploadFile(seller, { name, bytes: bytesOf(name) })).key);
    }
    const link = await createLink(seller, { key: files[0], files, title: 'Names' });
    const kept = NAMES.map(([name, safe = name]) => safe);
    for (const [index, key] of files.entries()) {
      const answer = await fetch(await storageUrl(seller, key));
      const header = answer.headers.get('content-disposition') ?? '';
      expect(parse(header).parameters.filename).toBe(kept[index]);
      expect(new Uint8Array(await answer.arrayBuffer())).toEqual(bytesOf(NAMES[index]?.[0] ?? ''));
    }
    const way = await seller.fetch(`/p/${link.id}/content.zip`);
    const archive = await fetch(new URL(way.headers.get('location') ?? '', app.origin));
    const names = runPython(LIST, { input: Buffer.from(await archive.arrayBuffer()) });
    // Windows takes no quotes, and no name of a device.
    const unpacked = kept.map((name) => name.replaceAll('"', '_').replace(/^CON/, '_CON'));
    expect(JSON.parse(names)).toEqual([...unpacked, 'SHA256SUMS']);
  });
});
