import { ProsePage } from '../components/prose-page.tsx';
import { SupportLine } from '../components/support-line.tsx';
import { definePage, type PageProps } from '../page.ts';

export const page = definePage({
  hydrate: 'never',
  head: (_, ctx) => ({
    title: 'Privacy · Padlink',
    description: 'What Padlink stores about you, why, and for how long.',
    canonical: `${ctx.config.origin}/privacy`,
  }),
  Component: Privacy,
});

function Privacy({ ctx }: PageProps<unknown>) {
  return (
    <ProsePage title="Privacy">
      <p>
        We store what is needed to sell, pay for and deliver a file, and nothing for advertising.
        There are no trackers and no third-party scripts on this site.
      </p>

      <h2>If you create an account</h2>
      <p>
        We store your first name, your e-mail address and a one-way hash of your password, the links
        and files you create, and the record of your sales. Your first name and e-mail address are
        not shown to buyers. Uploaded files are readable only by you and by people with a right to
        them.
      </p>

      <h2>If you buy something</h2>
      <p>
        You need no account. Our card payment provider, Stripe, handles the payment and receives
        your card details; we never see the card number. From the provider we receive your e-mail
        address, the amount and whether the payment succeeded, so that we can send you a receipt and
        give you access. We record when your purchase was delivered, to settle disputes fairly.
      </p>

      <h2>Cookies</h2>
      <ul>
        <li>A session cookie keeps you signed in.</li>
        <li>A purchase cookie lets the browser you paid with open what you bought.</li>
      </ul>
      <p>Both are strictly necessary. We set no others.</p>

      <h2>Server records</h2>
      <p>
        The server keeps short technical records of requests, such as time, address and result, to
        keep the service safe and to find faults.
      </p>

      <h2>How long</h2>
      <p>
        Account data is kept while you have the account. Records of payments are kept as long as tax
        law requires. A file is kept as long as its link, or the access of somebody who bought it,
        needs it.
      </p>

      <h2>Who else receives data</h2>
      <p>
        The card payment provider, the hosting and e-mail services this site runs on, and
        authorities where the law requires it. We sell data to nobody.
      </p>

      <h2>Children</h2>
      <p>
        Padlink is not for children under 13, and we do not knowingly store data about them. Tell us
        if you believe we do, and we will delete it.
      </p>

      <h2>Your rights</h2>
      <p>
        You may ask for a copy of your data, have it corrected, or have it deleted where no law
        requires us to keep it.
      </p>
      <SupportLine email={ctx.config.supportEmail} />
    </ProsePage>
  );
}
