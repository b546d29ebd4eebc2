import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { beforeAll, describe, expect, test } from 'vitest';
import { createLink, graphql, signUp, uploadFile } from '../factories/factories.ts';
import { wav } from '../factories/wav.ts';
import { openPage } from '../harness/browser.ts';
import type { Person } from '../harness/person.ts';
import { useApp } from '../harness/use-app.ts';
import { openLivePage, waitUntilAlive } from '../journeys/steps.ts';

const PHONE = { width: 320, height: 640 };
const FIELDS =
  'query ($id: ID!) { getPaywallLink(id: $id) { price title description free noindex unlisted } }';

describe('editing a link on the dashboard', () => {
  const app = useApp();
  let creator: Person;

  beforeAll(async () => {
    creator = await signUp(app);
  });

  const sell = (title: string, owner = creator) =>
    createLink(owner, { type: 'link', url: 'https://example.com/', title, price: 500 });

  async function readLink(id: string) {
    return (await graphql<{ getPaywallLink: unknown }>(creator, FIELDS, { id })).getPaywallLink;
  }

  async function openEditor(path: string, options = {}): Promise<Page> {
    const page = await openPage(app, { as: creator, ...options });
    await page.goto(path);
    await waitUntilAlive(page);
    return page;
  }

  const unfold = (page: Page) => page.getByRole('dialog').getByText('More options').click();

  const press = (page: Page, name: string) =>
    page.getByRole('dialog').getByRole('button', { name, exact: true }).click();

  test('is offered by the menu; what was saved stands in the row and is said aloud', async () => {
    const { id } = await sell('First draft');
    const page = await openEditor('/dashboard');
    await page.getByRole('button', { name: 'Manage First draft' }).click();
    await page.getByRole('link', { name: 'Edit', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Edit “First draft”' });
    await dialog.getByLabel('Title (optional)').fill('Second edition');
    await dialog.getByLabel('Price (USD)').fill('10');
    await dialog.getByText('Buyers pay $10.00. You receive $9.20.').waitFor();
    await dialog.getByLabel('Description (optional)').fill('All of it, in order.');
    await unfold(page);
    await dialog.getByLabel('Free', { exact: true }).check();
    await dialog.getByLabel('Hide from search engines').check();
    await dialog.getByLabel('Unlisted', { exact: true }).check();
    await press(page, 'Save');
    await page.getByRole('status').getByText('Second edition was saved.').waitFor();
    const row = page.getByRole('listitem').filter({ hasText: id });
    await row.getByText('Second edition', { exact: true }).waitFor();
    await row.getByText('$10.00', { exact: true }).waitFor();
    await row.getByText('Free', { exact: true }).waitFor();
    await row.getByText('Unlisted', { exact: true }).waitFor();
    await row
      .getByRole('button', { name: /^Manage/ })
      .and(page.locator(':focus'))
      .waitFor();
    expect(await readLink(id)).toEqual({
      price: 1000,
      title: 'Second edition',
      description: 'All of it, in order.',
      free: true,
      noindex: true,
      unlisted: true,
    });
  });

  test('offers the preview that fits the file, and no other', async () => {
    const { key } = await uploadFile(creator, { name: 'song.wav', bytes: wav(20) });
    const { id } = await createLink(creator, { key, title: 'A song' });
    const page = await openEditor(`/dashboard?edit=${id}`);
    const dialog = page.getByRole('dialog');
    await unfold(page);
    await dialog.getByLabel('Play the beginning').check();
    expect(await dialog.getByLabel(/^Show/).count()).toBe(0);
    await press(page, 'Save');
    await page.getByRole('status').getByText('A song was saved.').waitFor();
    const chosen = 'query ($id: ID!) { getPaywallLink(id: $id) { preview } }';
    expect(await graphql(creator, chosen, { id })).toEqual({
      getPaywallLink: { preview: 'excerpt' },
    });
  });

  test('begins with what sells it, in the order of the upload form, and folds the rest', async () => {
    const { id } = await sell('In order');
    const page = await openEditor(`/dashboard?edit=${id}`);
    const dialog = page.getByRole('dialog');
    const fields = dialog.locator('input:visible, textarea:visible');
    const names = () =>
      fields.evaluateAll((all) =>
        all.map((field) => (field as HTMLInputElement).labels?.[0]?.textContent),
      );
    const basics = ['Price (USD)', 'Title (optional)', 'Description (optional)', 'Add a cover'];
    expect(await names()).toEqual(basics);
    await unfold(page);
    const [copies, until] = await Promise.all(
      ['Copies to sell (optional)', 'Last day of sale (optional)'].map((name) =>
        dialog.getByLabel(name).boundingBox(),
      ),
    );
    expect(copies?.y).toBe(until?.y);
    const least = dialog.getByLabel('Minimum price (optional)');
    await least.fill('9');
    await dialog.getByText('More options').click();
    await least.waitFor({ state: 'hidden' });
    await press(page, 'Save');
    await least.and(page.locator(':focus')).waitFor();
  });

  test('adds a cover at once, which leaves nothing to save, and takes it away', async () => {
    const { id } = await sell('Plain so far');
    const page = await openEditor(`/dashboard?edit=${id}`);
    const dialog = page.getByRole('dialog');
    const create = { width: 800, height: 450, channels: 3, background: '#204060' } as const;
    const buffer = Buffer.from(await sharp({ create }).png().toBuffer());
    const picture = { name: 'cover.png', mimeType: 'image/png', buffer };
    const readCover = () => graphql(creator, `{ getPaywallLink(id: "${id}") { cover { width } } }`);
    await dialog.getByLabel('Add a cover').setInputFiles(picture);
    await dialog.getByText('Saved. Buyers now see the new cover.').waitFor();
    expect(await readCover()).toEqual({ getPaywallLink: { cover: { width: 800 } } });
    await dialog.getByRole('button', { name: 'Remove cover' }).click();
    await dialog.getByLabel('Add a cover').waitFor();
    expect(await readCover()).toEqual({ getPaywallLink: { cover: null } });
    // Asked whether to leave, the page would answer no.
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  });

  test('makes another web address a new version, from which an earlier one comes back', async () => {
    const { id } = await sell('Reading room');
    const page = await openEditor(`/dashboard?edit=${id}`);
    const dialog = page.getByRole('dialog');
    await unfold(page);
    await dialog.getByLabel('Web address').fill('https://example.com/second');
    await press(page, 'Save');
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Manage Reading room' }).click();
    await page.getByRole('link', { name: 'Edit', exact: true }).click();
    await unfold(page);
    await dialog.getByText('Versions (2)').click();
    await dialog
      .getByRole('listitem')
      .filter({ hasText: 'Version 2' })
      .getByText('On sale')
      .waitFor();
    await dialog.getByRole('button', { name: 'Sell again: version 1' }).click();
    await dialog.getByText('Version 1 is on sale again, as version 3.').waitFor();
    expect(await dialog.getByLabel('Web address').inputValue()).toBe('https://example.com/');
    expect(await dialog.getByRole('listitem').count()).toBe(3);
    await press(page, 'Save');
    await dialog.waitFor({ state: 'detached' });
    const { getPaywallLink: link } = await graphql<{ getPaywallLink: unknown }>(
      creator,
      'query ($id: ID!) { getPaywallLink(id: $id) { version url } }',
      { id },
    );
    expect(link).toEqual({ version: 3, url: 'https://example.com/' });
  });

  test('is asked for by an address too, also of a link that is not on show', async () => {
    const { id } = await sell('Far down');
    const page = await openEditor(`/dashboard?q=nothing+like+it&edit=${id}`);
    const dialog = page.getByRole('dialog', { name: 'Edit “Far down”' });
    await dialog.getByLabel('Title (optional)').fill('');
    await press(page, 'Save');
    await dialog.waitFor({ state: 'detached' });
    expect(await readLink(id)).toMatchObject({ title: null, price: 500 });
    await page.waitForURL('/dashboard?q=nothing+like+it');
  });

  test('of what is not one’s own, or gone, is refused, and nothing is told of it', async () => {
    const theirs = await sell('Not yours', await signUp(app));
    const gone = await sell('Gone');
    await graphql(creator, 'mutation ($id: ID!) { deletePaywallLink(input: { id: $id }) { id } }', {
      id: gone.id,
    });
    const page = await openPage(app, { as: creator });
    for (const id of [theirs.id, gone.id, 'ffffffff']) {
      await page.goto(`/dashboard?edit=${id}`);
      const alert = page.getByRole('alert');
      await alert.getByText(`You have no link “${id}” to edit.`).waitFor();
      expect(await page.getByRole('dialog').count()).toBe(0);
      expect(await page.getByRole('main').textContent()).not.toMatch(/Not yours|Gone/);
    }
  });

  test('says what is wrong beside the field, and keeps what was typed whatever fails', async () => {
    const { id } = await sell('Careful');
    const page = await openEditor(`/dashboard?edit=${id}`, {
      expectedErrors: /net::ERR_FAILED \/graphql/,
    });
    const dialog = page.getByRole('dialog');
    const [title, price] = [
      dialog.getByLabel('Title (optional)'),
      dialog.getByLabel('Price (USD)'),
    ];
    await title.fill('Typed with care');
    await price.fill('');
    await press(page, 'Save');
    await dialog.getByText('Enter a valid price greater than $0.').waitFor();
    await price.and(page.locator(':focus')).waitFor();
    await price.fill('7');
    await page.route('**/graphql', (route) => route.abort());
    await press(page, 'Save');
    await dialog.getByText(/^The server could not be reached\./).waitFor();
    // The question whether to leave is answered with no.
    await page.keyboard.press('Escape');
    expect([await title.inputValue(), await price.inputValue()]).toEqual(['Typed with care', '7']);
    await page.unroute('**/graphql');
    await press(page, 'Save');
    await dialog.waitFor({ state: 'detached' });
    expect(await readLink(id)).toMatchObject({ title: 'Typed with care', price: 700 });
  });

  test('without a session keeps what was typed and leads to the login page in a new tab', async () => {
    const person = await signUp(app);
    const { id } = await sell('Left alone', person);
    const page = await openPage(app, { as: person });
    // Read as the creator: a page that reads later leads to the login page by itself.
    const caughtUp = page.waitForResponse('**/graphql');
    await openLivePage(page, `/dashboard?edit=${id}`, 4);
    expect((await caughtUp).ok()).toBe(true);
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Title (optional)').fill('Typed before');
    await page.context().clearCookies();
    await press(page, 'Save');
    await dialog.getByText(/^You are signed out\. Your changes are still here/).waitFor();
    const signIn = dialog.getByRole('link', { name: 'Sign in in a new tab' });
    expect(await signIn.getAttribute('target')).toBe('_blank');
    expect(await dialog.getByLabel('Title (optional)').inputValue()).toBe('Typed before');
  });

  test('says when its form cannot be loaded, and that a reload may help, as it does', async () => {
    await sell('Hard to reach');
    const page = await openPage(app, {
      as: creator,
      expectedErrors: /net::ERR_FAILED .*edit-dialog.*/,
    });
    await page.route('**/edit-dialog*', (route) => route.abort());
    await page.goto('/dashboard');
    await waitUntilAlive(page);
    const edit = async () => {
      await page.getByRole('button', { name: 'Manage Hard to reach' }).click();
      await page.getByRole('link', { name: 'Edit', exact: true }).click();
    };
    await edit();
    const words = 'This could not be loaded. Please reload the page and try again.';
    await page.getByRole('alert').getByText(words).waitFor();
    await page.unroute('**/edit-dialog*');
    await page.reload();
    await waitUntilAlive(page);
    await edit();
    await page.getByRole('dialog', { name: 'Edit “Hard to reach”' }).waitFor();
  });

  test('and sharing fit a phone of 320 px', async () => {
    const { id } = await sell('A title that is much longer than a phone is wide, and then some');
    const page = await openEditor(`/dashboard?edit=${id}`, { viewport: PHONE });
    const expectToFit = async () => {
      const box = await page.getByRole('dialog').boundingBox();
      expect(box?.x).toBeGreaterThanOrEqual(0);
      expect((box?.x ?? 0) + (box?.width ?? 999)).toBeLessThanOrEqual(PHONE.width);
      const wide = await page.getByRole('dialog').evaluate((it) => it.scrollWidth > it.clientWidth);
      expect(wide).toBe(false);
    };
    await expectToFit();
    const save = page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true });
    const { y = 0, height = 999 } = (await save.boundingBox()) ?? {};
    expect(y + height).toBeLessThanOrEqual(PHONE.height);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: /^Manage A title/ }).click();
    await page.getByRole('button', { name: 'Share', exact: true }).click();
    const address = page.getByRole('dialog').getByLabel('Your paywall link:');
    expect(await address.inputValue()).toBe(`${app.origin}/p/${id}`);
    await page.getByRole('img', { name: 'QR code of your paywall link' }).waitFor();
    await expectToFit();
    await press(page, 'Done');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });
});
