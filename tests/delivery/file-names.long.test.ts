import { beforeAll, describe, expect, test } from 'vitest';
import {
  createLink,
  signUp,
  storageUrl,
  uploadFile,
  waitUntilUnlocked,
} from '../factories/factories.ts';
import { payFor } from '../factories/payment.ts';
import { createPerson, type Person } from '../harness/person.ts';
import { useApp } from '../harness/use-app.ts';

describe('the name of a sold file', () => {
  const app = useApp();
  let seller: Person;

  beforeAll(async () => {
    seller = await signUp(app);
  });

  /** Uploads, sells, buys and downloads a file. Returns its key and the download's name. */
  async function nameAfterDownload(name: string) {
    const { key } = await uploadFile(seller, { name, bytes: Buffer.from('content') });
    const { id } = await createLink(seller, { key });
    const buyer = createPerson(app);
    await payFor(buyer, id);
    const link = await waitUntilUnlocked(buyer, id);
    const download = await fetch(await storageUrl(buyer, link.key ?? ''));
    expect(await download.text()).toBe('content');
    const disposition = download.headers.get('content-disposition') ?? '';
    expect(disposition).toMatch(/^attachment;/);
    const encoded = /filename\*=UTF-8''([^;]+)/i.exec(disposition)?.[1];
    const plain = /filename="((?:\\.|[^"])*)"|filename=([^;]+)/.exec(disposition);
    const fallback = (plain?.[1] ?? plain?.[2] ?? '').replaceAll(/\\(.)/g, '$1');
    return { id, key, name: encoded ? decodeURIComponent(encoded) : fallback };
  }

  test.each([
    'notes.pdf',
    'Étude "n°1" – 日本.pdf',
    'عربى 🎵 हिन्दी.mp3',
    "it's 100% & a+b=c; #1?.txt",
    'no extension',
    'two  spaces.tar.gz',
    '.htaccess',
  ])('%s arrives as it was', async (name) => {
    const sold = await nameAfterDownload(name);
    expect(sold.name).toBe(name);
    expect(sold.key).toBe(`public/${sold.id}-${name}`);
  });

  test.each([
    ['../../etc/passwd', 'passwd'],
    ['..\\..\\windows\\system.ini', 'system.ini'],
    ['/absolute/path.txt', 'path.txt'],
    ['line\r\nbreak\u0000.txt', 'linebreak.txt'],
    ['invoice\u202Efdp.exe', 'invoicefdp.exe'],
    ['zero\u2066isolate\u2069.txt', 'zeroisolate.txt'],
  ])('%j is made harmless', async (name, harmless) => {
    const sold = await nameAfterDownload(name);
    expect(sold.name).toBe(harmless);
    expect(sold.key).toBe(`public/${sold.id}-${harmless}`);
  });

  test.each(['..', '.', '', '   ', '/', '\u202e'])('%j becomes a name', async (name) => {
    const sold = await nameAfterDownload(name);
    expect(sold.name).toMatch(/^[^./\\][^/\\]*$/);
  });

  test.each(['é', '😀', 'a'])(
    'of 400 times %s keeps whole characters and its ending',
    async (part) => {
      const sold = await nameAfterDownload(`${part.repeat(400)}.pdf`);
      expect(Buffer.byteLength(sold.name)).toBeLessThanOrEqual(255);
      expect(Buffer.byteLength(sold.name)).toBeGreaterThan(240);
      expect(sold.name.replaceAll(part, '')).toBe('.pdf');
    },
  );
});
