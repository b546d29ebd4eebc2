import type { FastifyInstance } from 'fastify';
import type Stripe from 'stripe';
import type { Books } from '../books.ts';
import { formatPrice } from '../money.ts';
import { finishOnboarding, TEST_BANK_ACCOUNTS } from '../operations/accounts.ts';
import { canBePaid } from '../operations/show-account.ts';
import type { Scope } from '../scope.ts';
import type { AccountLink, ConnectedAccount } from '../store/kinds.ts';
import {
  type Answer,
  documentPage,
  type Html,
  html,
  LOCK,
  messagePage,
  type Page,
  sendAnswer,
} from './document.ts';

type LinkRoute = { Params: { link: string } };
type Onboarding = NonNullable<AccountLink['onboarding']>;

/** The pages for the owner of a connected account: its onboarding, and its own dashboard. */
export function accountRoutes(app: FastifyInstance, books: Books): void {
  const serve = (path: string, visit: (scope: Scope, link: AccountLink, body: unknown) => Answer) =>
    app.route<LinkRoute>({
      method: ['GET', 'POST'],
      url: path,
      handler: (request, reply) =>
        sendAnswer(
          reply,
          books.transact((scope) => {
            const link = scope.objects.find('account_link', request.params.link);
            const isForm = request.method === 'POST';
            return link ? visit(scope, link, isForm ? (request.body ?? {}) : undefined) : NOWHERE;
          }),
        ),
    });
  serve('/sandbox/connect/:link', visitOnboarding);
  serve('/sandbox/express/:link', visitDashboard);
}

const NOWHERE = messagePage({
  status: 404,
  title: 'This page does not exist',
  text: 'The address may be incomplete.',
});

/** @param body what was sent with the form; undefined for a visit */
function visitOnboarding(scope: Scope, link: AccountLink, body: unknown): Answer {
  const { onboarding } = link;
  if (!onboarding) return NOWHERE;
  const isOver = link.used || link.expiresAt <= scope.now;
  if (isOver) return { location: new URL(onboarding.refreshUrl).href };
  const account = scope.objects.get('account', link.account);
  if (body === undefined) return onboardingPage(link.id, account, onboarding);
  const number = chosenBankAccount(body);
  if (!number) return { ...onboardingPage(link.id, account, onboarding), status: 422 };
  finishOnboarding(scope, account, number);
  scope.objects.update('account_link', { ...link, used: true });
  return { location: new URL(onboarding.returnUrl).href };
}

/** @param body what was sent with the form; undefined for a visit */
function visitDashboard(scope: Scope, link: AccountLink, body: unknown): Answer {
  if (link.onboarding) return NOWHERE;
  if (link.expiresAt <= scope.now) {
    return messagePage({
      status: 410,
      title: 'This link has expired',
      text: 'Open your payout account again from the page that led you here.',
    });
  }
  const account = scope.objects.get('account', link.account);
  if (body === undefined) return dashboardPage(scope, link.id, account);
  const number = chosenBankAccount(body);
  if (!number) return { ...dashboardPage(scope, link.id, account), status: 422 };
  finishOnboarding(scope, account, number);
  return { location: dashboardPath(link.id) };
}

function dashboardPath(link: string): string {
  return `/sandbox/express/${link}`;
}

function chosenBankAccount(body: unknown): string | undefined {
  const { bankAccount } = body as { bankAccount?: unknown };
  return TEST_BANK_ACCOUNTS.find(({ number }) => number === bankAccount)?.number;
}

/** What the provider's Connect onboarding would be: the creator says where their money goes. */
function onboardingPage(link: string, account: ConnectedAccount, urls: Onboarding): Page {
  const who = account.displayName ?? account.email;
  const content = html`<main class="narrow">
<form class="card" method="post" action="/sandbox/connect/${link}">
<div>
<p class="brand">${LOCK} Padlink payouts</p>
<h1>Get paid</h1>
${who && html`<p class="details">${who}</p>`}
</div>
<p>Here the payment provider would ask who you are and where your money should go. In the sandbox you choose a test bank account.</p>
${bankAccountChoice(account)}
<button class="primary" type="submit">Finish</button>
<a class="secondary" href="${urls.returnUrl}">Not now</a>
</form>
</main>`;
  return documentPage(content, { title: 'Get paid', formTargets: [urls.returnUrl] });
}

function bankAccountChoice({ bankAccount }: ConnectedAccount): Html {
  const current = TEST_BANK_ACCOUNTS.find(({ number }) =>
    number.endsWith(bankAccount?.last4 ?? ''),
  );
  return html`<fieldset>
<legend>Bank account</legend>
${TEST_BANK_ACCOUNTS.map(
  ({ number, hint }) =>
    html`<label class="choice"><input type="radio" name="bankAccount" value="${number}"${number === current?.number && html` checked`}><span><span class="number">${number}</span> <span class="hint">${hint}</span></span></label>`,
)}
</fieldset>`;
}

const LATEST = 10;

/** What the account's own dashboard at the provider would be. */
function dashboardPage(scope: Scope, link: string, account: ConnectedAccount): Page {
  const { objects } = scope.forAccount(account.id);
  const payouts = objects.list('payout', { limit: LATEST }).data;
  const content = html`<main class="narrow stack">
<section class="card">
<div>
<p class="brand">${LOCK} Padlink payouts</p>
<h1>Your payout account</h1>
${account.email && html`<p class="details">${account.email}</p>`}
</div>
<div>
<p class="details">Balance</p>
<p class="amount">${formatPrice(objects.balance())}</p>
</div>
${!canBePaid(account) && html`<p class="alert">The provider needs more details from you before it pays you again. In the sandbox, save your bank account below.</p>`}
<div>
<h2>Payouts</h2>
${payouts.length > 0 ? html`<ul class="lines">${payouts.map(payoutLine)}</ul>` : html`<p class="details">None yet.</p>`}
</div>
</section>
<form class="card" method="post" action="${dashboardPath(link)}">
${bankAccountChoice(account)}
<button class="secondary" type="submit">Save</button>
<a class="secondary" href="/dashboard/money">Back to Padlink</a>
</form>
</main>`;
  return documentPage(content, { title: 'Your payout account' });
}

const STATES: Record<string, string> = { pending: 'On its way', paid: 'Paid', failed: 'Failed' };
const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' });

function payoutLine({ amount, created, status, failure_message }: Stripe.Payout): Html {
  return html`<li>
<div><p class="product">${STATES[status] ?? status}</p>
<p class="details">${day.format(created * 1000)}</p>
${failure_message && html`<p class="details">${failure_message}</p>`}</div>
<p class="price">${formatPrice(amount)}</p>
</li>`;
}
