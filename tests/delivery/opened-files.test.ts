import { beforeAll, describe, expect, test } from 'vitest';
import { createLink, signUp, uploadFile, waitUntilUnlocked } from '../factories/factories.ts';
import { payFor } from '../factories/payment.ts';
import { openPage } from '../harness/browser.ts';
import { createPerson, type Person } from '../harness/person.ts';
import { useApp } from '../harness/use-app.ts';

const SCRIPT = '<script>fetch("/ran")</script>';
const SVG = `<svg xmlns="http://www.w3.org/2000/svg">${SCRIPT}</svg>`;

/** A second of silence: 8 bits, 8 kHz, one channel. */
function silence(): Buffer {
  const header = Buffer.from('RIFF....WAVEfmt ....................data....');
  const [size, rate] = [8_000, 8_000];
  header.writeUInt32LE(header.length + size - 8, 4);
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(rate, 24);
  header.writeUInt32LE(rate, 28);
  header.writeUInt16LE(1, 32);
  header.writeUInt16LE(8, 34);
  header.writeUInt32LE(size, 40);
  return Buffer.concat([header, Buffer.alloc(size, 128)]);
}

const PIXEL = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');

/** One empty page; readers find its parts without a table of them. */
const DOCUMENT = `%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]>>endobj
trailer<</Root 1 0 R>>
%%EOF`;

const FILES = [
  { name: 'sound.wav', isShown: true, type: 'audio/wav', bytes: silence(), verb: 'Play' },
  { name: 'picture.gif', isShown: true, type: 'image/gif', bytes: PIXEL },
  { name: 'book.pdf', isShown: true, type: 'application/pdf', bytes: Buffer.from(DOCUMENT) },
  { name: 'drawing.svg', isShown: false, type: 'image/svg+xml', bytes: Buffer.from(SVG) },
  { name: 'page.html', isShown: false, type: 'text/html', bytes: Buffer.from(SCRIPT) },
  { name: 'disguise.gif', isShown: true, type: 'image/gif', bytes: Buffer.from(`GIF89a${SCRIPT}`) },
];

describe('a file that browsers can show', () => {
  const app = useApp();
  let buyer: Person;
  let id: string;

  beforeAll(async () => {
    const seller = await signUp(app);
    const files: string[] = [];
    for (const { name, type, bytes } of FILES) {
      files.push((await uploadFile(seller, { name, type, bytes: new Uint8Array(bytes) })).key);
    }
    id = (await createLink(seller, { key: files[0], files, title: 'Media' })).id;
    buyer = createPerson(app);
    await payFor(buyer, id);
    await waitUntilUnlocked(buyer, id);
  });

  const wayTo = (index: number) => `/p/${id}/content?file=${index}&open=1`;

  test.each(
    FILES.map(({ name, type, isShown, verb = 'Open' }, index) => ({
      name,
      type,
      isShown,
      verb,
      index,
    })),
  )('is offered as such: $name', async ({ name, type, isShown, verb, index }) => {
    const way = await buyer.fetch(wayTo(index));
    const answer = await buyer.fetch(way.headers.get('location') ?? '', {
      headers: { range: 'bytes=0-3' },
    });
    expect(answer.status).toBe(206);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-disposition': `${isShown ? 'inline' : 'attachment'}; filename=${name}`,
      'content-type': type,
      'content-security-policy': expect.stringMatching(
        isShown ? /^default-src 'none'; img-src 'self'/ : /^default-src 'none'; sandbox$/,
      ),
      'cross-origin-resource-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
    });
    const page = await (await buyer.fetch(`/p/${id}`)).text();
    expect(page.includes(`${verb} ${name}`)).toBe(isShown);
    const stranger = createPerson(app);
    const locked = await stranger.fetch(wayTo(index));
    expect(locked.headers.get('location')).toBe(`/p/${id}`);
  });

  test('is shown by the browser itself, which runs nothing of it', { tags: 'long' }, async () => {
    const page = await openPage(app, { as: buyer, wholeBrowser: true });
    const requests: string[] = [];
    page.on('request', (request) => requests.push(new URL(request.url()).pathname));
    await page.goto(wayTo(0));
    await page.waitForFunction(() => document.querySelector('video')?.duration === 1);
    await page.goto(wayTo(1));
    await page.waitForFunction(() => document.querySelector('img')?.naturalWidth === 1);
    await page.goto(wayTo(5));
    expect(await page.evaluate(() => document.images[0]?.naturalWidth)).toBe(0);
    await page.goto(wayTo(2));
    // The viewer is another document, which a sandbox would not let in.
    await expect.poll(() => page.frames().length).toBeGreaterThan(1);
    expect(requests.filter((path) => path.endsWith('ran'))).toEqual([]);
  });
});
