import { expect } from 'vitest';
import type { Person } from './person.ts';

/** The words of a page as a person without JavaScript reads them. */
export async function readPage(person: Person, path: string): Promise<string> {
  const response = await person.fetch(path, { headers: { accept: 'text/html' } });
  expect(response.status, path).toBe(200);
  const html = await response.text();
  const body = html.slice(html.indexOf('<body')).replace(/<script[\s\S]*?<\/script>/g, ' ');
  const words = body.replace(/<!--.*?-->/g, '').replace(/<[^>]+>/g, ' ');
  return words.replaceAll('&#x27;', "'").replaceAll('&amp;', '&').replace(/\s+/g, ' ');
}
