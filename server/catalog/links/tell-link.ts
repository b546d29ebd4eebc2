import type { DatabaseTransaction } from '../../ground/database/tables.ts';
import { tellHooks } from '../../notices/hooks/tell-hooks.ts';
import type { Link } from './tables.ts';

/** Tells webhooks that a link was created, or is what it is now. @param now UTC milliseconds */
export async function tellLink(
  trx: DatabaseTransaction,
  type: 'link.created' | 'link.updated',
  link: Link,
  now: number,
): Promise<void> {
  const { id, title, owner_id: ownerId } = link;
  const data = {
    link: {
      id,
      type: link.type,
      title,
      price: link.price_cents,
      currency: 'usd',
      free: link.unlocked === 1,
      unlisted: link.unlisted === 1,
      version: link.content_version,
      state: stateOf(link),
    },
  };
  await tellHooks(trx, { type, ownerId, data }, now);
}

function stateOf(link: Link): 'taken_down' | 'deleted' | 'paused' | 'on_sale' {
  if (link.taken_down_at !== null) return 'taken_down';
  if (link.deleted_at !== null) return 'deleted';
  return link.paused === 1 ? 'paused' : 'on_sale';
}
