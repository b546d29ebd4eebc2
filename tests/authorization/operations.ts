import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { runSql } from '../errors/run-sql.ts';
import {
  announceUpload,
  askGraphql,
  createLink,
  sendBytes,
  signUp,
  UPDATE_LINK,
  uploadFile,
} from '../factories/factories.ts';
import { giveUpJob, waitForApproval } from '../factories/operator-work.ts';
import { createSecretKey } from '../factories/secret-key.ts';
import { deleteLink, RESTORE_LINK } from '../factories/stored-files.ts';
import { openSocket } from '../harness/live-socket.ts';
import { postJson } from '../harness/person.ts';
import type { App } from '../harness/start-app.ts';
import { createSubscription } from '../harness/start-push-service.ts';
import { type Caller, type People, refusalOf } from './callers.ts';
import { DELETE, type LinkName, type MatrixLink } from './links.ts';

export type World = People & {
  app: Pick<App, 'dataDir' | 'env'>;
  links: Record<LinkName, MatrixLink>;
  /** The provider's session of the guest's purchase. */
  sessionId: string;
  /** The guest's purchase. */
  purchaseId: string;
};

/** What one caller gets for one link, as a letter of the matrix. */
export type LinkOperation = (world: World, caller: Caller, link: MatrixLink) => Promise<string>;
/** The same for what concerns no single link. */
export type Operation = (world: World, caller: Caller) => Promise<string>;

type Seen = { id: string; unlocked: boolean; key: string | null; url: string | null };

const FIELDS = 'id unlocked key url files { key } licenseKeys { key }';
const SIGNED_URL = /\/download\//;

/** U unlocked, o the same though `unlocked` is false, l locked, - not there, x refused. */
function letterOf(link: Seen | null | undefined): string {
  if (!link) return '-';
  if (!link.key && !link.url) return 'l';
  return link.unlocked ? 'U' : 'o';
}

/** x refused, s a key without the scope, - not found, d done. */
function letterOfRefusal(code: string | null): string {
  if (code === null) return 'd';
  if (code === 'SCOPE_MISSING') return 's';
  if (code === 'UNAUTHORIZED') return 'x';
  return /NOT_FOUND/.test(code) ? '-' : code;
}

/** s a key without the scope, x refused otherwise. */
function letterOfErrors([error]: { extensions?: { code?: string } }[]): string {
  return error?.extensions?.code === 'SCOPE_MISSING' ? 's' : 'x';
}

function letterOfStatus(status: number): string {
  if (status < 400) return 'd';
  return { 401: 'x', 403: 'x', 404: '-' }[status] ?? String(status);
}

const NEWCOMER = 'newcomer@example.com';
const INVITE = 'mutation ($email: String!) { inviteAccount(email: $email, role: "seller") { id } }';
const SUSPEND = 'mutation ($id: ID!) { suspendAccount(id: $id, reason: "A reason.") }';
const RESTORE = 'mutation ($id: ID!) { restoreAccount(id: $id) }';

const TAKE_DOWN =
  'mutation ($id: ID!) { takeDownLink(id: $id, reason: "other", words: "A reason.") }';
const UNDO = 'mutation ($id: ID!) { undoTakeDown(id: $id, words: "A reason.") }';
const OBJECT = 'mutation ($id: ID!) { objectToTakeDown(id: $id, words: "A mistake.") }';
const ANSWER = 'mutation ($id: ID!) { answerObjection(id: $id, words: "It is not.") }';

/** The id of a license key of the owner's that nobody has bought. */
async function listKey({ app, links }: World): Promise<string> {
  const id = randomUUID();
  await runSql(
    app,
    `insert into license_key (id, link_id, key, lookup, created_at)
     values ('${id}', '${links.paid.id}', '${id}', '${id}', ${Date.now()})`,
  );
  return id;
}

/** The id of a discount code of the owner's. */
async function makeCode({ app, ownerId }: World): Promise<string> {
  const id = randomUUID();
  await runSql(
    app,
    `insert into discount (id, owner_id, code, percent, chosen_links, created_at)
     values ('${id}', '${ownerId}', 'CODE-${id}', 10, 0, ${Date.now()})`,
  );
  return id;
}

/** Does something to a webhook of the owner's that was told of one event. */
function onHook(query: string): Operation {
  return async ({ app, ownerId }, { person }) => {
    const id = randomUUID();
    await runSql(
      app,
      `INSERT INTO hook (id, owner_id, all_sellers, url, state, generation, created_at)
       VALUES ('${id}', '${ownerId}', 0, 'https://a.example/', 'on', 1, 1);
       INSERT INTO hook_message (id, hook_id, type, body, state, wanted_at, due_at, created_at)
       VALUES ('${id}', '${id}', 'link.created', '{}', 'given_up', 1, 1, 1)`,
    );
    const asked = query.replace('ID', id).replace('EVENT', id);
    const { data, errors } = await askGraphql<object>(person, asked);
    await runSql(app, `DELETE FROM hook WHERE id = '${id}'`);
    if (errors) return letterOfRefusal(errors[0]?.extensions?.code ?? null);
    return asked.includes('listWebhooks') && !JSON.stringify(data).includes(id) ? '-' : 'd';
  };
}

const spareLinks = new WeakMap<World, Promise<string>>();

/** The id of a link of the owner's that was taken down just now, or is not. */
async function spareLink(world: World, isTakenDown: boolean): Promise<string> {
  const made =
    spareLinks.get(world) ??
    createLink(world.owner, { type: 'link', url: 'https://example.com' }).then(({ id }) => id);
  spareLinks.set(world, made);
  const id = await made;
  const operator = world.callers['service key'].person;
  await askGraphql(operator, UNDO, { id });
  if (isTakenDown) await askGraphql(operator, TAKE_DOWN, { id });
  return id;
}

const spareAccounts = new WeakMap<World, Promise<string>>();

/** The id of an account that nobody else uses. */
function spareAccount(world: World): Promise<string> {
  const made =
    spareAccounts.get(world) ??
    signUp(world.owner).then(async (spare) => {
      const answer = await spare.fetch('/api/user-attributes');
      return ((await answer.json()) as { sub: string }).sub;
    });
  spareAccounts.set(world, made);
  return made;
}

export const LINK_OPERATIONS: Record<string, LinkOperation> = {
  // Before a checkout gives a claim to those who had neither key nor claim.
  async 'GET /storage/list'(_world, { person }, { key }) {
    if (key === null) return '.';
    const answer = await person.fetch('/storage/list');
    if (!answer.ok) return letterOfStatus(answer.status);
    const { items } = (await answer.json()) as { items: { key: string }[] };
    return items.some((item) => item.key === key) ? 'U' : '-';
  },

  async getPaywallLink(_world, { person }, { id }) {
    const query = `query ($id: ID!) { getPaywallLink(id: $id) { ${FIELDS} } }`;
    const { data, errors } = await askGraphql<{ getPaywallLink: Seen }>(person, query, { id });
    return errors ? letterOfErrors(errors) : letterOf(data?.getPaywallLink);
  },

  async listPaywallLinks({ ownerId }, { person }, { id }) {
    const query = `query ($owner: String!) {
      listPaywallLinks(filter: { owner: { eq: $owner } }, limit: 100) { items { ${FIELDS} } }
    }`;
    const { data, errors } = await askGraphql<{ listPaywallLinks: { items: Seen[] } }>(
      person,
      query,
      { owner: ownerId },
    );
    return errors
      ? letterOfErrors(errors)
      : letterOf(data?.listPaywallLinks.items.find((item) => item.id === id));
  },

  async listDeletedPaywallLinks(_world, { person }, { id }) {
    const query = `{ listDeletedPaywallLinks(limit: 100) { items { ${FIELDS} } } }`;
    const { data, errors } = await askGraphql<{ listDeletedPaywallLinks: { items: Seen[] } }>(
      person,
      query,
    );
    return errors
      ? letterOfErrors(errors)
      : letterOf(data?.listDeletedPaywallLinks.items.find((item) => item.id === id));
  },

  async updatePaywallLink(_world, { person }, { id }) {
    const input = { id, title: 'Changed' };
    return letterOfRefusal(await refusalOf(person, UPDATE_LINK, { input }));
  },

  async 'POST /prod/checkout'(_world, { person }, { id }) {
    const answer = await postJson(person, '/prod/checkout', { paywallId: id });
    if (!answer.ok) return answer.status === 409 ? 'p' : letterOfStatus(answer.status);
    const { url } = (await answer.json()) as { url: string };
    return url.includes('/sandbox/checkout/') ? 'c' : 'u';
  },

  'GET /p/:id/content': follow('/content'),
  'GET /p/:id/content?open=1': follow('/content?open=1'),
  'GET /p/:id/content.zip': follow('/content.zip'),

  async 'GET /p/:id/receipt'(_world, { person }, { id }) {
    const answer = await person.fetch(`/p/${id}/receipt`);
    return answer.ok && (await answer.text()).includes(`"link": "${id}"`) ? 'U' : 'l';
  },

  async 'GET /storage/url'(_world, { person }, { key, secrets }) {
    if (key === null) return '.';
    const answer = await person.fetch(`/storage/url?key=${encodeURIComponent(key)}`);
    if (!answer.ok) return letterOfStatus(answer.status);
    const { url } = (await answer.json()) as { url: string };
    return (await (await fetch(url)).text()) === secrets[0] ? 'U' : 'l';
  },
};

/** - where there is nothing of that kind; an archive holds its files as they are. */
function follow(way: string): LinkOperation {
  return async (_world, { person }, { id, key, secrets: [content = ''] }) => {
    const answer = await person.fetch(`/p/${id}${way}`);
    if (answer.status === 404) return '-';
    const target = answer.headers.get('location') ?? '';
    if (key === null) return target.includes(content) ? 'U' : 'l';
    if (!SIGNED_URL.test(target)) return 'l';
    const got = await (await fetch(new URL(target, person.origin))).text();
    return (way.endsWith('.zip') ? got.includes(content) : got === content) ? 'U' : 'l';
  };
}

/** Refused to strangers; whoever is signed in gets their own, or the reason why not now. */
function ofCaller(query: string): Operation {
  return async (_world, { person }) => {
    const letter = letterOfRefusal(await refusalOf(person, query, {}));
    return ['x', 's'].includes(letter) ? letter : 'own';
  };
}

/** With something made for it, where it needs that. */
function ofOperator(query: string, make?: (world: World) => Promise<string>): Operation {
  return async (world, { person }) =>
    letterOfRefusal(await refusalOf(person, query, make ? { id: await make(world) } : {}));
}

/** What ends what it is done to is tried on something that was made for it. */
export const OPERATIONS: Record<string, Operation> = {
  async createPaywallLink({ ownerId }, { person }) {
    const query =
      'mutation ($input: CreatePaywallLinkInput!) { createPaywallLink(input: $input) { id } }';
    const input = { type: 'link', url: 'https://example.com', price: 500, owner: ownerId };
    return letterOfRefusal(await refusalOf(person, query, { input }));
  },

  async deletePaywallLink({ owner }, { person }) {
    const { id } = await createLink(owner, { type: 'link', url: 'https://example.com' });
    return letterOfRefusal(await refusalOf(person, DELETE, { id }));
  },

  async restorePaywallLink({ owner }, { person }) {
    const { id } = await createLink(owner, { type: 'link', url: 'https://example.com' });
    await deleteLink(owner, id);
    return letterOfRefusal(await refusalOf(person, RESTORE_LINK, { id }));
  },

  async setChoices({ owner }, { person }) {
    const content = { type: 'link', url: 'https://example.com' };
    const ids = [await createLink(owner, content), await createLink(owner, content)];
    const choices = ids.map(({ id }) => ({ id, name: id }));
    const query = `mutation ($id: ID!, $choices: [ChoiceInput!]!) {
      setChoices(id: $id, choices: $choices) { id }
    }`;
    return letterOfRefusal(await refusalOf(person, query, { id: ids[0]?.id, choices }));
  },

  async listLicenseKeys({ links }, { person }) {
    const query = 'query ($id: ID!) { listLicenseKeys(linkId: $id) { items { key } } }';
    const { data, errors } = await askGraphql<{ listLicenseKeys: { items: { key: string }[] } }>(
      person,
      query,
      { id: links.paid.id },
    );
    if (errors) return letterOfErrors(errors);
    return data?.listLicenseKeys.items[0] ? 'd' : '-';
  },
  async listWaysToPay(_world, { person }) {
    return letterOfRefusal(await refusalOf(person, '{ listWaysToPay }', {}));
  },
  async addLicenseKeys({ links }, { person }) {
    const query =
      'mutation ($id: ID!, $keys: String!) { addLicenseKeys(linkId: $id, keys: $keys) }';
    const variables = { id: links.paid.id, keys: randomUUID() };
    return letterOfRefusal(await refusalOf(person, query, variables));
  },
  async removeLicenseKeys(world, { person }) {
    const query =
      'mutation ($linkId: ID!, $ids: [ID!]!) { removeLicenseKeys(linkId: $linkId, ids: $ids) }';
    const variables = { linkId: world.links.paid.id, ids: [await listKey(world)] };
    return letterOfRefusal(await refusalOf(person, query, variables));
  },
  async clearLicenseActivations(world, { person }) {
    const id = await listKey(world);
    const query = 'mutation ($id: ID!) { clearLicenseActivations(id: $id) }';
    return letterOfRefusal(await refusalOf(person, query, { id }));
  },

  async getUserBalance({ ownerId }, { person }) {
    const query = 'query ($id: ID!) { getUserBalance(id: $id) { balance } }';
    return letterOfRefusal(await refusalOf(person, query, { id: ownerId }));
  },

  async getSalesByDay(_world, { person }) {
    const query = '{ getSalesByDay(days: 1) { sales } }';
    type Answer = { getSalesByDay: { sales: number }[] };
    const { data, errors } = await askGraphql<Answer>(person, query);
    if (errors) return letterOfErrors(errors);
    return data?.getSalesByDay[0]?.sales ? 'd' : 'own';
  },

  async listSources(_world, { person }) {
    const query = '{ listSources(days: 1) { sales } }';
    type Answer = { listSources: { sales: number }[] };
    const { data, errors } = await askGraphql<Answer>(person, query);
    if (errors) return letterOfErrors(errors);
    return data?.listSources.some(({ sales }) => sales > 0) ? 'd' : 'own';
  },

  async listSales({ purchaseId }, { person }) {
    const query = '{ listSales { items { id } } }';
    type Answer = { listSales: { items: { id: string }[] } };
    const { data, errors } = await askGraphql<Answer>(person, query);
    if (errors) return letterOfErrors(errors);
    return data?.listSales.items.some(({ id }) => id === purchaseId) ? 'd' : 'own';
  },

  async countUndeliveredSales({ app, purchaseId }, { person }) {
    await runSql(
      app,
      `delete from delivered_file; delete from delivery; update purchase
       set undelivered_at = 1, receipt_refused_at = 1 where id = '${purchaseId}'`,
    );
    type Answer = { countUndeliveredSales: number };
    const { data, errors } = await askGraphql<Answer>(person, '{ countUndeliveredSales }');
    if (errors) return letterOfErrors(errors);
    return data?.countUndeliveredSales ? 'd' : 'own';
  },

  async getMoney(_world, { person }) {
    type Answer = { getMoney: { balance: number } };
    const { data, errors } = await askGraphql<Answer>(person, '{ getMoney { balance } }');
    if (errors) return letterOfErrors(errors);
    return data?.getMoney.balance ? 'd' : 'own';
  },

  async listDiscounts(world, { person }) {
    const made = await makeCode(world);
    const { data, errors } = await askGraphql<{ listDiscounts: { items: { id: string }[] } }>(
      person,
      '{ listDiscounts { items { id } } }',
    );
    if (errors) return letterOfErrors(errors);
    return data?.listDiscounts.items.some(({ id }) => id === made) ? 'd' : 'own';
  },
  createDiscount: ofCaller('mutation { createDiscount(input: { code: "MADE" }) }'),
  giveLink: ofCaller('mutation { giveLink(link: "00000000", email: "ann@example.com") }'),
  async endDiscount(world, { person }) {
    const id = await makeCode(world);
    const query = 'mutation ($id: ID!) { endDiscount(id: $id) }';
    return letterOfRefusal(await refusalOf(person, query, { id }));
  },

  listPayouts: ofCaller('{ listPayouts { items { id } } }'),
  listBookedPayouts: ofCaller('{ listBookedPayouts { id } }'),
  requestPayout: ofCaller('mutation { requestPayout { id } }'),
  beginPayoutOnboarding: ofCaller('mutation { beginPayoutOnboarding(country: "US") }'),
  openPayoutDashboard: ofCaller('mutation { openPayoutDashboard }'),

  async cancelPayout({ app, ownerId }, { person }) {
    const id = randomUUID();
    await runSql(
      app,
      `insert into payout (id, owner_id, mode, provider_account, account_id, amount_cents,
         cost_cents, state, tries, failures, requested_at, changed_at)
       values ('${id}', '${ownerId}', 'test', 'acct', 'acct', 100, 25, 'requested', 0, 0, 0, 0)`,
    );
    const query = 'mutation ($id: ID!) { cancelPayout(id: $id) }';
    return letterOfRefusal(await refusalOf(person, query, { id }));
  },

  async resendReceiptOfSale({ purchaseId }, { person }) {
    const query = 'mutation ($id: ID!) { resendReceiptOfSale(purchaseId: $id) }';
    return letterOfRefusal(await refusalOf(person, query, { id: purchaseId }));
  },

  async quoteRefund({ purchaseId }, { person }) {
    const query = 'query ($id: ID!) { quoteRefund(purchaseId: $id) { amount } }';
    return letterOfRefusal(await refusalOf(person, query, { id: purchaseId }));
  },

  async refundSale({ purchaseId }, { person }) {
    const query =
      'mutation ($id: ID!) { refundSale(purchaseId: $id, amount: 1, reason: "Late") { id } }';
    return letterOfRefusal(await refusalOf(person, query, { id: purchaseId }));
  },

  async getCheckout({ sessionId }, { person }) {
    const query = `query ($id: ID!) { getCheckout(sessionId: $id) { mine state link { ${FIELDS} } } }`;
    type Answer = { getCheckout: { mine: boolean; link: Seen | null } };
    const { data, errors } = await askGraphql<Answer>(person, query, { id: sessionId });
    return errors ? letterOfErrors(errors) : letterOf(data?.getCheckout.link);
  },

  /** Of the guest who bought. */
  async listPurchases({ links }, { person }) {
    const query = '{ listPurchases { items { linkId } } }';
    type Answer = { listPurchases: { items: { linkId: string }[] } };
    const { data, errors } = await askGraphql<Answer>(person, query);
    if (errors) return letterOfErrors(errors);
    const held = data?.listPurchases.items.map(({ linkId }) => linkId) ?? [];
    if (held.length === 0) return '-';
    return held.join() === links.paid.id ? 'd' : 'own';
  },

  async resendReceipt(_world, { person }) {
    const query = 'mutation ($id: ID!) { resendReceipt(sessionId: $id) }';
    return letterOfRefusal(await refusalOf(person, query, { id: randomUUID() }));
  },

  async listSecretKeys({ owner }, { person }) {
    const { id } = await createSecretKey(owner, 'Listed');
    const query = '{ listSecretKeys { id name hint } }';
    type Answer = { listSecretKeys: { id: string }[] };
    const { data, errors } = await askGraphql<Answer>(person, query);
    await askGraphql(owner, `mutation { revokeSecretKey(id: "${id}") }`);
    if (errors) return letterOfErrors(errors);
    return data?.listSecretKeys.some((key) => key.id === id) ? 'd' : '-';
  },

  listWebhooks: onHook('{ listWebhooks { items { id } } }'),
  listWebhookEvents: onHook('{ listWebhookEvents(webhook: "ID") { nextToken } }'),

  async createWebhook(_world, { person }) {
    const create = 'mutation { createWebhook(url: "https://a.example") { webhook { id } } }';
    type Answer = { createWebhook: { webhook: { id: string } } };
    const { data, errors } = await askGraphql<Answer>(person, create);
    const { id } = data?.createWebhook.webhook ?? {};
    if (id) await askGraphql(person, `mutation { deleteWebhook(id: "${id}") }`);
    return letterOfRefusal(errors?.[0]?.extensions?.code ?? null);
  },

  async 'createWebhook of all sellers'(_world, { person }) {
    const create =
      'mutation { createWebhook(url: "https://a.example", allSellers: true) { secret } }';
    return letterOfRefusal(await refusalOf(person, create, {}));
  },

  rotateWebhookSecret: onHook('mutation { rotateWebhookSecret(id: "ID") { secret } }'),
  setWebhookPaused: onHook('mutation { setWebhookPaused(id: "ID", paused: true) }'),
  resendWebhookEvent: onHook('mutation { resendWebhookEvent(webhook: "ID", id: "EVENT") }'),
  deleteWebhook: onHook('mutation { deleteWebhook(id: "ID") }'),

  async createSecretKey(_world, { person }) {
    return letterOfRefusal(
      await refusalOf(person, 'mutation { createSecretKey(name: "Made") { id } }', {}),
    );
  },

  async revokeSecretKey({ owner }, { person }) {
    const { id } = await createSecretKey(owner, 'To revoke');
    const query = 'mutation ($id: ID!) { revokeSecretKey(id: $id) }';
    const code = await refusalOf(person, query, { id });
    await askGraphql(owner, query, { id });
    return letterOfRefusal(code);
  },

  async listAccounts(_world, { person }) {
    return letterOfRefusal(await refusalOf(person, '{ listAccounts { items { id } } }', {}));
  },

  async listInvitations(_world, { person }) {
    return letterOfRefusal(await refusalOf(person, '{ listInvitations { items { id } } }', {}));
  },

  async listActs(_world, { person }) {
    return letterOfRefusal(await refusalOf(person, '{ listActs { items { id } } }', {}));
  },

  async inviteAccount(_world, { person }) {
    return letterOfRefusal(await refusalOf(person, INVITE, { email: NEWCOMER }));
  },

  async revokeInvitation({ callers }, { person }) {
    const { data } = await askGraphql<{ inviteAccount: { id: string } }>(
      callers['service key'].person,
      INVITE,
      { email: NEWCOMER },
    );
    const id = data?.inviteAccount.id;
    const query = 'mutation ($id: ID!) { revokeInvitation(id: $id) }';
    return letterOfRefusal(await refusalOf(person, query, { id }));
  },

  async suspendAccount(world, { person }) {
    const id = await spareAccount(world);
    const code = await refusalOf(person, SUSPEND, { id });
    await askGraphql(world.callers['service key'].person, RESTORE, { id });
    return letterOfRefusal(code);
  },

  async restoreAccount(world, { person }) {
    const id = await spareAccount(world);
    const operator = world.callers['service key'].person;
    await askGraphql(operator, SUSPEND, { id });
    const code = await refusalOf(person, RESTORE, { id });
    await askGraphql(operator, RESTORE, { id });
    return letterOfRefusal(code);
  },

  async setAccountQuota(world, { person }) {
    const query = 'mutation ($id: ID!) { setAccountQuota(id: $id, links: 5) }';
    return letterOfRefusal(await refusalOf(person, query, { id: await spareAccount(world) }));
  },

  async listOwnTakeDowns(world, { person }) {
    const id = await spareLink(world, true);
    const query = '{ listOwnTakeDowns { items { linkId } } }';
    type Answer = { listOwnTakeDowns: { items: { linkId: string }[] } };
    const { data, errors } = await askGraphql<Answer>(person, query);
    if (errors) return letterOfErrors(errors);
    return data?.listOwnTakeDowns.items.some(({ linkId }) => linkId === id) ? 'd' : 'own';
  },

  async objectToTakeDown(world, { person }) {
    return letterOfRefusal(await refusalOf(person, OBJECT, { id: await spareLink(world, true) }));
  },

  async takeDownLink(world, { person }) {
    const id = await spareLink(world, false);
    return letterOfRefusal(await refusalOf(person, TAKE_DOWN, { id }));
  },

  async undoTakeDown(world, { person }) {
    return letterOfRefusal(await refusalOf(person, UNDO, { id: await spareLink(world, true) }));
  },

  async answerObjection(world, { person }) {
    const id = await spareLink(world, true);
    await runSql(
      world.app,
      `update take_down set objection = 'A mistake.', objected_at = 1
       where link_id = '${id}' and undone_at is null`,
    );
    return letterOfRefusal(await refusalOf(person, ANSWER, { id }));
  },

  async listReports(_world, { person }) {
    return letterOfRefusal(await refusalOf(person, '{ listReports { items { id } } }', {}));
  },

  async listTakeDowns(_world, { person }) {
    return letterOfRefusal(await refusalOf(person, '{ listTakeDowns { items { id } } }', {}));
  },

  async dismissReport({ app, links }, { person }) {
    const id = randomUUID();
    await runSql(
      app,
      `insert into report (id, link_id, reason, words, created_at)
       values ('${id}', '${links.paid.id}', 'other', 'Look.', 0)`,
    );
    const query = 'mutation ($id: ID!) { dismissReport(id: $id, words: "Nothing.") }';
    return letterOfRefusal(await refusalOf(person, query, { id }));
  },

  findLinks: ofOperator('{ findLinks { items { id key url } } }'),
  findPurchases: ofOperator('{ findPurchases(search: "unknown") { story { at } } }'),
  listUndeliveredPurchases: ofOperator('{ listUndeliveredPurchases { items { id } } }'),
  resendReceiptOfPurchase: ofOperator(
    'mutation ($id: ID!) { resendReceiptOfPurchase(id: $id) }',
    async ({ purchaseId }) => purchaseId,
  ),
  examineSetup: ofOperator('{ examineSetup { name state } }'),
  sendMailCode: ofOperator('mutation { sendMailCode }'),
  confirmMailCode: ofOperator('mutation { confirmMailCode(code: "000000") }'),
  getOverview: ofOperator('{ getOverview { version } }'),
  listFailedJobs: ofOperator('{ listFailedJobs { id } }'),
  listWaitingPayouts: ofOperator('{ listWaitingPayouts { id } }'),
  retryJob: ofOperator('mutation ($id: ID!) { retryJob(id: $id) }', ({ app }) => giveUpJob(app)),
  dropJob: ofOperator('mutation ($id: ID!) { dropJob(id: $id) }', ({ app }) => giveUpJob(app)),
  approvePayout: ofOperator('mutation ($id: ID!) { approvePayout(id: $id) }', ({ app, ownerId }) =>
    waitForApproval(app, ownerId),
  ),
  // Without a reason.
  removeOperator: ofOperator('mutation { removeOperator(id: "unknown", reason: "") }'),
  refusePayout: ofOperator('mutation { refusePayout(id: "unknown", reason: "") }'),

  async setSellerName(_world, { person }) {
    const query = 'mutation { setSellerName(name: "Named") }';
    return letterOfRefusal(await refusalOf(person, query, {}));
  },

  async setNotifications(_world, { person }) {
    const query = 'mutation { setNotifications(sales: "each") }';
    return letterOfRefusal(await refusalOf(person, query, {}));
  },

  async notifyBrowser(_world, { person }) {
    const query = `mutation ($endpoint: String!, $p256dh: String!, $auth: String!) {
      notifyBrowser(endpoint: $endpoint, p256dh: $p256dh, auth: $auth)
    }`;
    const { subscription } = createSubscription('https://push.example.com/own');
    return letterOfRefusal(await refusalOf(person, query, subscription));
  },

  async stopNotifyingBrowser(_world, { person }) {
    return letterOfRefusal(await refusalOf(person, 'mutation { stopNotifyingBrowser }', {}));
  },

  async setSellerPage(_world, { person }) {
    // It takes the page away that nobody of them has.
    return letterOfRefusal(await refusalOf(person, 'mutation { setSellerPage(links: []) }', {}));
  },

  async getSeller(_world, { person }) {
    return letterOfRefusal(await refusalOf(person, '{ getSeller(handle: "nobody") { name } }', {}));
  },

  async pinLink({ links }, { person }) {
    const query = 'mutation ($id: ID!) { pinLink(id: $id, pinned: false) }';
    return letterOfRefusal(await refusalOf(person, query, { id: links.unpaid.id }));
  },

  /** Of the guest's purchase. */
  async 'GET /dashboard/sales/:id/receipt'({ callers }, { person }) {
    const query = '{ listPurchases { items { id } } }';
    type Answer = { listPurchases: { items: { id: string }[] } };
    const { data } = await askGraphql<Answer>(callers['guest who bought'].person, query);
    const [purchase] = data?.listPurchases.items ?? [];
    const answer = await person.fetch(`/dashboard/sales/${purchase?.id}/receipt`);
    return answer.status === 302 ? 'x' : letterOfStatus(answer.status);
  },

  async 'GET /api/user-attributes'({ emails }, { person }) {
    const answer = await person.fetch('/api/user-attributes');
    return answer.ok && (await answer.text()).includes(emails.owner) ? 'd' : okOr(answer);
  },

  async 'POST /uploads'(_world, { person }) {
    return letterOfStatus((await announceUpload(person, { name: 'new.txt', size: 9 })).status);
  },

  async 'HEAD, PATCH and DELETE /uploads/:blob'({ owner }, { person }) {
    const announced = await announceUpload(owner, { name: 'begun.txt', size: 9 });
    const location = announced.headers.get('location') ?? '';
    const headers = { 'tus-resumable': '1.0.0' };
    const head = await person.fetch(location, { method: 'HEAD', headers });
    const patch = await sendBytes(person, location, Buffer.from('half'));
    const end = await person.fetch(location, { method: 'DELETE', headers });
    return [head, patch, end].map(({ status }) => letterOfStatus(status)).join('');
  },

  async 'DELETE /storage'({ owner }, { person }) {
    const { key } = await uploadFile(owner, { name: 'unsold.txt', bytes: Buffer.from('unsold') });
    const answer = await person.fetch(`/storage?key=${encodeURIComponent(key)}`, {
      method: 'DELETE',
    });
    return letterOfStatus(answer.status);
  },

  onCreatePaywallLink: subscription('onCreatePaywallLink { id key url }'),
  onUpdatePaywallLink: subscription('onUpdatePaywallLink { id key url }'),
  onDeletePaywallLink: subscription('onDeletePaywallLink { id key url }'),
  onCreateSale: subscription('onCreateSale(user: $owner) { id }'),
  onUpdateUserBalance: subscription('onUpdateUserBalance(id: $owner) { balance }'),
};

/** d for an answer about the caller alone. */
const okOr = ({ ok, status }: Response) => (ok ? 'own' : letterOfStatus(status));

/** Whether it is begun; what it may tell is the same as what getPaywallLink may. */
function subscription(field: string): Operation {
  return async ({ owner, ownerId }, { person, keys }) => {
    const socket = openSocket(owner, { origin: owner.origin, cookies: person.cookies });
    await once(socket.raw, 'open');
    socket.send({ type: 'connection_init', payload: keys });
    const acknowledged = socket.find(({ type }) => type === 'connection_ack').then(() => true);
    acknowledged.catch(() => {});
    if (!(await Promise.race([acknowledged, socket.closed.then(() => false)]))) return 'x';
    const withOwner = field.includes('$owner') ? 'subscription ($owner: ID!)' : 'subscription';
    const payload = { query: `${withOwner} { ${field} }`, variables: { owner: ownerId } };
    socket.send({ type: 'subscribe', id: 'matrix', payload });
    const { type } = await socket.find(
      ({ id, type: kind, payload: body }) =>
        id === 'matrix' || (kind === 'ping' && body?.id === 'matrix'),
    );
    socket.raw.terminate();
    return type === 'ping' ? 'd' : 'x';
  };
}
