import type { FastifyInstance } from 'fastify';
import type { Books } from '../books.ts';
import { finishOnboarding, TEST_BANK_ACCOUNTS } from '../operations/accounts.ts';
import type { Scope } from '../scope.ts';
import type { OnboardingLink } from '../store/kinds.ts';
import { type Answer, documentPage, html, messagePage, type Page, sendAnswer } from './document.ts';

type LinkRoute = { Params: { link: string } };

/** The page that an account link leads to. */
export function onboardingRoutes(app: FastifyInstance, books: Books): void {
  app.get<LinkRoute>('/sandbox/connect/:link', (request, reply) =>
    sendAnswer(
      reply,
      books.transact((scope) => visitLink(scope, request.params.link, onboardingPage)),
    ),
  );

  app.post<LinkRoute>('/sandbox/connect/:link', (request, reply) =>
    sendAnswer(
      reply,
      books.transact((scope) =>
        visitLink(scope, request.params.link, (link) => onboard(scope, link, request.body)),
      ),
    ),
  );
}

function visitLink(scope: Scope, id: string, whenValid: (link: OnboardingLink) => Answer): Answer {
  const link = scope.objects.find('onboarding_link', id);
  if (!link) {
    return messagePage({
      status: 404,
      title: 'This page does not exist',
      text: 'The address may be incomplete.',
    });
  }
  if (link.used || link.expiresAt <= scope.now) return { location: new URL(link.refreshUrl).href };
  return whenValid(link);
}

function onboard(scope: Scope, link: OnboardingLink, body: unknown): Answer {
  const chosen = (body as { bankAccount?: unknown } | undefined)?.bankAccount;
  const bank = TEST_BANK_ACCOUNTS.find(({ number }) => number === chosen);
  if (!bank) return { ...onboardingPage(link), status: 422 };
  finishOnboarding(scope, scope.objects.get('account', link.account), bank.number);
  scope.objects.update('onboarding_link', { ...link, used: true });
  return { location: new URL(link.returnUrl).href };
}

/** What the provider's Connect onboarding would be: the creator says where their money goes. */
function onboardingPage(link: OnboardingLink): Page {
  const content = html`<main class="narrow">
<form class="card" method="post" action="/sandbox/connect/${link.id}">
<h1>Get paid</h1>
<p>Here the card-payment provider would ask who you are and where your money should go. In the sandbox you choose a test bank account.</p>
<fieldset>
<legend>Bank account</legend>
${TEST_BANK_ACCOUNTS.map(
  ({ number, hint }, index) =>
    html`<label class="choice"><input type="radio" name="bankAccount" value="${number}"${index === 0 && html` checked`}><span><span class="number">${number}</span> <span class="hint">${hint}</span></span></label>`,
)}
</fieldset>
<button class="primary" type="submit">Finish</button>
<a class="secondary" href="${link.returnUrl}">Not now</a>
</form>
</main>`;
  return documentPage(content, { title: 'Get paid', formTargets: [link.returnUrl] });
}
