import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { seeLink, sellFile, signUp } from '../factories/factories.ts';
import { openPage } from '../harness/browser.ts';
import type { Person } from '../harness/person.ts';
import { useApp } from '../harness/use-app.ts';

const ENCTYPES = [
  'application/x-www-form-urlencoded',
  'multipart/form-data',
  'text/plain',
] as const;

/** Another site, to which no cookies of ours are sent, and another port of the same site, to which they are. */
const ATTACKERS = ['127.0.0.1', 'localhost'];

/** What the browser writes of each request: of the product's refusal, or of its own. */
const REFUSED = {
  'no-cors': /403 \/[\w/-]+/,
  cors: /net::ERR_FAILED \/[\w/-]+|Access to fetch at '\/[\w/-]+' from origin '\S+' has been blocked by CORS policy: .+/,
  'same-origin': /Fetch API cannot load \/[\w/-]+\. Request mode is "same-origin" but .+/,
};

describe('a page of another origin', () => {
  const app = useApp();
  const attacker = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html').end('<!doctype html><title>Free gift</title>');
  });
  let creator: Person;
  let link: { id: string };

  beforeAll(async () => {
    await new Promise<void>((resolve) => attacker.listen(0, '127.0.0.1', resolve));
    creator = await signUp(app);
    link = await sellFile(creator);
  });
  afterAll(() => attacker.close());

  /** Where a browser's request could do harm, and what a form would say there. */
  const targets = (): Record<string, Record<string, string>> => {
    const deletion = `mutation { deletePaywallLink(input: { id: "${link.id}" }) { id } }`;
    return {
      '/graphql': { query: deletion },
      '/prod/checkout': { paywallId: link.id },
      '/logout': {},
      '/api/auth/sign-out': {},
      '/api/auth/change-password': {
        currentPassword: 'Correct-horse-7',
        newPassword: 'Stolen-horse-8',
      },
      '/uploads': { filename: 'planted.txt' },
    };
  };

  /** A page of the attacker in the creator's browser, and what the product answered to it. */
  async function lure(
    host: string,
    refusal: RegExp,
  ): Promise<{ page: Page; answers: Map<string, number> }> {
    const page = await openPage(app, { as: creator, expectedErrors: refusal });
    const answers = new Map<string, number>();
    page.on('response', (response) => {
      const { pathname, origin } = new URL(response.url());
      if (origin === app.origin && response.request().method() === 'POST') {
        answers.set(pathname, response.status());
      }
    });
    const { port } = attacker.address() as AddressInfo;
    await page.goto(`http://${host}:${port}/`);
    return { page, answers };
  }

  async function expectNothingDone(page: Page): Promise<void> {
    expect(await seeLink(creator, link.id)).toMatchObject({ unlocked: false, price: 500 });
    expect((await creator.fetch('/api/user-attributes')).status).toBe(200);
    const list = await creator.fetch('/storage/list');
    expect(((await list.json()) as { items: object[] }).items).toHaveLength(1);
    const cookies = (await page.context().cookies(app.origin)).map(({ name }) => name);
    expect(cookies).toEqual([...creator.cookies.keys()]);
  }

  describe.each(ATTACKERS)('at %s', (host) => {
    test.each(ENCTYPES)('changes nothing by a form of the type %s', async (enctype) => {
      const { page, answers } = await lure(host, REFUSED['no-cors']);
      const start = page.url();
      for (const [path, fields] of Object.entries(targets())) {
        await page.goto(start);
        await page.evaluate(submitForm, { action: app.origin + path, enctype, fields });
        await page.waitForURL(app.origin + path);
        expect(answers.get(path), path).toBe(403);
      }
      await expectNothingDone(page);
    });

    test.each(['cors', 'no-cors', 'same-origin'] as const)(
      'changes nothing by fetch in the mode %s, whatever type the body claims to have',
      async (mode) => {
        const { page, answers } = await lure(host, REFUSED[mode]);
        for (const [path, fields] of Object.entries(targets())) {
          for (const type of [...ENCTYPES, 'application/json']) {
            const url = app.origin + path;
            const read = await page.evaluate(sendByFetch, { url, mode, type, fields });
            expect(read, `${path} ${type}`).toBe('');
          }
        }
        // Only what needs no leave of ours reaches the server and tells the page that it did.
        const statuses = mode === 'no-cors' ? Object.keys(targets()).map(() => 403) : [];
        expect([...answers.values()]).toEqual(statuses);
        await expectNothingDone(page);
      },
    );
  });
});

/** In the page. A field of type text/plain is written so that the body as a whole is JSON. */
function submitForm({
  action,
  enctype,
  fields,
}: {
  action: string;
  enctype: string;
  fields: Record<string, string>;
}): void {
  const form = document.createElement('form');
  Object.assign(form, { action, enctype, method: 'post' });
  const json = JSON.stringify({ ...fields, a: '' });
  const entries = enctype === 'text/plain' ? [[json.slice(0, -2), '"}']] : Object.entries(fields);
  for (const [name = '', value = ''] of entries) {
    const input = document.createElement('input');
    Object.assign(input, { type: 'hidden', name, value });
    form.append(input);
  }
  document.body.append(form);
  form.submit();
}

/** In the page. Returns what it could read of the answer: nothing, when all is well. */
async function sendByFetch({
  url,
  mode,
  type,
  fields,
}: {
  url: string;
  mode: RequestMode;
  type: string;
  fields: Record<string, string>;
}): Promise<string> {
  try {
    const answer = await fetch(url, {
      method: 'POST',
      mode,
      credentials: 'include',
      headers: { 'content-type': type },
      body: type.includes('urlencoded')
        ? new URLSearchParams(fields).toString()
        : JSON.stringify(fields),
    });
    return await answer.text();
  } catch {
    return '';
  }
}
