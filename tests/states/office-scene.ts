import { createLink, graphql, readUserId, signUp } from '../factories/factories.ts';
import { giveUpJob } from '../factories/operator-work.ts';
import { signUpOperator } from '../factories/sign-up-operator.ts';
import type { Person } from '../harness/person.ts';
import type { App } from '../harness/start-app.ts';
import { withDatabase } from '../harness/with-database.ts';

/** An operator of the shop, for whom something waits: the money scene left payouts to approve. */
export interface OfficeScene {
  operator: Awaited<ReturnType<typeof signUpOperator>>;
  /** Of a purchase to which much happened. */
  purchaseId: string;
  /** Its links were reported and taken down. */
  sellerEmail: string;
}

export async function openOfficeScene(shop: Pick<App, 'origin' | 'env'>): Promise<OfficeScene> {
  const operator = await signUpOperator(shop);
  await giveUpJob(shop, 'Error: connect ECONNREFUSED 127.0.0.1:2525');
  await limitAndInvite(shop, operator);
  const { id: purchaseId } = await withDatabase(shop, (db) =>
    db
      .selectFrom('purchase')
      .where('undelivered_at', 'is not', null)
      .select('id')
      .executeTakeFirstOrThrow(),
  );
  return { operator, purchaseId, sellerEmail: await moderate(shop, operator) };
}

/** Something is reported, and something taken down to which its seller objects. */
async function moderate(shop: Pick<App, 'origin' | 'env'>, operator: Person): Promise<string> {
  const seller = await signUp(shop, { firstName: 'Mallory' });
  const create = async (title: string) =>
    (await createLink(seller, { type: 'link', url: 'https://example.com/', title })).id;
  const reported = await create('All of Shakespeare, signed by the author');
  const form = {
    reason: 'fraud',
    words: 'The author has been dead for four hundred years.\nPlease look at the signature.',
    email: 'reader@example.com',
  };
  const path = `/p/${reported}/report`;
  await seller.fetch(path, { method: 'POST', body: new URLSearchParams(form) });
  const id = await create('Banknotes to print at home');
  await graphql(
    operator,
    `mutation ($id: ID!) {
      takeDownLink(id: $id, reason: "illegal", words: "Money is not yours to print.")
    }`,
    { id },
  );
  await graphql(
    seller,
    'mutation ($id: ID!) { objectToTakeDown(id: $id, words: "They are play money.") }',
    { id },
  );
  return seller.email;
}

/** One account is suspended, one limited, and one is to come. */
async function limitAndInvite(shop: Pick<App, 'origin' | 'env'>, operator: Person): Promise<void> {
  const suspended = await readUserId(await signUp(shop, { firstName: 'Mallory' }));
  await graphql(
    operator,
    `mutation ($id: ID!) {
      suspendAccount(id: $id, reason: "You sold what is not yours, twice.")
      setAccountQuota(id: $id, bytes: 2500000000, links: 20, uploadsADay: 5)
      inviteAccount(email: "grace@example.com", role: "operator") { id }
    }`,
    { id: suspended },
  );
}
