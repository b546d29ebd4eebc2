import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { createLink as insertLink } from '../../server/catalog/links/create-link.ts';
import { updateLink as changeLink } from '../../server/catalog/links/update-link.ts';
import { transaction } from '../../server/ground/database/transaction.ts';
import { createLink, signUp, updateLink, waitUntilUnlocked } from '../factories/factories.ts';
import { CARDS, checkOut, payAt } from '../factories/payment.ts';
import { useSeed } from '../factories/use-seed.ts';
import { eventually } from '../harness/eventually.ts';
import { startMailServer } from '../harness/mail-server.ts';
import { describeOnSqliteFirst } from '../harness/on-both-databases.ts';
import { createPerson, type Person } from '../harness/person.ts';
import { useApp } from '../harness/use-app.ts';
import { withDatabase } from '../harness/with-database.ts';

const server = await startMailServer();

describeOnSqliteFirst('an email about a new version', (database) => {
  const app = useApp({ database });
  let seller: Person;
  let id: string;
  let versions = 1;

  beforeAll(async () => {
    seller = await signUp(app);
    Object.assign(app.env, { SMTP_URL: server.url, MAIL_FROM: 'shop@example.com' });
    await app.restart();
    ({ id } = await createLink(seller, { type: 'link', url: 'https://example.com/1' }));
  });

  const mailsTo = (email: string, subject: RegExp) =>
    server
      .mailsTo(email)
      .map((source) => source.replaceAll('=\r\n', '').replaceAll('=3D', '='))
      .filter((source) => subject.test(source));
  const notices = (email: string) => mailsTo(email, /^Subject: A new version/m);

  /** Someone who bought the link, and where they choose. */
  async function buy(email: string): Promise<string> {
    const person = createPerson(app);
    const before = mailsTo(email, /^Subject: Your purchase/m).length;
    await payAt(person, await checkOut(person, id), CARDS.pays, email);
    await waitUntilUnlocked(person, id);
    return await eventually(() => {
      const receipts = mailsTo(email, /^Subject: Your purchase/m);
      expect(receipts).toHaveLength(before + 1);
      return /https?:\S+\/updates\/[\w.-]+/.exec(receipts[0] ?? '')?.[0] ?? '';
    });
  }

  async function replace(input = {}): Promise<void> {
    versions += 1;
    await updateLink(seller, { id, url: `https://example.com/${versions}`, ...input });
    await eventually(() =>
      withDatabase(app, async (db) => {
        const jobs = db.selectFrom('job').where('lane', '=', 'news').selectAll();
        expect(await jobs.execute()).toEqual([]);
      }),
    );
  }

  const choose = (address: string) => fetch(address, { method: 'POST' });

  test('goes to buyers who asked for it, once for each, until they stop it', async () => {
    const name = (who: string) => `${who}.${database}@example.com`;
    const [asks, asksTwice, silent, stops] = ['asks', 'twice', 'silent', 'stops'].map(name);
    let ofTwice = '';
    for (const email of [asks, asksTwice, asksTwice?.replace('twice', 'TWICE'), stops]) {
      const address = await buy(email ?? '');
      if (email === asksTwice) ofTwice = address;
      // Whoever looks at it, such as a mail scanner, changes nothing.
      expect(await (await fetch(address)).text()).toContain('Email me about new versions');
      await choose(`${address}?wanted=yes`);
      expect(await (await fetch(address)).text()).toContain('Stop these emails');
      if (email === stops) await choose(address);
    }
    await buy(silent ?? '');
    const told = () => [asks, asksTwice, silent, stops].map((email) => notices(email ?? '').length);
    await replace();
    expect(told()).toEqual([0, 0, 0, 0]);
    await replace({ tellBuyers: true });
    const upper = notices(asksTwice?.replace('twice', 'TWICE') ?? '').length;
    const [first, second] = told();
    expect([first, (second ?? 0) + upper]).toEqual([1, 1]);
    expect(told().slice(2)).toEqual([0, 0]);
    // Nothing is written for anybody else, however many bought it.
    const noted = await withDatabase(app, (db) =>
      db
        .selectFrom('access_grant')
        .innerJoin('purchase', 'purchase.id', 'access_grant.purchase_id')
        .where('told_version', '=', versions)
        .select('buyer_email')
        .execute(),
    );
    const wanting = [asks, asksTwice, asksTwice?.replace('twice', 'TWICE')].sort();
    expect(noted.map(({ buyer_email }) => buyer_email).sort()).toEqual(wanting);
    // The same content again is no new version, and what was bought is no news.
    await updateLink(seller, { id, url: `https://example.com/${versions}`, tellBuyers: true });
    await replace({ url: undefined, version: 1, tellBuyers: true });
    expect(notices(asks ?? '')).toHaveLength(1);

    const [notice = ''] = notices(asks ?? '');
    expect(notice).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r$/m);
    const end = /^List-Unsubscribe:\s*<(\S+)>/m.exec(notice)?.[1] ?? '';
    const body = new FormData();
    body.set('List-Unsubscribe', 'One-Click');
    expect((await fetch(end, { method: 'POST', body })).status).toBe(200);
    await choose(ofTwice);
    await replace({ tellBuyers: true });
    expect(told()[0]).toBe(1);
    expect((told()[1] ?? 0) + notices(asksTwice?.replace('twice', 'TWICE') ?? '').length).toBe(1);
    expect(notice).toContain('Version 3 of');
  });

  test('cannot be asked for at an address that is not whole', async () => {
    expect((await choose(`${app.origin}/updates/none?wanted=yes`)).status).toBe(404);
  });
});

describe('an update that waits for one that makes a new version', () => {
  const environment = useSeed('postgres', []);

  test('does not announce that version as its own', () =>
    withDatabase(environment, async (db) => {
      const context = { db, minimumPriceCents: 1, providerMinimumCents: 1, now: () => 1 };
      const content = { type: 'link', url: 'https://example.com/1', price: 100 };
      const { id } = await insertLink(context, { ownerId: 'ada', ...content });
      const author = { kind: 'creator', userId: 'ada' } as const;
      const waiting = await transaction(db, async (trx) => {
        const input = { author, id, url: 'https://example.com/2' };
        await changeLink({ ...context, db: trx }, input);
        const update = changeLink(context, { author, id, price: 700, tellBuyers: true });
        await eventually(async () => {
          const waits = await sql`select 1 from pg_stat_activity
            where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
          expect(waits.rows).toHaveLength(1);
        });
        return { update };
      });
      expect(await waiting.update).toMatchObject({ content_version: 2, price_cents: 700 });
      const jobs = db.selectFrom('job').where('kind', '=', 'announce-version').selectAll();
      expect(await jobs.execute()).toEqual([]);
    }));
});
