import { randomBytes } from 'node:crypto';
import { expect } from 'vitest';
import { type Person, postJson, readJson } from '../harness/person.ts';

interface Refusal {
  code: string;
  message: string;
}

export const createEmail = () => `${randomBytes(6).toString('hex')}@example.com`;
/** Posts to one of the account routes. */
export const auth = (person: Person, path: string, body: object = {}) =>
  postJson(person, `/api/auth/${path}`, body);
export const refusal = async (response: Response) => (await response.json()) as Refusal;

/** The refusal in the shape of the account routes, with a sentence for a person. */
export async function expectRefusal(
  response: Response,
  status: number,
  code: string,
): Promise<void> {
  const { code: actual, message } = await refusal(response);
  expect({ status: response.status, code: actual }).toEqual({ status, code });
  expect(message).toMatch(/^[A-Z].+\.$/);
}

export async function countMails(origin: string, to: string): Promise<number> {
  const mails = await readJson<{ to: string }[]>(await fetch(`${origin}/mailbox.json`));
  return mails.filter((mail) => mail.to === to).length;
}

/** Mails leave after the answer. */
export async function expectMails(origin: string, to: string, count: number): Promise<void> {
  await expect.poll(() => countMails(origin, to)).toBe(count);
}

/** The attributes of who is signed in. */
export const attributes = (person: Person, headers: Record<string, string> = {}) =>
  person.fetch('/api/user-attributes', { headers });
