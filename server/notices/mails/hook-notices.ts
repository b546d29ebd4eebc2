import type { Gathers } from './gather.ts';

export const hookMails = {
  /** Tells the owner of a webhook that it ended by itself, unless it is on again or gone. */
  async 'send-hook-ended'({ db }, { hookId }) {
    const row = await db
      .selectFrom('hook')
      .innerJoin('user', 'user.id', 'hook.owner_id')
      .where('hook.id', '=', hookId)
      .where('hook.state', '=', 'ended')
      .select(['hook.url', 'user.email', 'user.firstName', 'user.language'])
      .executeTakeFirst();
    if (!row) return [];
    const { email: to, ...facts } = row;
    return [{ to, mail: 'hookEnded', facts }];
  },
} satisfies Partial<Gathers>;
