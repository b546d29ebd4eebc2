import { randomBytes } from 'node:crypto';
import {
  createLink,
  graphql,
  publishableKey,
  updateLink,
  uploadFile,
  waitUntilUnlocked,
} from '../factories/factories.ts';
import { BUYER_EMAIL, payFor } from '../factories/payment.ts';
import type { Person } from '../harness/person.ts';
import type { People } from './callers.ts';

/** What a cell of the matrix says one letter each about. */
export const LINKS = ['unpaid', 'paid', 'free', 'paused', 'deleted'] as const;

export type LinkName = (typeof LINKS)[number];

export type MatrixLink = {
  id: string;
  /** Null for a web address. */
  key: string | null;
  /** Texts that nobody but who has access may ever see. */
  secrets: string[];
};

export const DELETE = 'mutation ($id: ID!) { deletePaywallLink(input: { id: $id }) { id } }';

const canary = () => `canary-${randomBytes(12).toString('hex')}`;

/** A file on sale whose name and content nobody may see who has no right to it. */
export async function sellCanary(owner: Person) {
  const [content, name] = [canary(), canary()];
  const { key } = await uploadFile(owner, { name: `${name}.txt`, bytes: Buffer.from(content) });
  const { id } = await createLink(owner, { key });
  return { id, key, secrets: [content, name] } satisfies MatrixLink;
}

async function sellAddress(owner: Person): Promise<MatrixLink> {
  const path = canary();
  const { id } = await createLink(owner, { type: 'link', url: `https://example.com/${path}` });
  return { id, key: null, secrets: [path] };
}

/**
 * The owner's links: three files and two web addresses. The guest bought the paid one; the signed-in
 * buyer also the paused and the deleted one, while they were on sale.
 */
export async function sellLinks({ owner, guest, buyer }: People) {
  const links: Record<LinkName, MatrixLink> = {
    unpaid: await sellCanary(owner),
    paid: await sellCanary(owner),
    free: await sellCanary(owner),
    paused: await sellAddress(owner),
    deleted: await sellAddress(owner),
  };
  await updateLink(owner, { id: links.paid.id, licenses: 'generated' });
  const successUrl = await payFor(guest, links.paid.id);
  await waitUntilUnlocked(guest, links.paid.id);
  const { listLicenseKeys } = await graphql<{ listLicenseKeys: { items: { key: string }[] } }>(
    owner,
    'query ($id: ID!) { listLicenseKeys(linkId: $id) { items { key } } }',
    { id: links.paid.id },
  );
  links.paid.secrets.push(...listLicenseKeys.items.map(({ key }) => key));
  for (const { id } of [links.paid, links.paused, links.deleted]) {
    await payFor(buyer, id);
    await waitUntilUnlocked(buyer, id);
  }
  await updateLink(owner, { id: links.free.id, unlocked: true });
  await updateLink(owner, { id: links.paused.id, paused: true });
  await graphql(owner, DELETE, { id: links.deleted.id });
  const sessionId = new URL(successUrl).searchParams.get('session_id') ?? '';
  const { listPurchases } = await graphql<{ listPurchases: { items: { id: string }[] } }>(
    guest,
    '{ listPurchases { items { id } } }',
    {},
    await publishableKey(guest),
  );
  const purchaseId = listPurchases.items[0]?.id ?? '';
  return { links, sessionId, purchaseId, buyerEmail: BUYER_EMAIL };
}
