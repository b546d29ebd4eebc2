import type { Auth } from './create-auth.ts';

/** Removes sessions that ended by themselves; nobody could use them any more. */
export async function sweepSessions(auth: Auth, now: number): Promise<void> {
  const { adapter } = await auth.$context;
  await adapter.deleteMany({
    model: 'session',
    where: [{ field: 'expiresAt', operator: 'lt', value: new Date(now) }],
  });
}
