import type Stripe from 'stripe';
import { formatCents } from '../money.ts';
import type { SessionLine } from '../store/kinds.ts';
import { type Html, html } from './html.ts';
import { LOCK } from './icons.ts';

/** What is bought and for how much, with the way back out of the checkout. */
export function orderSummary(session: Stripe.Checkout.Session, lines: SessionLine[]): Html {
  return html`<section class="summary">
${session.cancel_url && html`<a class="back" href="${session.cancel_url}">← Back</a>`}
<p class="brand">${LOCK} Padlink checkout</p>
<h1>You are paying</h1>
<p class="amount">${formatCents(session.amount_total ?? 0)}</p>
<ul class="lines">${lines.map(orderLine)}</ul>
</section>`;
}

function orderLine({ item, productDescription }: SessionLine): Html {
  const quantity = item.quantity ?? 1;
  const each = formatCents(item.price.unit_amount ?? 0);
  return html`<li>
<div><p class="product">${item.description}</p>
${productDescription && html`<p class="details">${productDescription}</p>`}
${quantity > 1 && html`<p class="details">${quantity} × ${each}</p>`}</div>
<p class="price">${formatCents(item.amount_total)}</p>
</li>`;
}
