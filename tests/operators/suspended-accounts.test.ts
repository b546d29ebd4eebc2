import sharp from 'sharp';
import { expect, test } from 'vitest';
import { sweepUnsoldFiles } from '../../server/delivery/downloads/delete-file.ts';
import {
  askGraphql,
  graphql,
  PASSWORD,
  publishableKey,
  readMail,
  seeLink,
  sellFile,
  signIn,
  signUp,
  waitUntilUnlocked,
} from '../factories/factories.ts';
import { payFor } from '../factories/payment.ts';
import { createSecretKey, programWith } from '../factories/secret-key.ts';
import { describeOnSqliteFirst } from '../harness/on-both-databases.ts';
import { createPerson, postJson } from '../harness/person.ts';
import { runCli } from '../harness/run-command.ts';
import { useApp } from '../harness/use-app.ts';
import { withDatabase } from '../harness/with-database.ts';

const REASON = 'You sold what is not yours.';
const LATER_MS = 40 * 24 * 60 * 60 * 1000;

describeOnSqliteFirst('a suspended account', (database) => {
  const app = useApp({ database });

  test('can do nothing and sells nothing, until it is restored as it was', async () => {
    const seller = await signUp(app);
    const { id } = await sellFile(seller);
    await sellFile(seller, { name: 'unsold.pdf' });
    const buyer = createPerson(app);
    await payFor(buyer, id);
    await waitUntilUnlocked(buyer, id);
    const { secret } = await createSecretKey(seller);
    const program = programWith(app, secret);
    const uploads = async () =>
      Promise.all([seller, program].map(async (one) => (await one.fetch('/storage/list')).status));
    expect(await uploads()).toEqual([200, 200]);
    const guest = createPerson(app);
    const buying = () => postJson(createPerson(app), '/prod/checkout', { paywallId: id });

    const suspended = await runCli(app.env, 'user', 'suspend', seller.email, '--reason', REASON);
    expect(suspended.status).toBe(0);
    expect(await uploads()).toEqual([401, 401]);
    expect((await seller.fetch('/api/user-attributes')).status).toBe(401);
    const again = await postJson(createPerson(app), '/api/auth/sign-in/email', {
      email: seller.email,
      password: PASSWORD,
    });
    expect(again.status).toBe(403);
    expect(await again.json()).toMatchObject({ code: 'ACCOUNT_SUSPENDED' });
    const sessions = await withDatabase(app, (db) =>
      db
        .selectFrom('session')
        .innerJoin('user', 'user.id', 'session.userId')
        .where('user.email', '=', seller.email)
        .select('session.id')
        .execute(),
    );
    expect(sessions).toEqual([]);
    expect(await seeLink(guest, id)).toBeNull();
    expect((await buying()).status).toBe(404);
    const { data } = await askGraphql<{ listPaywallLinks: { items: { id: string }[] } }>(
      createPerson(app),
      '{ listPaywallLinks(limit: 100) { items { id } } }',
      {},
      await publishableKey(app),
    );
    expect(data?.listPaywallLinks.items.some((item) => item.id === id)).toBe(false);
    // Whoever bought it keeps it.
    expect((await buyer.fetch(`/p/${id}/content`)).status).toBe(303);
    const { text } = await readMail(app, seller.email, /suspended/);
    expect(text).toContain(REASON);
    // However long it takes, nothing of it is swept.
    const swept = await withDatabase(app, (db) =>
      sweepUnsoldFiles({
        db,
        now: () => Date.now() + LATER_MS,
        store: { quarantine: () => Promise.reject(new Error('Nothing may be quarantined.')) },
      }),
    );
    expect(swept.quarantined).toBe(0);
    const twice = await runCli(app.env, 'user', 'suspend', seller.email, '--reason', REASON);
    expect(twice).toMatchObject({ status: 1 });

    expect((await runCli(app.env, 'user', 'restore', seller.email)).status).toBe(0);
    await signIn(seller, seller.email);
    expect(await uploads()).toEqual([200, 200]);
    expect(await seeLink(guest, id)).toMatchObject({ unlocked: false });
    expect((await buying()).status).toBe(200);
    await readMail(app, seller.email, /restored/);
    const acts = await withDatabase(app, (db) =>
      db
        .selectFrom('operator_act')
        .select(['act', 'actor_kind', 'reason'])
        .orderBy('acted_at')
        .execute(),
    );
    expect(acts).toEqual([
      { act: 'seller.suspended', actor_kind: 'cli', reason: REASON },
      { act: 'seller.restored', actor_kind: 'cli', reason: null },
    ]);
  });

  test('is named without its picture to whoever bought from it', async () => {
    const seller = await signUp(app);
    await graphql(seller, 'mutation { setSellerPage(handle: "pictured", links: []) }');
    const create = { width: 90, height: 90, channels: 3, background: '#b5651d' } as const;
    const body = new Uint8Array(await sharp({ create }).png().toBuffer());
    expect((await seller.fetch('/account/picture', { method: 'PUT', body })).status).toBe(200);
    const { id } = await sellFile(seller);
    const buyer = createPerson(app);
    await payFor(buyer, id);
    await waitUntilUnlocked(buyer, id);
    const seen = async () => {
      const query = `{ getPaywallLink(id: "${id}") { sellerHandle sellerPicture { url } } }`;
      return await graphql(buyer, query, {}, await publishableKey(app));
    };
    const picture = { url: expect.stringContaining('/') };
    expect(await seen()).toEqual({
      getPaywallLink: { sellerHandle: 'pictured', sellerPicture: picture },
    });

    await runCli(app.env, 'user', 'suspend', seller.email, '--reason', REASON);
    expect(await seen()).toEqual({
      getPaywallLink: { sellerHandle: 'pictured', sellerPicture: null },
    });
    await runCli(app.env, 'user', 'restore', seller.email);
    expect(await seen()).toMatchObject({ getPaywallLink: { sellerPicture: picture } });
  });
});
