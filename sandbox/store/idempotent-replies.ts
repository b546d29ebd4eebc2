import type { DatabaseSync } from 'node:sqlite';

export interface IdempotentReply {
  requestId: string;
  path: string;
  params: unknown;
  status: number;
  body: string;
}

/** The provider forgets a key after a day. */
const KEPT_SECONDS = 24 * 60 * 60;

/** Answers already given under an idempotency key; keys of different accounts do not meet. */
export function createIdempotentReplies(db: DatabaseSync) {
  const select = db.prepare(
    `SELECT request_id AS requestId, path, params, status, body FROM idempotency
     WHERE account = ? AND key = ?`,
  );
  const insert = db.prepare(
    `INSERT INTO idempotency (account, key, request_id, path, params, status, body, created)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const removeOld = db.prepare('DELETE FROM idempotency WHERE created < ?');
  return {
    find(account: string | null, key: string): IdempotentReply | undefined {
      const row = select.get(account ?? '', key) as
        | (IdempotentReply & { params: string })
        | undefined;
      return row && { ...row, params: JSON.parse(row.params) };
    },
    save(account: string | null, key: string, reply: IdempotentReply, now: number) {
      const { requestId, path, params, status, body } = reply;
      const kept = JSON.stringify(params);
      insert.run(account ?? '', key, requestId, path, kept, status, body, now);
    },
    forgetOld(now: number) {
      removeOld.run(now - KEPT_SECONDS);
    },
  };
}
