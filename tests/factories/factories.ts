import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../harness/eventually.ts';
import { createPerson, type Person, postJson, readJson } from '../harness/person.ts';

type Origin = { origin: string };
type Mail = { to: string; subject: string; text: string; html: string; sentAt: string };
type Upload = { name: string; bytes: Uint8Array<ArrayBuffer>; id?: string; type?: string };
type Account = Person & { email: string; firstName: string };
type Link = { id: string; price: number; owner: string; key: string | null; url: string | null };

export const PASSWORD = 'Correct-horse-7';

/** The newest mail to the address, as soon as it is there. */
export async function readMail(app: Origin, to: string, subject = /./): Promise<Mail> {
  return await eventually(async () => {
    const mails = await readJson<Mail[]>(await fetch(`${app.origin}/mailbox.json`));
    const mail = mails.find((candidate) => candidate.to === to && subject.test(candidate.subject));
    if (!mail) throw new Error(`No mail to ${to}.`);
    return mail;
  });
}

/** The six digits of the newest mail with a code to the address. */
export async function readCode(app: Origin, to: string): Promise<string> {
  const { text } = await readMail(app, to, /\d{6}/);
  const code = /\b\d{6}\b/.exec(text)?.[0];
  if (!code) throw new Error(`No code in: ${text}`);
  return code;
}

/** A new creator: signed up, verified by the mailed code, signed in. */
export async function signUp(
  app: Origin,
  {
    firstName = 'Ada',
    email = `${randomBytes(6).toString('hex')}@example.com`,
    person = createPerson(app),
  } = {},
): Promise<Account> {
  const account = { email, password: PASSWORD, name: firstName, firstName };
  await readJson(await postJson(person, '/api/auth/sign-up/email', account));
  const otp = await readCode(app, email);
  await readJson(await postJson(person, '/api/auth/email-otp/verify-email', { email, otp }));
  if (person.cookies.size === 0) await signIn(person, email);
  return Object.assign(person, { email, firstName });
}

export async function signIn(person: Person, email: string, password = PASSWORD): Promise<void> {
  await readJson(await postJson(person, '/api/auth/sign-in/email', { email, password }));
}

type GraphqlAnswer<Data> = {
  data?: Data | null;
  errors?: { message: string; extensions?: { code?: string } }[];
};

/** The whole answer to a GraphQL request, errors included. */
export async function askGraphql<Data>(
  person: Person,
  query: string,
  variables: Record<string, unknown> = {},
  headers: Record<string, string> = {},
): Promise<GraphqlAnswer<Data>> {
  const response = await postJson(person, '/graphql', { query, variables }, headers);
  return (await response.json()) as GraphqlAnswer<Data>;
}

/** The data of a GraphQL request. @throws on any error in the answer. */
export async function graphql<Data>(
  person: Person,
  query: string,
  variables?: Record<string, unknown>,
  headers?: Record<string, string>,
): Promise<Data> {
  const { data, errors } = await askGraphql<Data>(person, query, variables, headers);
  if (!data || errors) throw new Error(JSON.stringify(errors));
  return data;
}

/** The header of the publishable key that every page has. */
export async function publishableKey(app: Origin): Promise<{ 'x-api-key': string }> {
  const config = await readJson<{ apiKey: string }>(await fetch(`${app.origin}/config.json`));
  return { 'x-api-key': config.apiKey };
}

function tusMetadata(values: Record<string, string | undefined>): string {
  return Object.entries(values)
    .flatMap(([name, value]) =>
      value === undefined ? [] : [`${name} ${Buffer.from(value).toString('base64')}`],
    )
    .join(',');
}

/** Announces an upload (tus creation) and returns the answer as it is. */
export function announceUpload(
  person: Person,
  { name, size, id, type = 'application/octet-stream' }: Omit<Upload, 'bytes'> & { size: number },
): Promise<Response> {
  return person.fetch('/uploads', {
    method: 'POST',
    headers: {
      'tus-resumable': '1.0.0',
      'upload-length': String(size),
      'upload-metadata': tusMetadata({ filename: name, filetype: type, id }),
    },
  });
}

/** Sends bytes of an announced upload and returns the answer as it is. */
export function sendBytes(
  person: Person,
  location: string,
  bytes: Uint8Array<ArrayBuffer>,
  offset = 0,
): Promise<Response> {
  return person.fetch(location, {
    method: 'PATCH',
    headers: {
      'tus-resumable': '1.0.0',
      'upload-offset': String(offset),
      'content-type': 'application/offset+octet-stream',
    },
    body: bytes,
  });
}

/** Uploads a whole file. Returns the key for `createPaywallLink` and the upload's address. */
export async function uploadFile(person: Person, { bytes, ...file }: Upload) {
  const created = await announceUpload(person, { ...file, size: bytes.length });
  const location = created.headers.get('location');
  const key = created.headers.get('upload-key');
  if (created.status !== 201 || !location || !key) {
    throw new Error(`The upload was refused: ${created.status} ${await created.text()}`);
  }
  const sent = await sendBytes(person, location, bytes);
  if (sent.status !== 204) throw new Error(`The bytes were refused: ${await sent.text()}`);
  return { key: decodeURIComponent(key), location };
}

export const UPDATE_LINK =
  'mutation ($input: UpdatePaywallLinkInput!) { updatePaywallLink(input: $input) { id price } }';

/**
 * Creates a link as the data layer does. `input` goes beside or over what a sold file needs. The next
 * link is newer: those of one millisecond are in the order of their ids.
 */
export async function createLink(person: Person, input: Record<string, unknown>): Promise<Link> {
  const { createPaywallLink } = await graphql<{ createPaywallLink: Link }>(
    person,
    `mutation ($input: CreatePaywallLinkInput!) {
      createPaywallLink(input: $input) { id price owner key url }
    }`,
    { input: { type: 'file', unlocked: false, price: 500, ...input } },
  );
  await sleep(1);
  return createPaywallLink;
}

/** Changes a link as the data layer does. `input` holds its id and what changes. */
export async function updateLink(
  person: Person,
  input: { id: string } & Record<string, unknown>,
): Promise<Pick<Link, 'id' | 'price'>> {
  const { updatePaywallLink } = await graphql<{ updatePaywallLink: Pick<Link, 'id' | 'price'> }>(
    person,
    UPDATE_LINK,
    { input },
  );
  return updatePaywallLink;
}

/** A file of random bytes, uploaded and on sale. */
export async function sellFile(
  person: Person,
  { name = 'notes.pdf', size = 1000, price = 500 } = {},
) {
  const bytes = new Uint8Array(randomBytes(size));
  const { key } = await uploadFile(person, { name, bytes });
  return { ...(await createLink(person, { key, price })), key, bytes };
}

type SeenLink = Pick<Link, 'key' | 'url'> & { unlocked: boolean; price: number; type: string };

/** The link as a visitor's page asks for it: by cookies and the publishable key. */
export async function seeLink(person: Person, id: string): Promise<SeenLink | null> {
  const { getPaywallLink } = await graphql<{ getPaywallLink: SeenLink | null }>(
    person,
    'query ($id: ID!) { getPaywallLink(id: $id) { unlocked type key url price } }',
    { id },
    await publishableKey(person),
  );
  return getPaywallLink;
}

/** Waits until the link is unlocked for this person. */
export async function waitUntilUnlocked(person: Person, id: string): Promise<SeenLink> {
  return await eventually(async () => {
    const link = await seeLink(person, id);
    if (!link?.unlocked) throw new Error(`The link ${id} is still locked.`);
    return link;
  });
}

/** A signed download URL of the key, as the storage call gives it. */
export async function storageUrl(person: Person, key: string): Promise<string> {
  const path = `/storage/url?key=${encodeURIComponent(key)}`;
  const headers = await publishableKey(person);
  return (await readJson<{ url: string }>(await person.fetch(path, { headers }))).url;
}

export async function readUserId(person: Person): Promise<string> {
  const attributes = await person.fetch('/api/user-attributes');
  return (await readJson<{ sub: string }>(attributes)).sub;
}

/** What the balance call says of a creator, in cents. */
export async function readBalance(person: Person): Promise<number> {
  const { getUserBalance } = await graphql<{ getUserBalance: { balance: number } | null }>(
    person,
    'query ($id: ID!) { getUserBalance(id: $id) { balance } }',
    { id: await readUserId(person) },
  );
  return getUserBalance?.balance ?? 0;
}
