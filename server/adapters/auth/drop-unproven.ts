import type { AuthContext } from 'better-auth';

/** Removes a sign-up that nobody confirmed, password and all. */
export async function dropUnproven(adapter: AuthContext['adapter'], email: string): Promise<void> {
  await adapter.deleteMany({
    model: 'user',
    where: [
      { field: 'email', value: email.toLowerCase() },
      { field: 'emailVerified', value: false },
    ],
  });
}
