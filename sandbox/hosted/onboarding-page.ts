import { TEST_BANK_ACCOUNTS } from '../operations/finish-onboarding.ts';
import type { OnboardingLink } from '../store/kinds.ts';
import { documentPage, type Page } from './document.ts';
import { html } from './html.ts';

/** What the provider's Connect onboarding would be: the creator says where their money goes. */
export function onboardingPage(link: OnboardingLink): Page {
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
