import { randomBytes } from 'node:crypto';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runSql } from '../errors/run-sql.ts';
import {
  graphql,
  readBalance,
  readMail,
  readUserId,
  seeLink,
  signUp,
  storageUrl,
  waitUntilUnlocked,
} from '../factories/factories.ts';
import { describeOnBothDatabases } from '../harness/on-both-databases.ts';
import { createPerson, type Person, readJson } from '../harness/person.ts';
import { runCli } from '../harness/run-command.ts';
import { createDataFolder } from '../harness/run-folder.ts';
import { startApp } from '../harness/start-app.ts';
import { untilNoJobIsDue } from '../harness/until-no-job-is-due.ts';
import { useApp } from '../harness/use-app.ts';
import { withDatabase } from '../harness/with-database.ts';

/** Some of the columns of Gumroad's own table. */
const GUMROAD =
  'Purchase ID,Item Name,Buyer Name,Purchase Email,Purchase Date,Purchase Time (UTC timezone),Sale Price ($),Fully Refunded?,Disputed?,Dispute Won?,Recurring Charge?,Discount Code,Product ID,Quantity,Giftee Email,Review';

const sale = (id: string, email: string, more: Record<string, string> = {}) => {
  const cells: Record<string, string> = {
    'Purchase ID': id,
    'Item Name': 'Notes on keys',
    'Purchase Email': email,
    'Purchase Date': '2024-03-05',
    'Purchase Time (UTC timezone)': '2024-03-05 12:30:00 UTC',
    'Sale Price ($)': '9.99',
    'Fully Refunded?': '0',
    'Disputed?': '0',
    'Product ID': 'notes',
    Quantity: '1',
    ...more,
  };
  return GUMROAD.split(',')
    .map((column) => `"${(cells[column] ?? '').replaceAll('"', '""')}"`)
    .join(',');
};

/** Writes files below a new folder. */
function writeFolder(files: Record<string, string | Uint8Array>): string {
  const folder = createDataFolder();
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  return folder;
}

/** What is said of the sales at Gumroad. */
const SAID = [
  '“Notes on keys” is the new link',
  '“Late one” still needs its content: put “late.*” or a folder “late”',
  'Sales that wait for “Late one”: 1.',
  'Sales not imported because they were refunded: 1.',
  'Sales not imported because they were disputed: 1.',
  'Sales not imported because they renew a subscription: 1.',
  '2024.csv, line 9: its email address is not valid.',
  '2025.csv, line 3: its date is not written as 2024-03-05.',
];

describeOnBothDatabases('the import of a shop', (database) => {
  const app = useApp({ database });
  const run = (...words: string[]) => runCli(app.env, ...words);

  const listLinks = async (seller: Person) => {
    const query = '{ listPaywallLinks(mine: true) { items { id title description price } } }';
    const { listPaywallLinks } = await graphql<{
      listPaywallLinks: {
        items: { id: string; title: string; description: string | null; price: number }[];
      };
    }>(seller, query);
    return listPaywallLinks.items.sort((a, b) => (a.title < b.title ? -1 : 1));
  };

  const listPurchases = (sellerId: string) =>
    withDatabase(app, (db) =>
      db
        .selectFrom('purchase')
        .where('seller_id', '=', sellerId)
        .orderBy('settled_at')
        .orderBy('buyer_email')
        .select(['id', 'buyer_email', 'price_cents', 'settled_at', 'state', 'provider_account'])
        .execute(),
    );

  const askForPurchases = async (person: Person, email: string) => {
    const ask = { method: 'POST', body: new URLSearchParams({ email }) };
    expect((await person.fetch('/purchases', ask)).status).toBe(200);
  };

  /** Opens, in a new browser, all that was bought with an address, as its mailbox can. */
  const findPurchases = async (email: string, typed = email): Promise<Person> => {
    const person = createPerson(app);
    await askForPurchases(person, typed);
    const { text } = await readMail(app, email, /^Your purchases$/);
    const link = /\/purchases\/open\/\S+/.exec(text)?.[0] ?? '';
    expect((await person.fetch(link, { method: 'POST' })).status).toBe(303);
    return person;
  };

  const expectText = async (person: Person, id: string, text: string) => {
    const { key } = await waitUntilUnlocked(person, id);
    expect(await (await fetch(await storageUrl(person, key ?? ''))).text()).toBe(text);
  };

  const readMailed = async () => {
    const mails = await readJson<{ to: string }[]>(await fetch(`${app.origin}/mailbox.json`));
    return mails.map(({ to }) => to);
  };

  const expectInOrder = async () =>
    expect(await run('ledger', 'check')).toMatchObject({
      status: 0,
      stdout: 'The ledger is in order.\n',
    });

  /** A seller, and what Gumroad has of what they sold there; addresses of its buyers by their names. */
  async function leaveGumroad() {
    const seller = await signUp(app);
    const suffix = randomBytes(4).toString('hex');
    const mailOf = (name: string) => `${name}-${suffix}@example.com`;
    const bea = mailOf('Bea');
    const late = { 'Item Name': 'Late one', 'Product ID': 'late' };
    const course = { 'Item Name': 'Web course', 'Product ID': 'course' };
    const undated = { 'Purchase Date': '3/5/24', 'Purchase Time (UTC timezone)': '' };
    const folder = writeFolder({
      'anything.csv': [
        '\ufeffPermalink,Name,Price,Description,URL',
        'notes,Notes on keys,9.99,"One line',
        'and another",',
        'course,Web course,20,,https://example.com/course',
        'late,Late one,5,,',
      ].join('\r\n'),
      '2024.csv': [
        GUMROAD,
        sale('g1', bea, { Review: 'Good,\n"really"' }),
        sale('g2', mailOf('refunded'), { 'Fully Refunded?': '1' }),
        sale('g3', mailOf('lost'), { 'Disputed?': '1' }),
        sale('g4', mailOf('won'), { 'Disputed?': '1', 'Dispute Won?': '1' }),
        sale('g5', mailOf('again'), { 'Recurring Charge?': '1' }),
        sale('g6', mailOf('giver'), { 'Giftee Email': mailOf('gifted') }),
        sale('g7', 'nobody'),
        sale('g8', mailOf('late'), late),
        'Totals,,,,,,99.90',
      ].join('\n'),
      '2025.csv': [
        GUMROAD,
        sale('g9', mailOf('bob'), course),
        sale('g10', mailOf('odd'), undated),
        // In both files.
        sale('g1', bea),
      ].join('\n'),
    });
    const files = writeFolder({ 'NOTES.txt': 'About keys.', '.late.txt': 'No.' });
    const importIt = (...words: string[]) =>
      run('import', 'gumroad', folder, '--owner', seller.email, '--files', files, ...words);
    return { seller, sellerId: await readUserId(seller), mailOf, bea, files, importIt };
  }

  test('from Gumroad brings links and sales without money, and mails nobody', async () => {
    const { seller, sellerId, mailOf, bea, importIt } = await leaveGumroad();
    const before = await readMailed();
    const { status, stdout, stderr } = await importIt();
    expect({ status, stderr }).toEqual({ status: 1, stderr: '' });
    for (const said of [...SAID, 'Sales imported: 4. Here already: 1.']) {
      expect(stdout).toContain(said);
    }
    expect(stdout).not.toContain('@');
    expect(await listLinks(seller)).toMatchObject([
      { title: 'Notes on keys', description: 'One line\nand another', price: 999 },
      { title: 'Web course', price: 2000 },
    ]);
    const settled = {
      state: 'settled',
      provider_account: 'imported',
      price_cents: 999,
      settled_at: Date.UTC(2024, 2, 5, 12, 30),
    };
    const buyers = [bea, ...['bob', 'giver', 'won'].map(mailOf)];
    expect(await listPurchases(sellerId)).toMatchObject(
      buyers.map((buyer_email) => ({ buyer_email, ...settled })),
    );
    await untilNoJobIsDue(app);
    expect(await readMailed()).toEqual(before);
    expect(await readBalance(seller)).toBe(0);
    await expectInOrder();
    expect(await run('doctor')).toMatchObject({ status: 0 });
  });

  test('gives the content to whoever bought it, found by email, and to nobody else', async () => {
    const { seller, mailOf, bea, importIt } = await leaveGumroad();
    await importIt();
    const [notes, course] = await listLinks(seller);
    const id = notes?.id ?? '';
    expect(await seeLink(createPerson(app), id)).toMatchObject({ unlocked: false });
    for (const email of [bea, mailOf('won'), mailOf('gifted')]) {
      await expectText(await findPurchases(email, email.toUpperCase()), id, 'About keys.');
    }
    const bob = await findPurchases(mailOf('bob'));
    const url = 'https://example.com/course';
    expect(await waitUntilUnlocked(bob, course?.id ?? '')).toMatchObject({ url });
    expect(await seeLink(bob, id)).toMatchObject({ unlocked: false });
    const others = ['refunded', 'lost', 'again', 'late'].map(mailOf);
    for (const email of others) await askForPurchases(createPerson(app), email);
    await untilNoJobIsDue(app);
    const mailed = await readMailed();
    expect(others.filter((email) => mailed.includes(email))).toEqual([]);
    // Who gave it away finds the gift, but not what is in it.
    await askForPurchases(createPerson(app), mailOf('giver'));
    const { text } = await readMail(app, mailOf('giver'), /^Your purchases$/);
    expect(text).toContain(mailOf('gifted'));
    expect(text).not.toMatch(/\/(purchases\/open|access)\//);
  });

  test('says in a dry run what it would do, and writes nothing', async () => {
    const { seller, sellerId, importIt } = await leaveGumroad();
    const { status, stdout } = await importIt('--dry-run');
    expect(status).toBe(1);
    for (const said of [...SAID, 'Sales imported: 4. Here already: 1.']) {
      expect(stdout).toContain(said);
    }
    expect(await listLinks(seller)).toEqual([]);
    expect(await listPurchases(sellerId)).toEqual([]);
  });

  test('brings nothing twice, and what was left once it is there', async () => {
    const { seller, sellerId, mailOf, files, importIt } = await leaveGumroad();
    await importIt();
    const [links, purchases] = [await listLinks(seller), await listPurchases(sellerId)];
    expect((await importIt()).stdout).toContain('Sales imported: 0. Here already: 5.');
    expect(await listLinks(seller)).toEqual(links);
    expect(await listPurchases(sellerId)).toEqual(purchases);
    mkdirSync(join(files, 'Late One/parts'), { recursive: true });
    for (const part of ['two.txt', 'one.txt']) {
      writeFileSync(join(files, 'Late One/parts', part), part);
    }
    const done = JSON.parse((await importIt('--json')).stdout);
    expect(done).toMatchObject({ ok: false, left: [], sales: { imported: 1, known: 5 } });
    const late = await findPurchases(mailOf('late'));
    await expectText(late, done.links[0], 'one.txt');
    const key = `public/${done.links[0]}-parts/one.txt`;
    expect(await seeLink(late, done.links[0])).toMatchObject({ key });
    await expectInOrder();
  });

  test('sells what replaced the files of an import that was interrupted', async () => {
    const { seller, bea, files, importIt } = await leaveGumroad();
    const interrupt = (when: string) =>
      database === 'sqlite'
        ? runSql(app, `create trigger cut ${when} begin select raise(abort, 'power cut'); end`)
        : runSql(
            app,
            `create function cut() returns trigger language plpgsql as $$ begin raise 'power cut'; end $$;
            create trigger cut ${when} for each row execute function cut()`,
          );
    const goOn = () =>
      runSql(app, database === 'sqlite' ? 'drop trigger cut' : 'drop function cut() cascade');
    await interrupt('before update of finished_at on file');
    await expect(importIt()).rejects.toThrow('power cut');
    await goOn();
    for (const text of ['Of 2 keys.', 'All of keys']) {
      writeFileSync(join(files, 'NOTES.txt'), text);
      await interrupt('before insert on link');
      await expect(importIt()).rejects.toThrow('power cut');
      await goOn();
    }
    writeFileSync(join(files, 'NOTES.txt'), 'Of two keys');
    expect(JSON.parse((await importIt('--json')).stdout)).toMatchObject({ sales: { imported: 4 } });
    const notes = (await listLinks(seller)).find(({ title }) => title === 'Notes on keys');
    await expectText(await findPurchases(bea), notes?.id ?? '', 'Of two keys');
  });

  test('is exported with the account, and not made for one that is suspended', async () => {
    const { sellerId, importIt } = await leaveGumroad();
    await importIt();
    const suspend = ['user', 'suspend', sellerId, '--reason', 'Your account is moving.'];
    expect(await run(...suspend)).toMatchObject({ status: 0 });
    const folder = createDataFolder();
    const exported = await run('export', sellerId, folder, '--json');
    expect(JSON.parse(exported.stdout)).toMatchObject({ sales: 4, links: 2, owedCents: 0 });
    const other = await startApp();
    onTestFinished(() => other.stop());
    const arrived = await runCli(other.env, 'import', folder, '--json');
    expect(JSON.parse(arrived.stdout)).toMatchObject({ ok: true, sales: 4, links: 2 });
    const stderr = 'The account of the owner is suspended. Restore it first.\n';
    expect(await importIt()).toMatchObject({ status: 1, stderr });
  });

  test('makes products of Gumroad’s sales alone, at the price of the latest without a discount', async () => {
    const seller = await signUp(app);
    const at = (day: string) => ({ 'Purchase Time (UTC timezone)': `${day} 08:00:00 UTC` });
    const namesake = { 'Product ID': 'other' };
    const file = join(
      writeFolder({
        'sales.csv': [
          GUMROAD,
          sale('s1', 'a@example.com', { 'Sale Price ($)': '8.00', ...at('2024-01-01') }),
          sale('s2', 'b@example.com', {
            'Sale Price ($)': '24.00',
            Quantity: '2',
            ...at('2025-01-01'),
          }),
          sale('s3', 'c@example.com', {
            'Sale Price ($)': '0',
            'Discount Code': 'X',
            ...at('2025-02-01'),
          }),
          sale('s5', 'e@example.com', namesake),
          sale('s4', 'd@example.com', {
            'Product ID': 'gift',
            'Item Name': 'Gift',
            'Sale Price ($)': '0',
          }),
        ].join('\n'),
      }),
      'sales.csv',
    );
    const files = writeFolder({ 'notes.txt': 'All.', 'gift.txt': 'A gift.' });
    const words = ['--owner', seller.email, '--files', files];
    const { stdout } = await run('import', 'gumroad', file, ...words);
    expect(stdout).toContain('its price is that of its latest sale');
    expect(stdout).toContain('“Gift” was left out. None of its sales cost anything');
    expect(stdout).toContain('Sales imported: 3.');
    expect(stdout).toContain('Sales that wait for “Notes on keys”: 1.');
    expect(await listLinks(seller)).toMatchObject([{ title: 'Notes on keys', price: 1200 }]);
  });

  test('takes tables of any shop, as spreadsheets in German write them', async () => {
    const seller = await signUp(app);
    const buyer = `käthe-${database}@example.com`;
    const folder = writeFolder({
      'products.csv': [
        'Product;Title;Price;Description;File',
        'a;Notizen;1.234,50;Über Schlüssel;sub/all.txt',
        'free;Umsonst;0;;sub/free.txt',
        'b;Anderes;5;;../secret.txt',
        'c;Teuer;viel;;sub/all.txt',
        'a;Noch einmal;5;;sub/all.txt',
        'd;Verknüpft;5;;',
        'e;Zu viel;5;;',
        'g;Leer;5;;',
      ].join('\r\n'),
      'sales.csv': [
        'date;product;email;price;refunded',
        `5.3.2024;A;${buyer};1.000,00;`,
        `5.3.2024;notizen;${buyer};1.000,00;ja`,
        '5.3.2024;unknown;a@example.com;5;',
        '30.2.2024;a;a@example.com;5;',
        '5.3.2024;a;a@example.com;much;',
        '5.3.2024;a;a@example.com;5;perhaps',
        '5.3.2124;a;a@example.com;5;',
        ';;;;',
        ...Array.from({ length: 20 }, () => '5.3.2024;;a@example.com;5;'),
      ].join('\r\n'),
      'files/sub/all.txt': 'Alles.',
      'files/sub/free.txt': 'Frei.',
      'files/g.txt': '',
      ...Object.fromEntries(Array.from({ length: 21 }, (_, at) => [`files/e/${at}.txt`, 'Viel.'])),
      'secret.txt': 'Not for sale.',
    });
    symlinkSync(join(folder, 'secret.txt'), join(folder, 'files/d.txt'));
    const words = ['--owner', seller.email, '--files', join(folder, 'files')];
    const { stdout, status } = await run('import', 'csv', folder, ...words);
    expect(status).toBe(1);
    for (const said of [
      '“Umsonst” is the new link',
      'it cost nothing, and is free for everyone',
      '“Anderes” still needs its content: put “../secret.txt” into',
      '“Verknüpft” still needs its content: put “d.*”',
      '“Zu viel” was left out. It has 21 files, and a link sells 20 at most: pack them into one.',
      'g.txt: This file is empty. Choose another file.',
      'products.csv, line 5: the price is not written as 9.99.',
      'products.csv, line 6: the product is there twice.',
      'Sales imported: 1.',
      'Sales not imported because they were refunded: 1.',
      'sales.csv, line 4: there is no product “unknown”: list it in a table of products.',
      'sales.csv, line 5: its date is not written as 2024-03-05.',
      'sales.csv, line 6: its price is not written as 9.99.',
      'sales.csv, line 7: “refunded” is neither yes nor no.',
      'sales.csv, line 8: its date is in the future.',
      'Further rows that cannot be imported: 5.',
    ]) {
      expect(stdout).toContain(said);
    }
    const [notes, free] = await listLinks(seller);
    expect(notes).toMatchObject({ price: 123_450, description: 'Über Schlüssel' });
    await expectText(await findPurchases(buyer), notes?.id ?? '', 'Alles.');
    expect(await seeLink(createPerson(app), free?.id ?? '')).toMatchObject({ unlocked: true });
    const later = join(
      writeFolder({ 's.csv': `product,email,date\na,${buyer},2025-01-01` }),
      's.csv',
    );
    const { stdout: more } = await run('import', 'csv', later, '--owner', seller.email);
    expect(more).toContain('Sales imported: 1. Here already: 0.');
    await expectInOrder();
  });

  test('keeps apart what is not the same, and gives away nothing that was paid for', async () => {
    const seller = await signUp(app);
    const buyer = `${randomBytes(4).toString('hex')}@example.com`;
    const folder = writeFolder({
      'products.csv': [
        'product,title,price,file,url',
        'a,Notes,5,,https://example.com/a',
        'b,Notes,50,,https://example.com/b',
        'c,Course,0,,https://example.com/c',
        'd,Both,5,d.txt,https://example.com/d',
      ].join('\n'),
      'sales.csv': [
        'product,email,date,price',
        `Notes,${buyer},2024-03-05,50`,
        `b,${buyer},2024-03-05,50`,
        `c,${buyer},2024-03-05,49`,
      ].join('\n'),
    });
    const { stdout } = await run('import', 'csv', folder, '--owner', seller.email);
    for (const said of [
      'which sells “https://example.com/b” for $50.00.',
      '“Course” was left out. It is listed at 0, but its sales were paid for',
      'products.csv, line 5: the product has both a file and a web address.',
      'sales.csv, line 2: there is no product “Notes”: list it in a table of products.',
      'Sales imported: 1.',
    ]) {
      expect(stdout).toContain(said);
    }
    const prices = (await listLinks(seller)).map(({ price }) => price);
    expect(prices.toSorted((a, b) => a - b)).toEqual([500, 5000]);
  });

  test('makes each version of a product at Gumroad a product of its own', async () => {
    const seller = await signUp(app);
    const buyer = `${randomBytes(4).toString('hex')}@example.com`;
    const header = `${GUMROAD},Variants,Subscription End Date`;
    const bought = (id: string, version: string, price: string, endsOn = '') =>
      `${sale(id, buyer, { 'Item Name': 'Course', 'Product ID': 'x1', 'Sale Price ($)': price })},${version},${endsOn}`;
    const folder = writeFolder({
      'sales.csv': [
        header,
        bought('v1', '(Basic)', '9.00'),
        bought('v2', '(Pro)', '99.00', '2124-01-01'),
        bought('v3', '(Pro)', '99.00', '2024-06-01'),
      ].join('\n'),
      'files/Course (Basic).txt': 'A little.',
      'files/Course (Pro)/all.txt': 'Everything.',
    });
    const words = ['--owner', seller.email, '--files', join(folder, 'files')];
    const { stdout } = await run('import', 'gumroad', join(folder, 'sales.csv'), ...words);
    for (const said of [
      '“Course (Basic)” is the new link',
      'which sells “Course (Basic).txt” for $9.00;',
      'which sells “all.txt” for $99.00;',
      'Sales imported: 2.',
      'Sales not imported because their access has ended: 1.',
    ]) {
      expect(stdout).toContain(said);
    }
    expect(await listLinks(seller)).toMatchObject([
      { title: 'Course (Basic)', price: 900 },
      { title: 'Course (Pro)', price: 9900 },
    ]);
  });

  test('is refused, with the reason, before anything is written', async () => {
    const seller = await signUp(app);
    const refusal = async (content: string | Uint8Array, source = 'gumroad') => {
      const path = join(writeFolder({ 'sales.csv': content }), 'sales.csv');
      const { status, stderr } = await run('import', source, path, '--owner', seller.email);
      expect(status).toBe(1);
      return stderr;
    };
    const without = GUMROAD.replace('Purchase Date,', '');
    expect(await refusal(without)).toMatch(/sales\.csv has no column “purchase date”\. Name it/);
    expect(await refusal('a,b\n1,2')).toContain('neither of sales nor of products');
    expect(await refusal('')).toContain('is empty');
    expect(await refusal(Buffer.from(GUMROAD, 'utf16le'))).toContain('Save it as “CSV UTF-8”');
    const latin1 = Buffer.from('product,email,date\nKäse,a@example.com,2024-03-05', 'latin1');
    expect(await refusal(latin1, 'csv')).toContain('is not text in UTF-8');
    const unclosed = 'product,email,date\na,a@example.com,2024-03-05\n"b,a@example.com,2024-03-05';
    expect(await refusal(unclosed, 'csv')).toContain('See whether each quotation mark');
    const folder = writeFolder({ 'sales.csv': 'product,email,date' });
    const ofNobody = await run('import', 'csv', folder, '--owner', 'nobody@example.com');
    expect(ofNobody.stderr).toBe("There is no account 'nobody@example.com'.\n");
    const nowhere = await run('import', 'csv', join(folder, 'none'), '--owner', seller.email);
    expect(nowhere.stderr).toContain('There is no file or folder');
    expect((await run('import', 'csv', folder)).status).toBe(2);
    expect(await listPurchases(await readUserId(seller))).toEqual([]);
  });

  test('runs once at a time', async () => {
    const seller = await signUp(app);
    const rows = Array.from({ length: 450 }, (_, at) => `a,b${at}@example.com,2024-03-05,5`);
    const folder = writeFolder({
      'products.csv': 'product,title,price,url\na,A,5,https://example.com/',
      'sales.csv': ['product,email,date,price', ...rows].join('\n'),
    });
    const words = ['import', 'csv', folder, '--owner', seller.email];
    const both = await Promise.all([run(...words), run(...words)]);
    expect(both.map(({ status }) => status).sort()).toEqual([0, 1]);
    expect(both.map(({ stderr }) => stderr).join('')).toContain('An import is under way');
    expect(await listPurchases(await readUserId(seller))).toHaveLength(450);
    await expectInOrder();
  });
});
