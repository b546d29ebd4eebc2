import { nameLink } from '../../../contract/name-link.ts';
import { readInstallationId } from '../installation/match-storage.ts';
import type { Link } from '../links/tables.ts';
import { enqueue } from '../outbox/enqueue.ts';
import { CheckoutInProgressError } from './card-provider.ts';
import type { CheckoutContext, CheckoutParty } from './checkout-context.ts';
import { fingerprintFiles, readOfferedFiles } from './offered-files.ts';
import type { Purchase } from './tables.ts';

/**
 * Where an open purchase is paid. The purchase names its session by the idempotency key, so that
 * parallel requests, and one that takes over from a process that died, get the same session.
 * @returns the provider's hosted page; null when the provider gave none
 * @throws whatever kept the provider from opening it
 */
export async function openSession(
  context: CheckoutContext,
  link: Link,
  { viewer }: CheckoutParty,
  purchase: Purchase,
): Promise<string | null> {
  if (purchase.session_id) return purchase.checkout_url;
  const { db, provider, publicUrl } = context;
  const session = await provider
    .createCheckout({
      purchaseId: purchase.id,
      linkId: link.id,
      installationId: await readInstallationId(db),
      feeCents: purchase.fee_cents,
      filesFingerprint: fingerprintFiles(await readOfferedFiles(db, purchase.id)),
      title: nameLink(link),
      priceCents: purchase.price_cents,
      currency: purchase.currency,
      buyerEmail: viewer.user?.email ?? null,
      successUrl: `${publicUrl}/success?session_id={CHECKOUT_SESSION_ID}`,
      cancelUrl: `${publicUrl}/p/${link.id}`,
      expiresAt: purchase.expires_at,
      idempotencyKey: `checkout-${purchase.id}-1`,
    })
    .catch(async (error: unknown) => {
      if (!(error instanceof CheckoutInProgressError)) await markFailed(context, purchase.id);
      throw error;
    });
  const kept = await db
    .updateTable('purchase')
    .set({ session_id: session.id, checkout_url: session.url })
    .where('id', '=', purchase.id)
    .where('state', 'in', ['open', 'processing', 'settled'])
    .returning('id')
    .executeTakeFirst();
  if (kept) return session.url;
  await enqueue(db, 'expire-checkout', { sessionId: session.id }, context.now());
  throw new Error(`Purchase ${purchase.id} ended before its checkout began`);
}

async function markFailed({ db }: CheckoutContext, purchaseId: string): Promise<void> {
  await db
    .updateTable('purchase')
    .set({ state: 'failed' })
    .where('id', '=', purchaseId)
    .where('state', '=', 'open')
    .where('session_id', 'is', null)
    .execute();
}
