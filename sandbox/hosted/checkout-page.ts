import type Stripe from 'stripe';
import type { SessionLine } from '../store/kinds.ts';
import { type CardFormState, cardForm } from './card-form.ts';
import { documentPage, type Page } from './document.ts';
import { html } from './html.ts';
import { orderSummary } from './order-summary.ts';
import { testCardList } from './test-card-list.ts';

/** The page on which an open checkout is paid. */
export function checkoutPage(
  session: Stripe.Checkout.Session,
  lines: SessionLine[],
  form: CardFormState,
  status = 200,
): Page {
  const isFaulty = form.refusal !== undefined || Object.keys(form.errors).length > 0;
  const content = html`<main class="checkout">
${orderSummary(session, lines)}
${cardForm(checkoutPath(session.id), form)}
${testCardList()}
</main>`;
  return documentPage(content, {
    title: isFaulty ? 'Payment not made – try again' : `Pay for ${lines[0]?.item.description}`,
    status,
    formTargets: session.success_url ? [session.success_url] : [],
  });
}

/** The path of a session's page, the same under every origin that the pages are mounted at. */
export function checkoutPath(sessionId: string): string {
  return `/sandbox/checkout/${sessionId}`;
}
