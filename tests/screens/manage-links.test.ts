import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, test } from 'vitest';
import { createLink, graphql, seeLink, sellFile, signUp } from '../factories/factories.ts';
import { openPage } from '../harness/browser.ts';
import { createPerson, type Person } from '../harness/person.ts';
import { useApp } from '../harness/use-app.ts';
import { waitUntilAlive } from '../journeys/steps.ts';
import { holdRequests } from './hold-requests.ts';

const TO_PAUSE = ['Tab', 'Tab', 'Tab', 'Tab', 'Tab', 'Tab', 'Tab'];
const PHONE = { width: 320, height: 640 };

describe('managing links on the dashboard', () => {
  const app = useApp();
  let creator: Person;

  beforeEach(async () => {
    creator = await signUp(app);
  });

  async function openDashboard(options: { viewport?: typeof PHONE } = {}): Promise<Page> {
    const page = await openPage(app, { as: creator, ...options });
    await page.goto('/dashboard');
    await waitUntilAlive(page);
    return page;
  }

  const sellNotes = () => sellFile(creator, { name: 'notes.pdf' });
  const manage = (page: Page) => page.getByRole('button', { name: 'Manage notes.pdf' });
  const press = (page: Page, name: string) =>
    page.getByRole('button', { name, exact: true }).click();

  async function findLink(id: string) {
    const query = 'query ($id: ID!) { getPaywallLink(id: $id) { paused } }';
    const answer = await graphql<{ getPaywallLink: { paused: boolean } | null }>(creator, query, {
      id,
    });
    return answer.getPaywallLink;
  }

  test('Pause takes a link off sale and Resume brings it back, each said aloud', {
    tags: 'long',
  }, async () => {
    const { id } = await sellNotes();
    const page = await openDashboard();
    const badge = page.getByText('Paused', { exact: true });
    await manage(page).click();
    await press(page, 'Pause');
    await page
      .getByRole('status')
      .getByText('notes.pdf is paused. Nobody can buy it.', { exact: true })
      .waitFor();
    await badge.waitFor();
    expect(await findLink(id)).toEqual({ paused: true });
    await manage(page).and(page.locator(':focus')).waitFor();
    await manage(page).click();
    await press(page, 'Resume');
    await page
      .getByRole('status')
      .getByText('notes.pdf can be bought again.', { exact: true })
      .waitFor();
    expect(await badge.count()).toBe(0);
    expect(await findLink(id)).toEqual({ paused: false });
  });

  test('a link that is being paused says so until the server has answered', {
    tags: 'long',
  }, async () => {
    await sellNotes();
    const page = await openDashboard();
    const letThrough = await holdRequests(page, '**/graphql');
    await manage(page).click();
    await press(page, 'Pause');
    const busy = page.getByRole('button', { name: 'Pausing...', exact: true });
    await busy.waitFor();
    expect(await busy.getAttribute('aria-busy')).toBe('true');
    letThrough();
    await page.getByText('Paused', { exact: true }).waitFor();
    await busy.waitFor({ state: 'detached' });
  });

  test('a link that could not be paused says why and stays on sale', async () => {
    const { id } = await sellNotes();
    const page = await openPage(app, { as: creator, expectedErrors: /net::ERR_FAILED \/graphql/ });
    await page.goto('/dashboard');
    await waitUntilAlive(page);
    await page.route('**/graphql', (route) => route.abort());
    await manage(page).click();
    await press(page, 'Pause');
    const alert = page.getByRole('alert');
    await alert.getByText('The server could not be reached.').waitFor();
    await manage(page).and(page.locator(':focus')).waitFor();
    expect(await findLink(id)).toEqual({ paused: false });
  });

  test('Delete asks first, names the link and says that buyers keep what they bought', async () => {
    const { id } = await sellNotes();
    const page = await openDashboard();
    await manage(page).click();
    await press(page, 'Delete');
    const dialog = page.getByRole('dialog', { name: 'Delete “notes.pdf”?' });
    await dialog.getByText('Buyers keep what they bought.').waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await manage(page).and(page.locator(':focus')).waitFor();
    expect(await findLink(id)).not.toBeNull();
  });

  test('a link deleted on the dashboard leaves the list and its address at once', {
    tags: 'long',
  }, async () => {
    const kept = await createLink(creator, { type: 'link', url: 'https://example.com/kept' });
    const { id } = await sellNotes();
    const page = await openDashboard();
    await manage(page).click();
    await press(page, 'Delete');
    await press(page, 'Delete link');
    await page.getByRole('status').getByText('notes.pdf was deleted.', { exact: true }).waitFor();
    expect(await page.getByRole('main').getByRole('listitem').count()).toBe(1);
    await page.getByText(kept.id).waitFor();
    await page.locator('h2:focus', { hasText: 'Your Paywall Links' }).waitFor();
    expect(await seeLink(createPerson(app), id)).toBeNull();
  });

  test('links are paused and deleted with the keyboard alone', async () => {
    const { id } = await sellNotes();
    const page = await openDashboard();
    await manage(page).focus();
    // Edit, Share, Replace content, Choices, Preview and Visitors come before it.
    for (const key of ['Enter', ...TO_PAUSE, 'Enter']) await page.keyboard.press(key);
    await page.getByText('Paused', { exact: true }).waitFor();
    await manage(page).and(page.locator(':focus')).waitFor();
    for (const key of ['Enter', ...TO_PAUSE, 'Tab', 'Enter']) await page.keyboard.press(key);
    await page.locator('dialog :focus', { hasText: 'Keep it' }).waitFor();
    for (const key of ['Shift+Tab', 'Enter']) await page.keyboard.press(key);
    await page.getByText('No paywall links yet.', { exact: true }).waitFor();
    expect(await findLink(id)).toBeNull();
  });

  test('the menu and its dialog fit a phone of 320 px, with targets of 44 px', {
    tags: 'long',
  }, async () => {
    await createLink(creator, {
      type: 'link',
      url: 'https://example.com/',
      title: 'A title that is much longer than a phone is wide',
      price: 12_345,
    });
    const page = await openDashboard({ viewport: PHONE });
    const more = page.getByRole('button', { name: /^Manage A title/ });
    const expectToFit = async (name: string) => {
      const box = await page.getByRole('button', { name, exact: true }).boundingBox();
      if (!box) throw new Error(`${name} is not on show`);
      expect(box.height).toBeGreaterThanOrEqual(44);
      expect(box.x).toBeGreaterThanOrEqual(0);
      expect(box.x + box.width).toBeLessThanOrEqual(PHONE.width);
    };
    expect((await more.boundingBox())?.width).toBeGreaterThanOrEqual(44);
    await more.click();
    for (const name of ['Share', 'Pause', 'Delete']) await expectToFit(name);
    const [button, menu] = [
      await more.boundingBox(),
      await page.locator(':popover-open').boundingBox(),
    ];
    expect(menu?.y).toBeGreaterThanOrEqual((button?.y ?? 0) + (button?.height ?? 0));
    expect((menu?.y ?? 0) + (menu?.height ?? 0)).toBeLessThanOrEqual(PHONE.height);
    await press(page, 'Delete');
    for (const name of ['Delete link', 'Keep it']) await expectToFit(name);
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(width).toBeLessThanOrEqual(PHONE.width);
  });
});
