import { createLink, signUp, uploadFile } from '../../tests/factories/factories.ts';
import { openFolder } from '../open-folder.ts';
import { startPadlink } from '../start-padlink.ts';
import { openChrome } from './open-chrome.ts';
import { type Audit, runLighthouse } from './run-lighthouse.ts';

/** Enough for the list to be longer than a phone. */
const LINKS = 24;

export interface PageResult extends Audit {
  page: string;
}

/** What Lighthouse says of the public pages on a phone, as a guest opens them. */
export async function measurePages(): Promise<PageResult[]> {
  using folder = openFolder();
  await using padlink = await startPadlink(folder.path, { NODE_ENV: 'production' });
  const id = await openShop(padlink);
  await using chrome = await openChrome();
  const results: PageResult[] = [];
  for (const [page, path] of [
    ['/', '/'],
    ['/p/:id', `/p/${id}`],
    ['/explore', '/explore'],
    ['/login', '/login'],
  ] as const) {
    results.push({ page, ...(await runLighthouse(chrome.port, padlink.origin + path)) });
  }
  return results;
}

/** Sells a file, and some web addresses for the list. Returns the id of the file's link. */
async function openShop(app: { origin: string }): Promise<string> {
  const seller = await signUp(app);
  for (let count = 1; count < LINKS; count++) {
    const title = `Lecture notes of week ${count}`;
    await createLink(seller, { type: 'link', url: 'https://example.com/', title, price: 300 });
  }
  const { key } = await uploadFile(seller, { name: 'notes.pdf', bytes: new Uint8Array(500_000) });
  const { id } = await createLink(seller, {
    key,
    title: 'Organic chemistry study pack',
    description: 'Summaries of all twelve chapters, with the questions of the last five years.',
  });
  return id;
}
