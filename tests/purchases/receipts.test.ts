import { beforeAll, expect, test } from 'vitest';
import {
  graphql,
  publishableKey,
  readMail,
  seeLink,
  sellFile,
  signUp,
  updateLink,
  waitUntilUnlocked,
} from '../factories/factories.ts';
import { BUYER_EMAIL, payFor } from '../factories/payment.ts';
import { eventually } from '../harness/eventually.ts';
import { describeOnSqliteFirst } from '../harness/on-both-databases.ts';
import { createPerson } from '../harness/person.ts';
import { useApp } from '../harness/use-app.ts';

describeOnSqliteFirst('the personal link in the receipt', (database) => {
  const app = useApp({ database });
  let id: string;
  let personal: string;
  let sessionId: string;
  let seller: Awaited<ReturnType<typeof signUp>>;

  beforeAll(async () => {
    seller = await signUp(app);
    id = (await sellFile(seller)).id;
    await updateLink(seller, { id, title: 'Notes on optics' });
    await graphql(seller, 'mutation { setSellerName(name: "Ada’s desk") }');
    const buyer = createPerson(app);
    const success = await payFor(buyer, id);
    sessionId = new URL(success).searchParams.get('session_id') ?? '';
    await waitUntilUnlocked(buyer, id);
    const { text } = await readMail(app, BUYER_EMAIL);
    personal = /https?:\/\/\S+\/access\/\S+/.exec(text)?.[0] ?? '';
  });

  test('is not used up by a mail scanner that follows it', async () => {
    for (let visit = 0; visit < 3; visit++) {
      const scanner = createPerson(app);
      expect((await scanner.fetch(personal)).status).toBe(200);
      expect(await seeLink(scanner, id)).toMatchObject({ unlocked: false });
    }
  });

  test('unlocks the purchase in any browser, and again later', async () => {
    for (let visit = 0; visit < 2; visit++) {
      const browser = createPerson(app);
      const answer = await browser.fetch(personal, { method: 'POST' });
      expect(answer.status).toBe(303);
      expect(await seeLink(browser, id)).toMatchObject({ unlocked: true });
    }
  });

  test('that was changed opens nothing', async () => {
    const browser = createPerson(app);
    const changed = personal.replace(/.{4}$/, 'AAAA');
    for (const method of ['GET', 'POST']) {
      const answer = await browser.fetch(changed, { method });
      expect(answer.status).toBe(404);
      const said = await answer.text();
      expect(said).toContain('This personal link is incomplete or no longer valid.');
      expect(said).toContain('emails you a new link');
    }
    expect(await seeLink(browser, id)).toMatchObject({ unlocked: false });
  });

  test('says what was bought and from whom, also when it is sent again later', async () => {
    await updateLink(seller, { id, title: 'Notes on acoustics' });
    await graphql(seller, 'mutation { setSellerName(name: "Somebody else") }');
    const query = 'mutation ($id: ID!) { resendReceipt(sessionId: $id) }';
    const { sentAt } = await readMail(app, BUYER_EMAIL);
    await graphql(createPerson(app), query, { id: sessionId }, await publishableKey(app));
    await eventually(async () => {
      const again = await readMail(app, BUYER_EMAIL);
      expect(again.sentAt > sentAt).toBe(true);
      expect(again.subject).toBe('Your purchase: Notes on optics');
      expect(again.text).toContain('Notes on optics, sold by Ada’s desk: $5.00, paid on ');
      expect(again.text).toMatch(/\nPaid to .+\. The payment is passed on to the seller\.\n/);
    });
  });
});
