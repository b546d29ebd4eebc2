import type { Page } from 'playwright-core';
import { readMail, sellFile, storageUrl, updateLink } from '../factories/factories.ts';
import { createPerson } from '../harness/person.ts';
import type { Scene } from './scene.ts';
import type { State } from './state.ts';

/** Pages that stand for themselves. */
export const OPEN_PAGE_STATES: State[] = [
  { name: 'landing', visit: () => ({ path: '/' }) },
  { name: 'landing-signed-in', visit: ({ creator }) => ({ path: '/', person: creator }) },
  { name: 'landing-menu', visit: () => ({ path: '/' }), arrange: openMenu },
  { name: 'terms', visit: () => ({ path: '/terms' }) },
  { name: 'privacy', visit: () => ({ path: '/privacy' }) },
  { name: 'offline', visit: () => ({ path: '/offline' }) },
  { name: 'failed', visit: ({ links }) => ({ path: `/failed?link=${links.file}` }) },
  { name: 'not-found', visit: () => ({ path: '/nowhere' }), expectedErrors: /404 \/nowhere/ },
  {
    name: 'error',
    visit: ({ bare }) => ({ path: `${bare.origin}/dashboard`, person: bare.visitor }),
    expectedErrors: /500 http:\/\/localhost:\d+\/dashboard/,
  },
  { name: 'mailbox', visit: () => ({ path: '/mailbox' }) },
  { name: 'mailbox-empty', visit: ({ bare }) => ({ path: `${bare.origin}/mailbox` }) },
  { name: 'access', visit: async (scene) => ({ path: await findInReceipt(scene, 'access') }) },
  { name: 'first-operator', visit: ({ bare }) => ({ path: bare.firstOperatorUrl }) },
  { name: 'updates', visit: async (scene) => ({ path: await findInReceipt(scene, 'updates') }) },
  { name: 'stop-sales', visit: async (scene) => ({ path: await findStop(scene) }) },
  { name: 'stop-weeks', visit: async ({ stopWeeks }) => ({ path: stopWeeks }) },
  {
    name: 'access-damaged',
    visit: () => ({ path: '/access/damaged' }),
    expectedErrors: /404 \/access\/damaged/,
  },
  {
    name: 'download-damaged',
    visit: () => ({ path: '/download/damaged' }),
    expectedErrors: /403 \/download\/damaged/,
  },
  {
    name: 'download-ended',
    visit: endDownload,
    expectedErrors: /403 \/download\/[\w.-]+\/[\w.%-]+/,
  },
];

/** What was free for a while, and no longer is. */
async function endDownload({ origin, creator }: Scene) {
  const { id, key } = await sellFile(creator, { name: 'sample.pdf' });
  await updateLink(creator, { id, unlocked: true });
  const path = await storageUrl(createPerson({ origin }), key ?? '');
  await updateLink(creator, { id, unlocked: false });
  return { path };
}

async function openMenu(page: Page): Promise<void> {
  const button = page.getByRole('button', { name: 'Menu' });
  // Where there is room, the menu is a plain row.
  if (await button.isVisible()) await button.click();
}

async function findStop({ origin, creator }: Scene): Promise<string> {
  const { text } = await readMail({ origin }, creator.email, /^Sold: /);
  return /\/notifications\/\S+/.exec(text)?.[0] ?? '';
}

async function findInReceipt(
  { origin, buyerEmail }: Scene,
  what: 'access' | 'updates',
): Promise<string> {
  // Other purchases by this address were returned or disputed.
  const { text } = await readMail({ origin }, buyerEmail, /^Your purchase: A room for questions/);
  return new RegExp(`/${what}/\\S+`).exec(text)?.[0] ?? '';
}
