import { ProsePage } from '../components/prose-page.tsx';
import { SupportLine } from '../components/support-line.tsx';
import { describeFee } from '../data/describe-fee.ts';
import { definePage, type PageProps } from '../page.ts';

export const page = definePage({
  hydrate: 'never',
  head: (_, ctx) => ({
    title: 'Terms · Padlink',
    description: 'The terms of selling and buying through Padlink, in plain language.',
    canonical: `${ctx.config.origin}/terms`,
  }),
  Component: Terms,
});

function Terms({ ctx }: PageProps<unknown>) {
  return (
    <ProsePage title="Terms">
      <p>
        Padlink lets people sell access to a file or a web address through one link. By using it you
        agree to these terms.
      </p>

      <h2>Who may use Padlink</h2>
      <p>
        You must be at least 13 years old. If you are under the age of majority where you live, a
        parent or guardian has to agree to these terms for you.
      </p>

      <h2>Buying</h2>
      <ul>
        <li>
          The price is shown before you pay. Creators set it themselves; prices are typically 1 to 5
          dollars.
        </li>
        <li>
          Payments are handled by our card payment provider, Stripe, on its own checkout page. Your
          card number never reaches us.
        </li>
        <li>
          <strong>All sales are final.</strong> There is no right to a refund because you changed
          your mind. If what you received is not what was described, contact support: the creator or
          the operator of this site may refund a payment, and access ends with a full refund.
        </li>
        <li>
          What you buy is for you. Please do not pass on the file, the download address or the
          personal link in your receipt.
        </li>
      </ul>

      <h2>Selling</h2>
      <ul>
        <li>
          Sell only what is yours to sell. You keep every right to your content; you allow us to
          store it and to deliver it to the people who pay for it.
        </li>
        <li>Describe it honestly, and keep it available to the people who bought it.</li>
        <li>
          No unlawful content, no malware, nothing that exploits or harms people, nothing that
          infringes the rights of others. We may pause or take down a link that does.
        </li>
        <li>You are responsible for the taxes on what you earn.</li>
      </ul>

      <h2>Fees</h2>
      <p>
        We keep a small platform fee per transaction: {describeFee(ctx.config.fee)}, never more than
        the price. You see exactly what you receive while you set the price. The fee in force when a
        checkout starts is the one that counts for that sale.
      </p>

      <h2>Your account</h2>
      <p>
        Keep your password to yourself and your e-mail address up to date. You answer for what is
        done with your account. We may suspend an account that breaks these terms.
      </p>

      <h2>Availability and liability</h2>
      <p>
        The service is provided as it is. We work to keep it running and your files safe, but we
        cannot promise that it will never be interrupted, and we are not liable for indirect losses
        as far as the law allows. Keep a copy of what you upload.
      </p>

      <h2>Changes</h2>
      <p>
        We may change these terms; the version on this page is the one in force. A purchase is
        governed by the terms at the time it was made.
      </p>
      <SupportLine email={ctx.config.supportEmail} />
    </ProsePage>
  );
}
