import type { Auth } from './create-auth.ts';

/**
 * Removes sessions that ended by themselves, and codes and second steps that nobody came back to:
 * nobody could use them any more.
 */
export async function sweepExpired(auth: Auth, now: number): Promise<void> {
  const { adapter } = await auth.$context;
  for (const model of ['session', 'verification']) {
    const where = [{ field: 'expiresAt', operator: 'lt' as const, value: new Date(now) }];
    await adapter.deleteMany({ model, where });
  }
}
