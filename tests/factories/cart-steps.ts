import type { Person } from '../harness/person.ts';

/** Sends a plain form, as a browser without JavaScript does. */
export function postForm(person: Person, path: string, fields: Record<string, string>) {
  return person.fetch(path, { method: 'POST', body: new URLSearchParams(fields) });
}

/** Presses Check out. */
export async function checkOutCart(person: Person): Promise<Response> {
  return postForm(person, '/cart/checkout', { seen: await readSeen(person) });
}

/** What the page of the cart says was shown. */
export async function readSeen(person: Person): Promise<string> {
  const page = await (await person.fetch('/cart')).text();
  const [input = ''] = /<input[^>]*name="seen"[^>]*>/.exec(page) ?? [];
  return /value="([^"]*)"/.exec(input)?.[1] ?? '';
}

/** The provider's session behind the address of its hosted page. */
export const sessionOf = (address: string): string =>
  new URL(address).pathname.split('/').at(-1) ?? '';
