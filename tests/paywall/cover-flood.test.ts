import sharp from 'sharp';
import { beforeAll, describe, expect, test } from 'vitest';
import { createLink, signUp } from '../factories/factories.ts';
import { openPage } from '../harness/browser.ts';
import { eventually } from '../harness/eventually.ts';
import type { Person } from '../harness/person.ts';
import { stopClock } from '../harness/stop-clock.ts';
import { useApp } from '../harness/use-app.ts';

type Seller = { person: Person; path: string };

describe('covers in a flood', () => {
  const app = useApp();
  let picture: Buffer<ArrayBuffer>;

  beforeAll(async () => {
    const create = { width: 20, height: 20, channels: 3 as const, background: '#204060' };
    picture = (await sharp({ create }).png().toBuffer()) as Buffer<ArrayBuffer>;
  });

  async function newSeller(): Promise<Seller> {
    const person = await signUp(app);
    const { id } = await createLink(person, { type: 'link', url: 'https://example.com/' });
    return { person, path: `/p/${id}/cover` };
  }
  const send = ({ person, path }: Seller, body = picture) =>
    person.fetch(path, { method: 'PUT', body });

  /** Sends the first half of a picture; `end` the rest. */
  function begin({ person, path }: Seller) {
    const half = picture.length / 2;
    const { readable, writable } = new TransformStream<Uint8Array>();
    const writer = writable.getWriter();
    const write = (bytes: Uint8Array) => writer.write(bytes).catch(() => {});
    const abort = new AbortController();
    const answer = person.fetch(path, {
      method: 'PUT',
      body: readable,
      duplex: 'half',
      signal: abort.signal,
    });
    answer.catch(() => {});
    write(picture.subarray(0, half));
    return {
      answer,
      async end() {
        await write(picture.subarray(half));
        await writer.close();
        return answer;
      },
      hangUp: () => abort.abort(),
    };
  }
  /** The first of some that is answered, though its picture is not whole. */
  const firstAnswered = (begun: ReturnType<typeof begin>[]) =>
    Promise.race(begun.map(async ({ answer }, place) => ({ answer: await answer, place })));

  async function expectToWait(answer: Response, reason: RegExp): Promise<void> {
    expect(answer.status).toBe(429);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await answer.json()).toMatchObject({
      code: 'RATE_LIMITED',
      detail: expect.stringMatching(reason),
    });
  }

  test('a creator sends ten covers a minute, and is told when more may come', {
    tags: 'long',
  }, async () => {
    stopClock();
    const seller = await newSeller();
    for (let sent = 0; sent < 10; sent += 1) expect((await send(seller)).status).toBe(200);
    await expectToWait(
      await send(seller),
      /^Too many attempts\. Please try again in \d+ seconds\.$/,
    );
    expect((await seller.person.fetch(seller.path, { method: 'DELETE' })).status).toBe(204);
    const page = await openPage(app, {
      as: seller.person,
      expectedErrors: /429 \/p\/[0-9a-f]{8}\/cover/,
    });
    await page.goto(seller.path.replace(/\/cover$/, ''));
    const editor = page.getByRole('region', { name: 'Cover', exact: true });
    await editor
      .getByLabel('Choose picture')
      .setInputFiles({ name: 'cover.png', mimeType: 'image/png', buffer: picture });
    await editor.getByRole('alert').getByText('Too many attempts. Please try again in').waitFor();
  });

  test('an account sends one cover at a time: a second one is refused before it is read', async () => {
    const seller = await newSeller();
    const begun = [begin(seller), begin(seller)];
    const { answer, place } = await firstAnswered(begun);
    await expectToWait(answer, /^Another cover is being uploaded from this account\./);
    expect((await begun[1 - place]?.end())?.status).toBe(200);
    expect((await send(seller)).status).toBe(200);
  });

  test('when twelve covers are on their way, a thirteenth is refused before it is read, until one is gone', {
    tags: 'long',
  }, async () => {
    const sellers = await Promise.all(Array.from({ length: 13 }, newSeller));
    const begun = sellers.map(begin);
    const { answer, place } = await firstAnswered(begun);
    await expectToWait(answer, /^The server is busy with other covers\./);
    const others = begun.filter((_one, number) => number !== place);
    others[0]?.hangUp();
    await eventually(async () => {
      expect((await send(sellers[place] as Seller)).status).toBe(200);
    });
    const rest = await Promise.all(others.slice(1).map(({ end }) => end()));
    expect(rest.map(({ status }) => status)).toEqual(rest.map(() => 200));
  });

  test('who hangs up before the answer may send another cover afterwards', {
    tags: 'long',
  }, async () => {
    const seller = await newSeller();
    const abort = new AbortController();
    const create = { width: 6_000, height: 6_000, channels: 3 as const, background: '#204060' };
    const large = (await sharp({ create }).png().toBuffer()) as Buffer<ArrayBuffer>;
    const answer = seller.person.fetch(seller.path, {
      method: 'PUT',
      body: large,
      signal: abort.signal,
    });
    answer.catch(() => {});
    const refused = await eventually(async () => {
      const small = await send(seller);
      expect(small.status).toBe(429);
      return small;
    });
    await expectToWait(refused, /^Another cover/);
    abort.abort();
    await eventually(async () => {
      expect((await send(seller)).status).toBe(200);
    });
  });
});
