import { randomUUID } from 'node:crypto';
import type { App } from '../harness/start-app.ts';
import { withDatabase } from '../harness/with-database.ts';

/** A job that was given up, about nothing that there is. */
export async function giveUpJob(app: Pick<App, 'env'>, error = 'Error: no mail server') {
  const id = randomUUID();
  await withDatabase(app, (db) =>
    db
      .insertInto('job')
      .values({
        id,
        kind: 'send-receipt',
        payload: JSON.stringify({ purchaseId: id }),
        lane: 'mail',
        run_at: 0,
        attempts: 83,
        unended: 0,
        locked_until: 0,
        lease_id: null,
        died_at: Date.now(),
        last_error: error,
        created_at: Date.now(),
      })
      .execute(),
  );
  return id;
}

/** A creator's first payout, which waits for an operator. */
export async function waitForApproval(app: Pick<App, 'env'>, ownerId: string, cents = 3_950) {
  const id = randomUUID();
  const at = Date.now();
  await withDatabase(app, (db) =>
    db
      .insertInto('payout')
      .values({
        id,
        owner_id: ownerId,
        mode: 'test',
        provider_account: 'acct',
        state: 'requested',
        account_id: 'acct',
        bank_account: 'STRIPE TEST BANK ••6789',
        note: null,
        amount_cents: cents,
        cost_cents: 25,
        approved_at: null,
        asked_at: null,
        transfer_id: null,
        sent_id: null,
        tries: 0,
        failures: 0,
        try_at: null,
        returning_because: null,
        requested_at: at,
        changed_at: at,
      })
      .execute(),
  );
  return id;
}
