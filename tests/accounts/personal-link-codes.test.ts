import { randomBytes } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { runSql } from '../errors/run-sql.ts';
import { readMail, seeLink, sellFile, signUp, waitUntilUnlocked } from '../factories/factories.ts';
import { CARDS, checkOut, payAt } from '../factories/payment.ts';
import { eventually } from '../harness/eventually.ts';
import { describeOnBothDatabases } from '../harness/on-both-databases.ts';
import { createPerson, type Person, readJson } from '../harness/person.ts';
import { readPage } from '../harness/read-page.ts';
import { useApp } from '../harness/use-app.ts';

const MINUTE_MS = 60_000;

describeOnBothDatabases('a personal link that is opened in many browsers', (database) => {
  let ahead = 0;
  const app = useApp({ database, overrides: { now: () => Date.now() + ahead } });
  let seller: Person;

  beforeAll(async () => {
    seller = await signUp(app);
  });

  /** Bought in one browser; the personal link is not opened yet. */
  async function buy() {
    // An address of the test's is asked no more often than a minute allows.
    ahead += 2 * MINUTE_MS;
    const email = `${randomBytes(6).toString('hex')}@example.com`;
    const { id } = await sellFile(seller);
    const buyer = createPerson(app);
    await payAt(buyer, await checkOut(buyer, id), CARDS.pays, email);
    await waitUntilUnlocked(buyer, id);
    const { text } = await readMail(app, email);
    const link = /\/access\/\S+/.exec(text)?.[0] ?? '';
    return { id, email, buyer, link };
  }

  const post = (person: Person, path: string, form: Record<string, string> = {}) =>
    person.fetch(path, {
      method: 'POST',
      body: new URLSearchParams(form),
      headers: { accept: 'text/html' },
    });

  /** Whether it opened, in a new browser. */
  async function open(link: string, person = createPerson(app)) {
    const location = (await post(person, link)).headers.get('location') ?? '';
    expect(location).toMatch(/^\/(p\/[0-9a-f]{8}|access\/[\w.-]+\/code)$/);
    return { person, isOpen: location.startsWith('/p/') };
  }

  /** The code of the newest mail with one, once there are so many. */
  async function readCode(email: string, mails = 1): Promise<string> {
    return eventually(async () => {
      const all = await readJson<{ to: string; subject: string }[]>(
        await fetch(`${app.origin}/mailbox.json`),
      );
      const codes = all.filter(({ to, subject }) => to === email && /^\d{6} is/.test(subject));
      expect(codes).toHaveLength(mails);
      return codes[0]?.subject.slice(0, 6) ?? '';
    });
  }

  const other = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0');

  test('opens in none once the purchase was refunded, and those that held it hold nothing', async () => {
    const { id, link } = await buy();
    const { person: friend } = await open(link);
    expect(await seeLink(friend, id)).toMatchObject({ unlocked: true });
    await runSql(app, `update access_grant set state = 'ended' where link_id = '${id}'`);
    const later = createPerson(app);
    const answer = await post(later, link);
    expect(answer.status).toBe(403);
    expect(await answer.text()).toContain('no longer gives access');
    for (const browser of [friend, later]) {
      expect(await seeLink(browser, id)).toMatchObject({ unlocked: false, key: null });
    }
  });

  test('opens in five besides the one that paid, and asks the sixth for a code', async () => {
    const { id, email, buyer, link } = await buy();
    for (let scanned = 0; scanned < 8; scanned += 1) await createPerson(app).fetch(link);
    const opened: Person[] = [];
    for (let count = 0; count < 5; count += 1) {
      const { person, isOpen } = await open(link);
      expect(isOpen).toBe(true);
      opened.push(person);
    }
    const sixth = createPerson(app);
    expect((await open(link, sixth)).isOpen).toBe(false);
    expect(await seeLink(sixth, id)).toMatchObject({ unlocked: false });
    const page = await readPage(sixth, `${link}/code`);
    expect(page).toContain(`Send a code to ${email[0]}•••@e•••.com`);
    expect(page).not.toContain(email);
    // Those that hold it are asked nothing.
    for (const person of [buyer, ...opened]) {
      expect((await open(link, person)).isOpen).toBe(true);
      expect(await seeLink(person, id)).toMatchObject({ unlocked: true });
    }

    const asked = await post(sixth, `${link}/code`);
    expect([asked.status, asked.headers.get('location')]).toEqual([303, `${link}/code?sent=yes`]);
    const code = await readCode(email);
    expect(await readPage(sixth, `${link}/code?sent=yes`)).toContain('is on its way to');
    const wrong = await post(sixth, `${link}/code?sent=yes`, { code: other(code) });
    expect(wrong.status).toBe(400);
    expect(await wrong.text()).toContain('This code is wrong or no longer valid');
    expect(await seeLink(sixth, id)).toMatchObject({ unlocked: false });
    const right = await post(sixth, `${link}/code`, {
      code: ` ${code.slice(0, 3)} ${code.slice(3)} `,
    });
    expect([right.status, right.headers.get('location')]).toEqual([303, `/p/${id}`]);
    expect(await seeLink(sixth, id)).toMatchObject({ unlocked: true });
    expect((await open(link, sixth)).isOpen).toBe(true);
    // It was that browser's alone.
    const seventh = createPerson(app);
    expect((await open(link, seventh)).isOpen).toBe(false);
    expect((await post(seventh, `${link}/code`, { code })).status).toBe(400);
    expect(await seeLink(seventh, id)).toMatchObject({ unlocked: false });
  });

  test('opens in no more than five that come at once', async () => {
    const { link } = await buy();
    const opened = await Promise.all(Array.from({ length: 9 }, () => open(link)));
    expect(opened.filter(({ isOpen }) => isOpen)).toHaveLength(5);
  });

  test('takes a code for ten minutes, the newest alone, and after ten wrong ones none', async () => {
    const { email, link } = await buy();
    const person = createPerson(app);
    const enter = async (code: string) => (await post(person, `${link}/code`, { code })).status;
    await post(person, `${link}/code`);
    const first = await readCode(email);
    await post(person, `${link}/code`);
    const second = await readCode(email, 2);
    if (first !== second) expect(await enter(first)).toBe(400);
    ahead += 10 * MINUTE_MS;
    expect(await enter(second)).toBe(400);

    await post(person, `${link}/code`);
    const third = await readCode(email, 3);
    for (let time = 0; time < 10; time += 1) expect(await enter(other(third))).toBe(400);
    expect(await enter(third)).toBe(400);

    await post(person, `${link}/code`);
    const fourth = await readCode(email, 4);
    for (let time = 0; time < 9; time += 1) expect(await enter(other(fourth))).toBe(400);
    expect(await enter(fourth)).toBe(303);
  });

  test('has three codes sent in ten minutes, whoever asks', async () => {
    const { link } = await buy();
    for (let time = 0; time < 3; time += 1) {
      expect((await post(createPerson(app), `${link}/code`)).status).toBe(303);
    }
    const refused = await post(createPerson(app), `${link}/code`);
    expect(refused.status).toBe(429);
    expect(await refused.text()).toContain('Too many attempts.');
  });
});
