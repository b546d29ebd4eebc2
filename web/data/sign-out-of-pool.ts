import type { FormEvent } from 'react';
import { postJson } from './post-json.ts';

/**
 * Signs out here and then at the user pool, which leads back. Not by the form itself: its redirect
 * to another site is what the content security policy stops.
 */
export async function signOutOfPool(event: FormEvent<HTMLFormElement>) {
  event.preventDefault();
  const form = event.currentTarget;
  try {
    const { url = '/' } = await postJson<{ url?: string }>('/api/auth/sign-out', {});
    location.assign(url);
  } catch {
    form.submit();
  }
}
