import type { DBAdapter } from 'better-auth';

type Row = Record<string, unknown>;

/** When a user's address or password was last changed: a field that nobody may set or see. */
export const CREDENTIALS_CHANGED_AT = {
  credentialsChangedAt: {
    type: 'date',
    required: false,
    input: false,
    returned: false,
  },
} as const;

/**
 * Notes with each change of an address or a password when it was made, whichever way led to it, so
 * that what an intruder would be after can be held for a while. A first password is no change.
 */
export function withCredentialChanges(adapter: DBAdapter): DBAdapter {
  const change = () => ({ credentialsChangedAt: new Date() });
  async function noteFor(userId: unknown): Promise<void> {
    if (typeof userId !== 'string') return;
    const where = [{ field: 'id', value: userId }];
    await adapter.update({ model: 'user', where, update: change() });
  }
  return {
    ...adapter,
    async update(call) {
      if (call.model === 'user' && 'email' in call.update) {
        const { model, where } = call;
        // The library writes the address as it is whenever it is confirmed.
        const before = (await adapter.findOne({ model, where })) as Row | null;
        if (before?.email === call.update.email) return adapter.update(call);
        return adapter.update({ ...call, update: { ...call.update, ...change() } });
      }
      const row = await adapter.update(call);
      if (call.model === 'account' && 'password' in call.update)
        await noteFor((row as Row)?.userId);
      return row as never;
    },
    async updateMany(call) {
      if (call.model === 'account' && 'password' in call.update) {
        await noteFor(call.where.find(({ field }) => field === 'userId')?.value);
      }
      return adapter.updateMany(call);
    },
    transaction: (work) =>
      adapter.transaction((inner) => work(withCredentialChanges(inner as DBAdapter))),
  };
}
