import { TEST_CARDS, type TestCard } from '../test-cards.ts';
import { type Html, html } from './html.ts';

const FIRST = 4;

/** The cards that work here and what each of them does; a script makes them fill the form. */
export function testCardList(): Html {
  const listed = TEST_CARDS.filter((card) => card.hint !== undefined);
  return html`<section class="test-cards">
<h2>Test cards</h2>
<p>Any future expiry and any three-digit CVC will do.</p>
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
