import { readFileSync, truncateSync } from 'node:fs';
import { basename, join } from 'node:path';
import sharp from 'sharp';
import { openShop, type Shop } from '../../scripts/demo/open-shop.ts';
import { createSellerSigner } from '../../server/notices/notifications/choice.ts';
import { runSql } from '../errors/run-sql.ts';
import {
  createLink,
  graphql,
  publishableKey,
  readMail,
  readUserId,
  sellFile,
  signIn,
  signUp,
  updateLink,
  uploadFile,
  waitUntilUnlocked,
} from '../factories/factories.ts';
import { BUYER_EMAIL, CARDS, checkOut, payAt, payFor } from '../factories/payment.ts';
import { pdf } from '../factories/pdf.ts';
import { createSecretKey } from '../factories/secret-key.ts';
import { deleteLink } from '../factories/stored-files.ts';
import { signUpWithTwoFactor } from '../factories/two-factor.ts';
import { wav } from '../factories/wav.ts';
import { eventually } from '../harness/eventually.ts';
import { createPerson, type Person, postJson, readJson } from '../harness/person.ts';
import { runCli } from '../harness/run-command.ts';
import type { App } from '../harness/start-app.ts';
import { type HooksScene, openHooksScene } from './hooks-scene.ts';
import { type MoneyScene, openMoneyScene } from './money-scene.ts';
import { type OfficeScene, openOfficeScene } from './office-scene.ts';

type Account = Shop['creators'][number];
type Place = Pick<App, 'origin' | 'dataDir' | 'env'>;

/** A shop in which every state of a page can be brought about, and an empty one beside it. */
export interface Scene {
  origin: string;
  creator: Account;
  /** Nothing made or bought yet. */
  newcomer: Account;
  /** Has a link that nobody bought yet. */
  starter: Account;
  /** Has two-factor sign-in. */
  secured: Account;
  buyer: Person;
  /** Has license keys. */
  licensee: Person;
  /** Whose payment was disputed at once; the dispute comes within seconds. */
  disputer: Person;
  /**
   * Ids of links that the creator sells; the buyer has `file`, `address`, and the first version of
   * `versions`, which has not been delivered.
   */
  links: Record<
    | 'file'
    | 'address'
    | 'untitled'
    | 'free'
    | 'paused'
    | 'damaged'
    | 'previewed'
    | 'stamped'
    | 'unstampable'
    | 'pending'
    | 'refused'
    | 'versions'
    | 'coded'
    | 'named'
    | 'limited'
    | 'soldOut'
    | 'licensed'
    | 'owedLicense'
    | 'ended'
    | 'bundle'
    | 'boughtBundle'
    | 'choice',
    string
  >;
  /** Addresses of the success page, of the buyer's purchases and of one whose payment fails. */
  success: Record<'file' | 'address' | 'licensed' | 'disputed' | 'bundle', string> & {
    failing: string;
    failingBuyer: Person;
  };
  /** Checkouts of `file` by one visitor each, that stay as they are. */
  checkouts: Record<'underWay' | 'expired' | 'returned', { path: string; person: Person }>;
  money: MoneyScene;
  hooks: HooksScene;
  office: OfficeScene;
  /** The address that ends the creator's summaries of the week. */
  stopWeeks: string;
  buyerEmail: string;
  /** Holds one purchase in each state. */
  collector: Person;
  /** A personal link that is open in as many browsers as may have it without a code. */
  sharedLink: string;
  /** Another product without links, whose sessions cannot be read. */
  bare: { origin: string; visitor: Person; firstOperatorUrl: string };
}

/** Fills two products that have just been started. Takes a few seconds. */
export async function openScene(shop: Place, bare: Place): Promise<Scene> {
  const { creators, linkIds } = await openShop(shop);
  const [creator] = creators;
  if (!creator) throw new Error('The demo shop has no creator.');
  const shopper = createPerson(shop);
  const licensee = createPerson(shop);
  const licenses = await sellLicensed(creator, licensee, shop);
  const links = {
    ...(await sell(creator, linkIds[0] ?? '')),
    ...(await sellUnchecked(creator, shop)),
    damaged: await sellDamaged(creator, shop),
    previewed: await sellWithPreview(creator),
    ...(await sellStamped(creator, shop)),
    versions: await sellVersions(creator, shopper, shop),
    coded: await sellWithCodes(creator),
    named: await sellAtNamedPrice(creator),
    ...(await sellFew(creator, shopper, shop)),
    ...licenses.links,
  };
  const bundles = await sellBundles(creator, links);
  const disputer = createPerson(shop);
  const disputed = await payAt(disputer, await checkOut(disputer, links.file), CARDS.isDisputed);
  const failingBuyer = createPerson(shop);
  const failing = await payAt(
    failingBuyer,
    await checkOut(failingBuyer, links.file),
    CARDS.failsLater,
  );
  const success = {
    file: await payFor(shopper, links.file),
    address: await payFor(shopper, links.address),
    licensed: licenses.success,
    bundle: await payFor(shopper, bundles.boughtBundle),
    disputed: disputed.headers.get('location') ?? '',
    failing: failing.headers.get('location') ?? '',
    failingBuyer,
  };
  const checkouts = {
    underWay: await leaveCheckout(shop, links.file, 'processing'),
    expired: await leaveCheckout(shop, links.file, 'expired'),
    returned: await returnPayment(shop, links.file),
  };
  await openSellerPage(creator, links.file);
  await signIn(createPerson(shop), creator.email);
  await createSecretKey(creator, 'Shop importer');
  return {
    origin: shop.origin,
    creator,
    newcomer: await signUp(shop, { firstName: 'Grace' }),
    starter: await startSelling(shop),
    secured: (await signUpWithTwoFactor(shop)).owner,
    buyer: shopper,
    licensee,
    disputer,
    links: { ...links, ...bundles, choice: await sellChoices(creator, shopper) },
    success,
    checkouts,
    money: await openMoneyScene(shop),
    hooks: await openHooksScene(shop),
    office: await openOfficeScene(shop),
    stopWeeks: await writeStopWeeks(shop, creator),
    buyerEmail: BUYER_EMAIL,
    ...(await collectPurchases(shop, creator, links)),
    bare: {
      origin: bare.origin,
      visitor: await breakSessions(bare),
      firstOperatorUrl: (await runCli(bare.env, 'operator', 'invite')).stdout.trim(),
    },
  };
}

/** As it would be mailed on Monday. */
async function writeStopWeeks({ dataDir }: Place, creator: Account): Promise<string> {
  const signer = createSellerSigner(readFileSync(join(dataDir, 'app-secret'), 'utf8').trim());
  const token = signer.sign({ ownerId: await readUserId(creator), about: 'weeks' });
  return `/notifications/${token}`;
}

/** Of the seller `ada-lovelace`, with one link pinned. */
async function openSellerPage(creator: Account, id: string): Promise<void> {
  const about = 'I write study packs for people who learn by doing.\nNew ones every term.';
  const links = ['https://example.com/ada', 'https://www.example.org/a-rather-long-address'];
  const query = `mutation ($about: String, $links: [String!]!, $id: ID!) {
    setSellerPage(handle: "ada-lovelace", about: $about, links: $links)
    pinLink(id: $id, pinned: true)
  }`;
  await graphql(creator, query, { about, links, id });
  const create = { width: 600, height: 400, channels: 3, background: '#2a6f97' } as const;
  const picture = await sharp({ create }).png().toBuffer();
  await creator.fetch('/account/picture', { method: 'PUT', body: new Uint8Array(picture) });
}

/** What the demo shop lacks. */
async function sell(creator: Account, file: string) {
  const { id: untitled } = await sellFile(creator, { name: 'Confidential draft.pdf' });
  const { id: free } = await sellFile(creator, { name: 'free.pdf', price: 700 });
  await updateLink(creator, { id: free, unlocked: true, title: 'First chapter' });
  const { id: deleted } = await sellFile(creator, { name: 'withdrawn.pdf' });
  await deleteLink(creator, deleted);
  const { id: paused } = await sellFile(creator, { name: 'old.pdf', price: 12_345 });
  const title = 'Everything about last year’s examinations, with worked solutions and an index';
  await updateLink(creator, { id: paused, paused: true, title });
  const content = { type: 'link', url: 'https://example.com/room' };
  const { id: address } = await createLink(creator, {
    ...content,
    title: 'A room for questions',
    unlisted: true,
  });
  return { file, address, untitled, free, paused };
}

/** One with generated license keys, and one whose list had run out when the buyer paid. */
async function sellLicensed(creator: Account, buyer: Person, shop: Place) {
  const { id: licensed } = await sellFile(creator, { name: 'Studio.zip', price: 4_900 });
  await updateLink(creator, {
    id: licensed,
    title: 'Mixing desk',
    licenses: 'generated',
    devices: 3,
  });
  const success = await payFor(buyer, licensed);
  await waitUntilUnlocked(buyer, licensed);
  const { key } = await readLicense(buyer, licensed);
  for (const activate of ['Ada’s laptop', 'Desk']) {
    await readJson(await postJson(buyer, '/licenses/verify', { link: licensed, key, activate }));
  }
  const { id: owedLicense } = await sellFile(creator, { name: 'Font.otf', price: 2_900 });
  await updateLink(creator, { id: owedLicense, title: 'Letterpress', licenses: 'list' });
  const add = 'mutation ($id: ID!, $keys: String!) { addLicenseKeys(linkId: $id, keys: $keys) }';
  await graphql(creator, add, { id: owedLicense, keys: 'FONT-2026-0001' });
  const checkout = await checkOut(buyer, owedLicense);
  await runSql(shop, `delete from license_key where link_id = '${owedLicense}'`);
  await payAt(buyer, checkout);
  await waitUntilUnlocked(buyer, owedLicense);
  return { links: { licensed, owedLicense }, success };
}

async function readLicense(person: Person, id: string) {
  const { getPaywallLink } = await graphql<{ getPaywallLink: { licenseKeys: { key: string }[] } }>(
    person,
    'query ($id: ID!) { getPaywallLink(id: $id) { licenseKeys { key } } }',
    { id },
    await publishableKey(person),
  );
  const [license] = getPaywallLink.licenseKeys;
  if (!license) throw new Error(`The link ${id} gave no license key.`);
  return license;
}

/** One of which the buyer has a part, and one that they buy. */
async function sellBundles(
  creator: Account,
  { file, coded, limited, untitled }: Record<string, string>,
) {
  const description = 'All I have made for the examinations of this year.';
  const content = { type: 'bundle', title: 'Everything for this year', description };
  const { id: bundle } = await createLink(creator, {
    ...content,
    parts: [file, coded, untitled],
    price: 2900,
  });
  const title = 'Practice sheets with a print';
  const { id: boughtBundle } = await createLink(creator, {
    ...content,
    title,
    parts: [coded, limited],
    price: 2500,
    unlisted: true,
  });
  return { bundle, boughtBundle };
}

/** One of three, another of which the buyer has. */
async function sellChoices(creator: Account, buyer: Person): Promise<string> {
  const name = ['Sketches as PDF', 'PDF and the layered sources', 'For a whole class'];
  const ids = [];
  for (const [place, title] of name.entries()) {
    const { id } = await sellFile(creator, { name: 'sketches.pdf', price: 300 + place * 450 });
    await updateLink(creator, { id, title, unlisted: true, paused: place === 2 });
    ids.push(id);
  }
  const [first = '', second = ''] = ids;
  const query = `mutation ($id: ID!, $choices: [ChoiceInput!]!) {
    setChoices(id: $id, choices: $choices) { id }
  }`;
  const choices = ids.map((id, place) => ({
    id,
    name: ['Sheets', 'Sheets and sources', 'Class'][place],
  }));
  await graphql(creator, query, { id: first, choices });
  await payFor(buyer, second);
  return first;
}

async function sellAtNamedPrice(creator: Account): Promise<string> {
  const { id } = await sellFile(creator, { name: 'song.pdf', price: 500 });
  await updateLink(creator, { id, title: 'A song, with its score', least: 0 });
  return id;
}

/** Links of which few copies are sold, or were, and one whose last day is over. */
async function sellFew(creator: Account, buyer: Person, shop: Place) {
  const { id: limited } = await sellFile(creator, { name: 'print-1.pdf', price: 2500 });
  const until = '2099-12-01T00:00:00.000Z';
  await updateLink(creator, { id: limited, title: 'A signed print', copies: 3, until });
  const { id: soldOut } = await sellFile(creator, { name: 'print-2.pdf', price: 2500 });
  await updateLink(creator, { id: soldOut, title: 'The first print', copies: 1 });
  await payFor(buyer, soldOut);
  await waitUntilUnlocked(buyer, soldOut);
  const { id: ended } = await sellFile(creator, { name: 'talk.pdf', price: 900 });
  await updateLink(creator, { id: ended, title: 'A talk, for a week' });
  await runSql(shop, `UPDATE link SET sold_until = 1790726400000 WHERE id = '${ended}'`);
  return { limited, soldOut, ended };
}

async function startSelling(shop: Place): Promise<Account> {
  const starter = await signUp(shop, { firstName: 'Mary' });
  const content = { type: 'link', url: 'https://example.com/course' };
  await createLink(starter, { ...content, title: 'A course in twelve letters', price: 1500 });
  return starter;
}

/** A link for which there are discount codes. */
async function sellWithCodes(creator: Account): Promise<string> {
  const { id } = await sellFile(creator, { name: 'practice.pdf', price: 1200 });
  await updateLink(creator, { id, title: 'A year of practice sheets' });
  const make = 'mutation ($input: CreateDiscountInput!) { createDiscount(input: $input) }';
  for (const input of [
    { code: 'SPRING-10', percent: 10, uses: 20, usesOfBuyer: 1, until: '2099-12-31', links: [id] },
    { code: 'FRIENDS', amount: 500, minimum: 1000, from: '2099-11-01', links: [id] },
    { code: 'REVIEWER', percent: 100, uses: 50, links: [id] },
  ]) {
    await graphql(creator, make, { input });
  }
  return id;
}

/** A file that is still being checked, and one that was refused. */
async function sellUnchecked(creator: Account, shop: Place) {
  const pending = await sellFile(creator, { name: 'Interview, uncut.mov' });
  const refused = await sellFile(creator, { name: 'Project template.zip' });
  await runSql(
    shop,
    `UPDATE file SET checked_at = NULL WHERE key = '${pending.key}';
     UPDATE file SET refused_because = 'it contains malware (Eicar-Test-Signature)'
     WHERE key = '${refused.key}'`,
  );
  return { pending: pending.id, refused: refused.id };
}

/** Two files that somebody bought and has not fetched, and a version with one more. */
async function sellVersions(creator: Account, buyer: Person, shop: Place): Promise<string> {
  const keys: string[] = [];
  for (const [name, bytes] of [
    ['Field notes.pdf', Buffer.from('%PDF-1.7\n')],
    ['Recordings, part 1.wav', wav(1)],
    ['Recordings, part 2.wav', wav(2)],
  ] as const) {
    keys.push((await uploadFile(creator, { name, bytes })).key);
  }
  const [key] = keys;
  const bought = { key, files: keys.slice(0, 2) };
  const { id } = await createLink(creator, { ...bought, title: 'Sounds of the marsh' });
  await payFor(buyer, id);
  await waitUntilUnlocked(buyer, id);
  await updateLink(creator, { id, files: keys });
  await runSql(
    shop,
    `UPDATE purchase SET undelivered_at = 1, receipt_refused_at = 1 WHERE link_id = '${id}'`,
  );
  return id;
}

/** A picture that is shown blurred, once that is made. */
/** A PDF that carries its buyer, and one that is said to be unable to. */
async function sellStamped(creator: Account, shop: Place) {
  const sell = async (name: string, title: string, stamp: string) => {
    const { key } = await uploadFile(creator, { name, bytes: pdf(24) });
    const { id } = await createLink(creator, { key, title });
    await runSql(shop, `update link set ${stamp} where id = '${id}'`);
    return id;
  };
  return {
    stamped: await sell('handbook.pdf', 'A handbook', 'stamp = 1'),
    unstampable: await sell('certificate.pdf', 'A certificate', 'stamp = 1, stamp_failed = 1'),
  };
}

async function sellWithPreview(creator: Account): Promise<string> {
  const create = { width: 1200, height: 800, channels: 3, background: '#2a6f97' } as const;
  const noise = { type: 'gaussian', mean: 128, sigma: 80 } as const;
  const picture = sharp({ create: { ...create, noise } }).composite([
    {
      input: Buffer.from(
        '<svg width="700" height="500"><circle cx="350" cy="250" r="240" fill="#f4a261"/></svg>',
      ),
    },
  ]);
  const bytes = (await picture.jpeg().toBuffer()) as Buffer<ArrayBuffer>;
  const { key } = await uploadFile(creator, { name: 'print.jpg', bytes });
  const { id } = await createLink(creator, { key, title: 'A print', preview: 'blurred' });
  const seen = `{ getPaywallLink(id: "${id}") { previewFile { url } } }`;
  await eventually(async () => {
    const { getPaywallLink: link } = await graphql<{ getPaywallLink: { previewFile: unknown } }>(
      creator,
      seen,
    );
    if (!link.previewFile) throw new Error('The preview is not made yet');
  });
  return id;
}

/** What would pass by itself within seconds, or take an hour. */
async function leaveCheckout(shop: Place, link: string, state: 'processing' | 'expired') {
  const person = createPerson(shop);
  const session = new URL(await checkOut(person, link)).pathname.split('/').at(-1);
  await runSql(
    shop,
    `UPDATE purchase SET state = '${state}', buyer_email = '${BUYER_EMAIL}'
     WHERE payment_id = (SELECT id FROM payment WHERE session_id = '${session}')`,
  );
  return { path: `/success?session_id=${session}`, person };
}

async function returnPayment(shop: Place, link: string) {
  const person = createPerson(shop);
  const path = await payFor(person, link);
  await waitUntilUnlocked(person, link);
  const session = new URL(path).searchParams.get('session_id');
  await runSql(
    shop,
    `UPDATE access_grant SET state = 'ended' WHERE purchase_id =
     (SELECT p.id FROM purchase p JOIN payment y ON y.id = p.payment_id
      WHERE y.session_id = '${session}')`,
  );
  return { path, person };
}

/** Somebody's purchases, in all their states, and how the first of them is shared. */
async function collectPurchases(shop: Place, creator: Account, links: { file: string }) {
  const collector = createPerson(shop);
  const email = 'collector@example.com';
  const buy = async (id: string) => {
    await payAt(collector, await checkOut(collector, id), CARDS.pays, email);
    await waitUntilUnlocked(collector, id);
  };
  await buy(links.file);
  const { text } = await readMail(shop, email);
  const sharedLink = /\/access\/\S+/.exec(text)?.[0] ?? '';
  for (let count = 0; count < 5; count += 1) {
    await createPerson(shop).fetch(sharedLink, { method: 'POST' });
  }
  const states = { 'Exercises, withdrawn': 'ended', 'A disputed course': 'suspended' };
  for (const [title, state] of Object.entries(states)) {
    const { id } = await createLink(creator, { type: 'link', url: 'https://example.com/', title });
    await buy(id);
    await runSql(shop, `UPDATE access_grant SET state = '${state}' WHERE link_id = '${id}'`);
    await deleteLink(creator, id);
  }
  const gift = { email: 'friend@example.com' };
  const begun = await postJson(collector, '/prod/checkout', { paywallId: links.file, gift });
  const { url } = await readJson<{ url: string }>(begun);
  await payAt(collector, url, CARDS.pays, email);
  return { collector, sharedLink };
}

/** A file of which the disk has lost the half. */
async function sellDamaged(creator: Account, { dataDir }: Place): Promise<string> {
  const bytes = new Uint8Array(1_000);
  const { key, location } = await uploadFile(creator, { name: 'Worksheets.pdf', bytes });
  truncateSync(join(dataDir, 'blobs', basename(location)), 500);
  return (await createLink(creator, { key, title: 'Worksheets for the summer term' })).id;
}

async function breakSessions(bare: Place): Promise<Person> {
  const visitor = await signUp(bare);
  await runSql(bare, 'ALTER TABLE session RENAME TO session_away; DELETE FROM mailbox_message');
  return visitor;
}
