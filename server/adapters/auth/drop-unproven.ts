import type { AuthContext } from 'better-auth';

/** The sign-up of an address that nobody confirmed. */
export function unprovenAt(email: string) {
  return [
    { field: 'email', value: email.toLowerCase() },
    { field: 'emailVerified', value: false },
  ];
}

/** Removes a sign-up that nobody confirmed, password and all. */
export async function dropUnproven(adapter: AuthContext['adapter'], email: string): Promise<void> {
  await adapter.deleteMany({ model: 'user', where: unprovenAt(email) });
}
