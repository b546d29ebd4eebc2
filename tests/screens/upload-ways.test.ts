import { AxeBuilder } from '@axe-core/playwright';
import type { JSHandle, Page } from 'playwright-core';
import sharp from 'sharp';
import { beforeAll, describe, expect, test } from 'vitest';
import { graphql, signUp } from '../factories/factories.ts';
import { openPage } from '../harness/browser.ts';
import { eventually } from '../harness/eventually.ts';
import type { Person } from '../harness/person.ts';
import { useApp } from '../harness/use-app.ts';
import { expectFocus, stopTime, waitUntilAlive } from '../journeys/steps.ts';
import { expectFault } from './expect-fault.ts';
import { holdRequests } from './hold-requests.ts';

describe('the upload page takes', () => {
  const app = useApp();
  let creator: Person;

  beforeAll(async () => {
    creator = await signUp(app);
  });

  async function openUpload(options = {}): Promise<Page> {
    const page = await openPage(app, { as: creator, ...options });
    await page.goto('/upload');
    await waitUntilAlive(page);
    return page;
  }

  const hold = (page: Page, names: string[], text = ''): Promise<JSHandle<DataTransfer>> =>
    page.evaluateHandle(
      ([held, said]) => {
        const data = new DataTransfer();
        for (const name of held) data.items.add(new File([name], name));
        if (said) data.setData('text/plain', said);
        return data;
      },
      [names, text] as const,
    );

  const paste = async (page: Page, onto: string, clipboardData: JSHandle<DataTransfer>) =>
    page.evaluate(
      ([selector, data]) => {
        const event = new ClipboardEvent('paste', {
          bubbles: true,
          cancelable: true,
          clipboardData: data,
        });
        document.querySelector(selector)?.dispatchEvent(event);
      },
      [onto, clipboardData] as const,
    );

  async function chooseCover(page: Page, buffer: Buffer): Promise<void> {
    const picture = { name: 'cover.png', mimeType: 'image/png', buffer };
    await page.getByLabel('Choose picture').setInputFiles(picture);
    await fileName(page, 'cover.png').waitFor();
  }

  const fileName = (page: Page, name: string) => page.getByText(name, { exact: true });

  test('a file dropped anywhere, and shows while it is held that it may', {
    tags: 'long',
  }, async () => {
    const page = await openUpload();
    const dataTransfer = await hold(page, ['notes.pdf']);
    await page.dispatchEvent('header', 'dragenter', { dataTransfer });
    await page.getByText('Drop files anywhere').waitFor();
    await page.dispatchEvent('header', 'dragleave', { dataTransfer });
    await page.getByText('Drop files anywhere').waitFor({ state: 'detached' });
    await page.dispatchEvent('footer', 'dragenter', { dataTransfer });
    await page.dispatchEvent('footer', 'drop', { dataTransfer });
    await fileName(page, 'notes.pdf').waitFor();
    expect(await page.getByText('Drop files anywhere').count()).toBe(0);
  });

  test('several dropped files, and says so; two of one name are told apart', async () => {
    const page = await openUpload();
    await page.getByRole('button', { name: 'or sell a web address' }).click();
    await page.dispatchEvent('main', 'drop', {
      dataTransfer: await hold(page, ['a.txt', 'b.txt']),
    });
    await fileName(page, 'a.txt').waitFor();
    await fileName(page, 'b.txt').waitFor();
    const status = page.getByRole('status');
    await status.getByText(/^2 files, \d+ bytes\.$/).waitFor();
    const other = await page.evaluateHandle(() => {
      const data = new DataTransfer();
      data.items.add(new File(['another'], 'a.txt'));
      return data;
    });
    await page.dispatchEvent('main', 'drop', { dataTransfer: other });
    await fileName(page, 'a (2).txt').waitFor();
    const said =
      'a.txt was chosen. Another file has the same name, so this one is called a (2).txt.';
    await status.getByText(new RegExp(`^3 files, \\d+ bytes\\. ${RegExp.escape(said)}$`)).waitFor();
  });

  test('a web address instead of a dropped file, and no longer says that the file was chosen', async () => {
    const page = await openUpload();
    await page.dispatchEvent('main', 'drop', { dataTransfer: await hold(page, ['notes.txt']) });
    await page.getByRole('status').getByText('notes.txt was chosen.', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'or sell a web address' }).click();
    await page.getByLabel('Web address').waitFor();
    expect(await page.getByText('notes.txt was chosen.').count()).toBe(0);
  });

  test('a pasted file, and forgets that none was chosen', async () => {
    const page = await openUpload();
    await page.getByRole('button', { name: 'Upload', exact: true }).click();
    await page.getByText('Select a file first.').waitFor();
    await paste(page, 'body', await hold(page, ['picture.png']));
    await fileName(page, 'picture.png').waitFor();
    expect(await page.getByText('Select a file first.').count()).toBe(0);
  });

  test('a web address pasted where no field is in use, but neither other words nor one of a field', {
    tags: 'long',
  }, async () => {
    const page = await openUpload();
    await paste(page, 'body', await hold(page, [], 'good morning'));
    await paste(page, '[name=title]', await hold(page, [], 'https://example.com/title'));
    await page.getByText('Choose File', { exact: true }).waitFor();
    expect(await page.getByLabel('Web address').count()).toBe(0);
    await paste(page, 'body', await hold(page, [], ' https://example.com/course\n'));
    await page.getByLabel('Web address').waitFor();
    expect(await page.getByLabel('Web address').inputValue()).toBe('https://example.com/course');
    await page.getByRole('status').getByText('The web address was filled in.').waitFor();
  });

  test('what a price means while it is typed, and reads it out once the typing rests', async () => {
    const page = await openUpload();
    const price = page.getByLabel('Price (USD)');
    const meaning = page.locator('output');
    await meaning.getByText('$0.01 or more. The fee is 5% plus $0.30 per sale.').waitFor();
    await page.clock.install();
    await stopTime(page);
    for (const [typed, said] of [
      ['0.004', '$0.01 or more. The fee is 5% plus $0.30 per sale.'],
      ['0.01', 'Buyers pay $0.01. You receive $0.00: the fee of 5% plus $0.30 takes all of it.'],
      ['0.33', 'Buyers pay $0.33. You receive $0.01.'],
      ['1000000', 'The maximum price is $999,999.99.'],
      ['4.99', 'Buyers pay $4.99. You receive $4.44.'],
    ] as const) {
      await price.fill(typed);
      await meaning.getByText(said, { exact: true }).waitFor();
      expect(await meaning.getAttribute('aria-busy')).toBe('true');
    }
    await eventually(async () => {
      await page.clock.fastForward(1000);
      expect(await meaning.getAttribute('aria-busy')).toBe('false');
    });
  });

  test('a price with a decimal comma, typed or pasted, as one with a point', {
    tags: 'long',
  }, async () => {
    const page = await openUpload();
    const price = page.getByLabel('Price (USD)');
    await price.pressSequentially('4,99');
    await page.getByText('Buyers pay $4.99. You receive $4.44.', { exact: true }).waitFor();
    expect(await price.inputValue()).toBe('4.99');
    for (const [pasted, read] of [
      ['4,99', '4.99'],
      ['1.234,56', '1234.56'],
      ['1,234.56', '1234.56'],
      ['1,000', '1000'],
    ] as const) {
      await page.getByLabel('Title (optional)').fill(pasted);
      await page.keyboard.press('ControlOrMeta+A');
      await page.keyboard.press('ControlOrMeta+C');
      await price.focus();
      await page.keyboard.press('ControlOrMeta+A');
      await page.keyboard.press('ControlOrMeta+V');
      expect(await price.inputValue()).toBe(read);
    }
  });

  test('a price with separators of thousands as it is meant, or not at all', async () => {
    const page = await openUpload();
    const price = page.getByLabel('Price (USD)');
    const refusal = 'Enter the amount without thousands separators, such as 1234.50.';
    for (const [typed, read, said] of [
      ['1.234,50', '1234.50', 'Buyers pay $1234.50.'],
      ['1,234.50', '1234.50', 'Buyers pay $1234.50.'],
      ['123.456,7', '123456.7', 'Buyers pay $123456.70.'],
      ['4.99', '4.99', 'Buyers pay $4.99.'],
      // One point is a decimal point, as the specification has it.
      ['1.234', '1.234', 'Buyers pay $1.23.'],
      ['1,234', '1.234', refusal],
      ['1.234,567', '1234.567', refusal],
      ['1.5,3', '1.53', refusal],
      // One that nothing follows was hit by accident.
      ['4.99,', '4.99', 'Buyers pay $4.99.'],
      ['12.34.56', '12.3456', refusal],
    ] as const) {
      await price.focus();
      await page.keyboard.press('ControlOrMeta+A');
      await page.keyboard.press('Delete');
      await page.keyboard.type(typed);
      expect(await price.inputValue()).toBe(read);
      await page.locator('output').getByText(said).waitFor();
    }
    // What is in doubt is not sent: the browser shows the reason at the field.
    await page.getByRole('button', { name: 'Upload', exact: true }).click();
    await expectFocus(price);
    expect(await price.evaluate((input: HTMLInputElement) => input.validationMessage)).toBe(
      refusal,
    );
    expect(await page.getByText('Select a file first.').count()).toBe(0);
    await page.keyboard.press('Backspace');
    await page.keyboard.press('Backspace');
    await page.locator('output').getByText('Buyers pay $12.34.').waitFor();
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.type('.5');
    await page.locator('output').getByText('Buyers pay $0.50.').waitFor();
    await page.getByRole('button', { name: 'Upload', exact: true }).click();
    await page.getByRole('alert').getByText('Select a file first.').waitFor();
  });

  test('a description that is asked for on demand, and keeps all that was typed over a reload', {
    tags: 'long',
  }, async () => {
    const page = await openUpload();
    await page.getByRole('button', { name: 'or sell a web address' }).click();
    await page.getByLabel('Web address').fill('https://example.com/course');
    await page.getByLabel('Price (USD)').fill('4.99');
    await page.getByLabel('Title (optional)').fill('A course');
    expect(await page.getByLabel('Description (optional)').isVisible()).toBe(false);
    await page.getByText('More options').click();
    await page.getByLabel('Description (optional)').fill('Two hours.\nFor beginners.');
    await page.getByLabel('Minimum price (optional)').fill('6');
    await page.getByLabel('Copies to sell (optional)').fill('3');
    await page.getByLabel('Last day of sale (optional)').fill('2099-11-30');
    const { violations } = await new AxeBuilder({ page }).analyze();
    expect(violations.map(({ id }) => id)).toEqual([]);
    await page.reload();
    await page.getByLabel('Web address').waitFor();
    expect(await page.getByLabel('Web address').inputValue()).toBe('https://example.com/course');
    expect(await page.getByLabel('Title (optional)').inputValue()).toBe('A course');
    await page.getByText('You receive $4.44.').waitFor();
    const create = { width: 600, height: 900, channels: 3, background: '#2a6f97' } as const;
    await chooseCover(page, await sharp({ create }).png().toBuffer());
    await page.getByRole('button', { name: 'Upload', exact: true }).click();
    const least = page.getByLabel('Minimum price (optional)');
    await expectFault(page, least, 'The minimum price is above the suggested one.');
    await least.fill('2');
    await page.getByRole('button', { name: 'Upload', exact: true }).click();
    const address = await page.getByLabel('Your paywall link:').inputValue();
    const fields = 'title price description least copies until cover { width }';
    const query = `{ getPaywallLink(id: "${address.slice(-8)}") { ${fields} } }`;
    expect(await graphql(creator, query)).toEqual({
      getPaywallLink: {
        title: 'A course',
        price: 499,
        description: 'Two hours.\nFor beginners.',
        least: 200,
        copies: 3,
        until: '2099-12-01T00:00:00.000Z',
        cover: { width: 450 },
      },
    });
  });

  test('a cover, without which the link is made all the same', { tags: 'long' }, async () => {
    const page = await openUpload({ expectedErrors: /422 .*cover.*/ });
    await page.getByRole('button', { name: 'or sell a web address' }).click();
    await page.getByLabel('Web address').fill('https://example.com/course');
    await page.getByLabel('Price (USD)').fill('4.99');
    await page.getByText('More options').click();
    await chooseCover(page, Buffer.from('no picture'));
    await page.getByRole('button', { name: 'Upload', exact: true }).click();
    await page.getByRole('alert').getByText('The cover was not saved.').waitFor();
    await page.getByLabel('Your paywall link:').waitFor();
  });

  test('no leave in the middle of an upload without a question, and goes on after a pause', {
    tags: 'long',
  }, async () => {
    const page = await openUpload();
    const asked = () =>
      page.evaluate(() => {
        const event = new Event('beforeunload', { cancelable: true });
        dispatchEvent(event);
        return event.defaultPrevented;
      });
    await page.getByLabel('Price (USD)').fill('4.99');
    expect(await asked()).toBe(false);
    const posts: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().endsWith('/uploads')) posts.push('POST');
    });
    const letThrough = await holdRequests(page, '**/uploads/*');
    const file = { name: 'slow.txt', mimeType: 'text/plain', buffer: Buffer.from('slow') };
    await page.getByLabel('Choose File').setInputFiles(file);
    const sending = page.waitForRequest('**/uploads/*');
    await page.getByRole('button', { name: 'Upload', exact: true }).click();
    // Paused any earlier, it would begin again, and announce itself again.
    await sending;
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByRole('status').getByText('Paused. What has been uploaded is kept.').waitFor();
    await page.getByRole('button', { name: 'Paused', exact: true }).waitFor();
    expect(await asked()).toBe(true);
    letThrough();
    await page.getByRole('button', { name: 'Resume' }).click();
    await page.getByLabel('Your paywall link:').waitFor();
    expect(posts).toEqual(['POST']);
    expect(await asked()).toBe(false);
  });

  test('a web address, and gives the address of its link where the ways to share it do not load', async () => {
    const page = await openUpload({ expectedErrors: /net::ERR_FAILED .*share-new-link.*/ });
    await page.route('**/share-new-link*', (route) => route.abort());
    await page.getByRole('button', { name: 'or sell a web address' }).click();
    await page.getByLabel('Web address').fill('https://example.com/course');
    await page.getByLabel('Price (USD)').fill('4.99');
    await page.getByRole('button', { name: 'Upload', exact: true }).click();
    const heading = page.getByRole('heading', { name: 'Your paywall link:' });
    await heading.waitFor();
    await expectFocus(heading);
    await page.getByRole('button', { name: 'Copy your paywall link' }).waitFor();
    const address = page.getByRole('link', { name: `${app.origin}/p/` });
    expect((await page.request.get((await address.getAttribute('href')) ?? '')).status()).toBe(200);
  });
});
