import type Stripe from 'stripe';
import { isolate } from '../../contract/isolate.ts';
import { formatPrice, TAX_PERCENT } from '../money.ts';
import type { SessionLine } from '../store/kinds.ts';
import { TEST_CARDS, type TestCard } from '../test-cards.ts';
import { type CardFormState, cardForm } from './card-form.ts';
import { documentPage, type Html, html, LOCK, type Page } from './document.ts';

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
${cardForm(checkoutPath(session.id), formatPrice(session.amount_total ?? 0), form)}
${testCardList()}
</main>`;
  return documentPage(content, {
    title: isFaulty
      ? 'Payment not made – try again'
      : `Pay for ${isolate(lines[0]?.item.description ?? '')}`,
    status,
    formTargets: session.success_url ? [session.success_url] : [],
  });
}

/** The path of a session's page, the same under every origin that the pages are mounted at. */
export function checkoutPath(sessionId: string): string {
  return `/sandbox/checkout/${sessionId}`;
}

/** What a bank's 3-D Secure page would be: the buyer shows who they are, or fails to. */
export function confirmPage(session: Stripe.Checkout.Session): Page {
  const content = html`<main class="narrow">
<form class="card" method="post" action="${checkoutPath(session.id)}/confirm">
<h1>Confirm your payment</h1>
<p>Here your bank would ask you to confirm that you are paying <strong>${formatPrice(session.amount_total ?? 0)}</strong>. In the sandbox you choose how that ends.</p>
<button class="primary" type="submit" name="outcome" value="complete">Complete authentication</button>
<button class="secondary" type="submit" name="outcome" value="fail">Fail authentication</button>
</form>
</main>`;
  return documentPage(content, {
    title: 'Confirm your payment',
    formTargets: session.success_url ? [session.success_url] : [],
  });
}

/** What is bought and for how much, with the way back out of the checkout. */
function orderSummary(session: Stripe.Checkout.Session, lines: SessionLine[]): Html {
  return html`<section class="summary">
${session.cancel_url && html`<a class="back" href="${session.cancel_url}">← Back</a>`}
<p class="brand">${LOCK} Padlink checkout</p>
<h1>You are paying</h1>
<p class="amount" id="amount">${formatPrice(session.amount_total ?? 0)}</p>
<ul class="lines">${lines.map(orderLine)}</ul>
${session.automatic_tax.enabled && taxLines(session)}
</section>`;
}

function taxLines(session: Stripe.Checkout.Session): Html {
  const row = (name: string, cents: number | null | undefined) =>
    html`<li><p class="product">${name}</p><p class="price">${formatPrice(cents ?? 0)}</p></li>`;
  return html`<ul class="lines">
${row('Subtotal', session.amount_subtotal)}
${row(`Tax (${TAX_PERCENT}%)`, session.total_details?.amount_tax)}
${row('Total', session.amount_total)}
</ul>
<p class="details">In the sandbox the tax is ${TAX_PERCENT}% for everyone. Stripe computes it from where the buyer is.</p>`;
}

function orderLine({ item, productDescription }: SessionLine): Html {
  const quantity = item.quantity ?? 1;
  const each = formatPrice(item.price.unit_amount ?? 0);
  return html`<li>
<div><p class="product"><bdi>${item.description}</bdi></p>
${productDescription && html`<p class="details">${productDescription}</p>`}
${quantity > 1 && html`<p class="details">${quantity} × ${each}</p>`}</div>
<p class="price">${formatPrice(item.amount_subtotal)}</p>
</li>`;
}

const FIRST = 4;

/** The cards that work here and what each of them does; a script makes them fill the form. */
function testCardList(): Html {
  const listed = TEST_CARDS.filter((card) => card.hint !== undefined);
  return html`<section class="test-cards">
<h2>Test cards</h2>
<p>Use any future expiry and any three-digit CVC.</p>
<ul>${listed.slice(0, FIRST).map(testCard)}</ul>
<details><summary>More test cards</summary>
<ul>${listed.slice(FIRST).map(testCard)}</ul>
</details>
</section>`;
}

function testCard({ number, hint }: TestCard): Html {
  const grouped = groupDigits(number);
  return html`<li data-card="${grouped}"><span class="number">${grouped}</span> <span class="hint">${hint}</span></li>`;
}

/** Digits as they are embossed: in fours, on American Express cards in four, six and five. */
function groupDigits(number: string): string {
  const groups = number.length === 15 ? /^(.{4})(.{6})(.*)$/ : /^(.{4})(.{4})(.{4})(.*)$/;
  return number.replace(groups, (_whole, ...parts: string[]) => parts.slice(0, -2).join(' '));
}
