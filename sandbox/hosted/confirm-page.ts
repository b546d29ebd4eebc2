import type Stripe from 'stripe';
import { formatCents } from '../money.ts';
import { checkoutPath } from './checkout-page.ts';
import { documentPage, type Page } from './document.ts';
import { html } from './html.ts';

/** What a bank's 3-D Secure page would be: the buyer shows who they are, or fails to. */
export function confirmPage(session: Stripe.Checkout.Session): Page {
  const content = html`<main class="narrow">
<form class="card" method="post" action="${checkoutPath(session.id)}/confirm">
<h1>Confirm your payment</h1>
<p>Here your bank would ask you to confirm that you are paying <strong>${formatCents(session.amount_total ?? 0)}</strong>. In the sandbox you choose how that ends.</p>
<button class="primary" type="submit" name="outcome" value="complete">Complete authentication</button>
<button class="secondary" type="submit" name="outcome" value="fail">Fail authentication</button>
</form>
</main>`;
  return documentPage(content, {
    title: 'Confirm your payment',
    formTargets: session.success_url ? [session.success_url] : [],
  });
}
