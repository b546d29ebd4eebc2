import type { Page } from 'playwright-core';
import { openPage, type PageOptions } from '../browser.ts';
import type { Person } from '../person.ts';

/** A page of a browser in which this person is signed in, or holds a purchase. */
export async function openAs(person: Person, options: PageOptions = {}): Promise<Page> {
  const page = await openPage(person, options);
  const cookies = [...person.cookies].map(([name, value]) => ({ name, value, url: person.origin }));
  await page.context().addCookies(cookies);
  return page;
}
