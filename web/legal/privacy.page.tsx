import { describeFee } from '../lib/format.ts';
import { definePage, type PageProps } from '../page.ts';
import { OperatorContact, operatorOf, ProsePage } from './prose-page.tsx';

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
  const { config } = ctx;
  return (
    <ProsePage title="Privacy">
      <p>
        This site is run by {operatorOf(config)}, called “we” below, who answers for the data
        described here. We store what is needed to sell, pay for and deliver content, and nothing
        for advertising. There are no trackers and no third-party scripts on this site.
      </p>

      <h2>In short</h2>
      <ul>
        <li>The minimum age is 13. We do not knowingly store data about younger children.</li>
        <li>
          Stripe, our card payment provider, handles the payments; your card number never reaches
          us.
        </li>
        <li>
          Creators set their own prices, typically 1 to 5 dollars; we keep a small platform fee per
          transaction ({describeFee(config.fee)}), and all sales are final. The records of a sale
          are therefore kept even when an account is deleted.
        </li>
        <li>Only cookies that are strictly necessary. We sell data to nobody.</li>
      </ul>

      <h2>If you create an account</h2>
      <p>
        We store your first name, your email address, a one-way hash of your password, when and from
        which browser and network address you signed in, the links and files you create, and the
        record of your sales and balance. Your name and email address are not shown to buyers. What
        you choose to show is public: the seller name, if you set one, and the title, description
        and cover of each link. An unlisted link is shown only to people who have its address.
        Uploaded files can be read by you and by people who have bought them. If you sign in by
        another service, we receive your name, your email address and your identifier there. We need
        this to run your account: it is our contract with you.
      </p>

      <h2>If you buy something</h2>
      <p>
        You need no account. The card payment provider receives your card details and tells us your
        email address, the amount and whether the payment succeeded. With that we send your receipt
        and give you access: our contract with you. We record when and how much of your purchase was
        delivered, because creators and we have a legitimate interest in settling disputes fairly.
        Creators see that a sale was made, not who you are.
      </p>

      <h2>If you only look around</h2>
      <p>
        The server handles your network address to answer you and to slow down attacks. It keeps
        short technical records of faults, such as time and address of a failed request. That is our
        legitimate interest in a site that is safe and works.
      </p>
      <p>
        Views of paywall pages are counted without cookies. So that a visitor is counted once, your
        network address and browser are turned into a hash with a random value that changes every
        day; it stays in memory for a day at most and is never stored. Creators see how many views
        there were, not whose.
      </p>

      <h2>Cookies</h2>
      <ul>
        <li>
          <code>padlink.session_token</code> keeps you signed in, for up to 30 days or until you
          sign out.
        </li>
        <li>
          <code>padlink_claim</code> lets the browser you paid with open what you bought. It is set
          when you begin a payment.
        </li>
        <li>
          <code>padlink_device</code> tells your browser from a stranger’s when somebody tries out
          passwords of your account. It is set when you sign in and lasts 180 days.
        </li>
      </ul>
      <p>
        While you sign up or sign in, a cookie that lasts a day at most may hold the step you are
        at. While content is being opened, one that lasts half a minute at most tells the page when
        it has begun to arrive. All of them are strictly necessary, so we do not ask for consent; we
        set no others. Your browser also remembers the colors you chose and, once you have signed in
        here, which account is signed in, so that its other tabs notice when that changes.
      </p>

      <h2>Who else receives data</h2>
      <ul>
        <li>
          Stripe, our card payment provider, under its own{' '}
          <a className="text-link text-ink" href="https://stripe.com/privacy">
            privacy policy
          </a>
          .
        </li>
        <li>The hosting and email services this site runs on, which act on our instructions.</li>
        <li>Authorities, where the law requires it.</li>
      </ul>
      <p>Where data leaves your country, it does so under the safeguards that your law asks for.</p>

      <h2>How long we keep it</h2>
      <ul>
        <li>Account data: while you have the account. Deleting it erases your name and address.</li>
        <li>
          Records of payments: as long as tax and accounting law requires, also after an account is
          gone.
        </li>
        <li>A file: as long as its link, or the access of somebody who bought it, needs it.</li>
        <li>Sign-in codes: ten minutes. Unfinished uploads: until they are swept away.</li>
      </ul>

      <h2>How we protect it</h2>
      <p>
        Passwords, codes and purchase cookies are stored as hashes. Files lie outside of what the
        web server serves, and every download is checked. Access by staff is limited to what running
        the site needs.
      </p>

      <h2>Your rights</h2>
      <p>
        You may ask for a copy of your data, have it corrected or deleted where no law requires us
        to keep it, restrict or object to its use, and take it with you. You change your name and
        address, and delete your account, on the account page. You may also complain to the data
        protection authority where you live.
      </p>

      <h2>Children</h2>
      <p>
        The site is not for children under 13. Tell us if you believe that we hold data about one,
        and we will delete it.
      </p>

      <h2>Changes</h2>
      <p>
        When this page changes in a way that matters to you, creators are told by email. The version
        shown here is the one in force.
      </p>

      <OperatorContact config={config} />
    </ProsePage>
  );
}
