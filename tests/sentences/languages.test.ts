import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { languageOf } from '../../server/ground/lib/language.ts';
import { GERMAN } from '../../web/languages/german.ts';
import { PASSWORD, readMail, sellFile, signUp } from '../factories/factories.ts';
import { BUYER_EMAIL, payAt } from '../factories/payment.ts';
import { useShop } from '../factories/use-shop.ts';
import { eventually } from '../harness/eventually.ts';
import { findFreePort } from '../harness/free-port.ts';
import { describeOnSqliteFirst } from '../harness/on-both-databases.ts';
import { createPerson, type Person, postJson } from '../harness/person.ts';
import { useApp } from '../harness/use-app.ts';

const GERMANY = { 'accept-language': 'de-AT,de;q=0.9,en;q=0.5' };

const open = (person: Person, path: string, headers = {}) =>
  person.fetch(path, { headers: { accept: 'text/html', ...headers } });

/** What German may add to the page of a link, in bytes sent to a browser that accepts brotli. */
const MAX_GERMAN_BYTES = 3_000;

const weigh = (text: string) => brotliCompressSync(text).length;

const readTitle = (html: string) => /<title>(.*?)<\/title>/.exec(html)?.[1];

test.each([
  [{}, 'en'],
  [{ 'accept-language': 'de' }, 'de'],
  [{ 'accept-language': 'fr-FR,de-CH;q=0.7,en;q=0.3' }, 'de'],
  [{ 'accept-language': 'en-US,de;q=0.9' }, 'en'],
  [{ 'accept-language': 'fr,*' }, 'en'],
  [{ 'accept-language': 'de;q=0' }, 'en'],
  [{ 'accept-language': 'de;q=nonsense' }, 'en'],
  [{ cookie: 'a=b; language=de', 'accept-language': 'en' }, 'de'],
  [{ cookie: 'language=en', 'accept-language': 'de' }, 'en'],
  [{ cookie: 'language=tlh; other_language=de', 'accept-language': 'de' }, 'de'],
  [{ cookie: 'language=en-XA' }, 'en'],
])('%j is answered in %s', (headers, language) => {
  expect(languageOf(headers)).toBe(language);
});

describe('the German catalog', () => {
  const entries = Object.entries(GERMAN);

  test('fills in what the English sentence fills in', () => {
    const placesOf = (words: string) => (words.match(/\{\w+\}/g) ?? []).sort();
    for (const [english, german] of entries) {
      expect(placesOf(german), english).toEqual(placesOf(english));
    }
  });

  test('has nothing that nobody says', () => {
    const sources = globSync('{web,server,contract,sandbox}/**/*.{ts,tsx}', {
      exclude: (path) => path.includes('web/languages/german'),
    });
    const said = sources.map((path) => readFileSync(path, 'utf8')).join('\n');
    expect(Object.keys(GERMAN).filter((sentence) => !said.includes(sentence))).toEqual([]);
  });

  test('has each sentence once', async () => {
    const names = globSync('web/languages/german/*.ts').map((path) => basename(path, '.ts'));
    const parts: Record<string, object>[] = await Promise.all(
      names.map((name) => import(`../../web/languages/german/${name}.ts`)),
    );
    const all = parts.flatMap((part) => Object.values(part)).flatMap((part) => Object.keys(part));
    expect(all.filter((sentence, place) => all.indexOf(sentence) !== place)).toEqual([]);
  });
});

describe('the language of pages', () => {
  const app = useApp();

  test('is kept apart in what is kept for every guest', async () => {
    const guest = createPerson(app);
    const bodies = new Map<string, string>();
    for (const language of ['en', 'de', 'en', 'de']) {
      const response = await open(guest, '/', { 'accept-language': language });
      expect(response.headers.get('vary')).toContain('accept-language');
      const html = await response.text();
      expect(html).toContain(`<html lang="${language}">`);
      bodies.set(response.headers.get('etag') ?? '', html);
    }
    expect(bodies.size).toBe(2);
    const [etag = ''] = bodies.keys();
    const other = await open(guest, '/', { 'accept-language': 'de', 'if-none-match': etag });
    expect(other.status).toBe(200);
  });

  test('is English where there is no German, and no switch says otherwise', async () => {
    const guest = createPerson(app);
    const html = await (await open(guest, '/mailbox', GERMANY)).text();
    expect(html).toContain('<html lang="en">');
    expect(html).toContain('Skip to content');
    expect(html).not.toContain('action="/language"');
  });

  test('is chosen in the footer, without JavaScript, and leads back', async () => {
    const guest = createPerson(app);
    const page = await (await open(guest, '/explore?q=%22%3Cb%3E&sort=oldest', GERMANY)).text();
    const back = /name="back" value="([^"]*)"/.exec(page)?.[1]?.replaceAll('&amp;', '&') ?? '';
    expect(page).toContain('Links durchsuchen');
    const answer = await guest.fetch('/language', {
      method: 'POST',
      body: new URLSearchParams({ back, language: 'en' }),
    });
    expect(answer.status).toBe(303);
    const location = answer.headers.get('location') ?? '';
    expect(location).toBe('/explore?q=%22%3Cb%3E&sort=oldest');
    const chosen = await (await open(guest, location, GERMANY)).text();
    expect(chosen).toContain('<html lang="en">');
    expect(chosen).toContain('Search links');
  });

  test.each([
    'https://elsewhere.example/',
    '//elsewhere.example/',
    '/\\elsewhere.example',
    'no\nway',
  ])('is no way to another site: %j', async (back) => {
    const answer = await createPerson(app).fetch('/language', {
      method: 'POST',
      body: new URLSearchParams({ back, language: 'de' }),
    });
    expect(new URL(answer.headers.get('location') ?? '', app.origin).origin).toBe(app.origin);
  });

  test('is that of error pages too', async () => {
    const missing = await open(createPerson(app), '/nothing-here', GERMANY);
    expect(missing.status).toBe(404);
    expect(await missing.text()).toContain('Seite nicht gefunden');
    const broken = await (await open(createPerson(app), '/access/nonsense', GERMANY)).text();
    expect(broken).toContain('Dieser persönliche Link funktioniert nicht');
    expect(broken).toContain('Dieser persönliche Link ist unvollständig oder nicht mehr gültig.');
  });
});

const sandboxPort = await findFreePort();

describeOnSqliteFirst('the language of a purchase', (database) => {
  const { app, seller, newBuyer } = useShop(database, sandboxPort);

  test('is that of its receipt, whatever the one before was in', async () => {
    const { id } = await sellFile(seller);
    for (const [language, subject] of [
      ['de', 'Ihr Kauf: '],
      ['en', 'Your purchase: '],
    ] as const) {
      const buyer = newBuyer();
      const begun = await postJson(
        buyer,
        '/prod/checkout',
        { paywallId: id },
        { 'accept-language': language },
      );
      const email = `${language}.${BUYER_EMAIL}`;
      await payAt(buyer, ((await begun.json()) as { url: string }).url, undefined, email);
      const mail = await readMail(app, email, new RegExp(`^${subject}`));
      expect(mail.html).toContain(`<html lang="${language}">`);
    }
  });

  test('is that of a refusal, whose code stays', async () => {
    const { id } = await sellFile(seller);
    const ask = (language: string) =>
      postJson(
        newBuyer(),
        '/prod/checkout',
        { paywallId: id, code: 'NOSUCH' },
        { 'accept-language': language },
      ).then((response) => response.json());
    expect(await ask('en')).toMatchObject({
      code: 'DISCOUNT_REFUSED',
      detail: 'There is no such discount code for this link.',
    });
    expect(await ask('de')).toMatchObject({
      code: 'DISCOUNT_REFUSED',
      detail: 'Diesen Rabattcode gibt es für diesen Link nicht.',
    });
  });

  test('is that of the page of a link, whose words are its seller’s', async () => {
    const { id } = await sellFile(seller);
    const html = await (await open(newBuyer(), `/p/${id}`, GERMANY)).text();
    expect(html).toContain('Jetzt freischalten');
    expect(html).toContain('5,00\u00a0$');
    expect(readTitle(html)).toContain('Padlink');
    expect(html).not.toContain('Unlock Now</button>');
  });

  test('adds no more to the page of a link than it may weigh', async () => {
    const { id } = await sellFile(seller);
    const read = async (headers: object) => (await open(newBuyer(), `/p/${id}`, headers)).text();
    const [german, english] = await Promise.all([read(GERMANY), read({})]);
    const [script = ''] = globSync('dist/client/assets/speech-*.js');
    const added = weigh(german) - weigh(english) + weigh(readFileSync(script, 'utf8'));
    expect(added).toBeGreaterThan(0);
    expect(added).toBeLessThan(MAX_GERMAN_BYTES);
  });
});

describeOnSqliteFirst('the language of an account', (database) => {
  const { app, newBuyer, checkOut } = useShop(database, sandboxPort);

  /** Somebody whose browser asks for German pages. */
  function createGerman(): Person {
    const person = createPerson(app);
    const fetch: Person['fetch'] = (path, init = {}) =>
      person.fetch(path, { ...init, headers: { ...GERMANY, ...init.headers } });
    return { ...person, fetch };
  }

  const choose = (person: Person, language: string) =>
    person.fetch('/language', {
      method: 'POST',
      body: new URLSearchParams({ back: '/', language }),
    });

  async function sellOnce(seller: Person): Promise<void> {
    const { id } = await sellFile(seller);
    await payAt(newBuyer(), await checkOut(newBuyer(), id));
  }

  test('is that of the page that it is made on, and of its emails until another is chosen', async () => {
    const seller = await signUp(app, { person: createGerman(), firstName: 'Frieda' });
    const { email } = seller;
    const code = await readMail(app, email, /^\d{6} ist Ihr Padlink-Code$/);
    expect(code.html).toContain('<html lang="de">');
    expect(code.text).toMatch(/bestätigen:\n\n\d{6}\n/);

    await sellOnce(seller);
    const sale = await readMail(app, email, /^Verkauft: /);
    for (const said of [
      'Sie haben etwas verkauft',
      'Gebühr: −0,55\u00a0$',
      'bestellen Sie diese E-Mails ab',
    ]) {
      expect(`${sale.text} ${sale.html}`).toContain(said);
    }

    // A stranger's browser says nothing of the account's, and neither does the switch in it.
    const stranger = createPerson(app);
    await choose(stranger, 'en');
    const eve = { password: PASSWORD, name: 'Eve', firstName: 'Eve' };
    await postJson(stranger, '/api/auth/sign-up/email', { ...eve, email });
    const known = await readMail(app, email, /bereits ein Padlink-Konto/);
    expect(known.text).toContain('Guten Tag, Frieda');
    const answers = [email, `new.${email}`].map(async (address) => {
      const asked = postJson(createGerman(), '/api/auth/sign-up/email', { ...eve, email: address });
      const { user } = (await (await asked).json()) as { user: object };
      return { ...user, id: '', email: '', createdAt: '', updatedAt: '' };
    });
    const [ofKnown, ofNew] = await Promise.all(answers);
    expect(ofNew).toEqual(ofKnown);

    await choose(seller, 'en');
    await sellOnce(seller);
    expect((await readMail(app, email, /^Sold: /)).html).toContain('<html lang="en">');
    await choose(seller, 'de');
    await postJson(createPerson(app), '/api/auth/email-otp/request-password-reset', { email });
    // The code of the sign-up came under the same subject.
    await eventually(async () => {
      const reset = await readMail(app, email, /^\d{6} ist/);
      expect(reset.text).toContain('um ein neues Passwort zu wählen');
    });
  });

  test('is English where none was ever asked for', async () => {
    const { email } = await signUp(app);
    expect((await readMail(app, email)).subject).toMatch(/^\d{6} is your Padlink code$/);
  });
});
