import { LANGUAGE_COOKIE } from '../../contract/languages.ts';
import type { RuntimeConfig } from '../../contract/runtime-config.ts';
import { TABLE_FORM_COOKIE } from '../../contract/tables.ts';
import { type Sentence, say } from '../languages/say.ts';
import { sayWith } from '../languages/say-with.ts';
import { describeFee } from '../lib/payout-terms.ts';
import { definePage, type PageProps } from '../page.ts';
import { OperatorContact, operatorOf, Paragraph, Point, ProsePage } from './prose-page.tsx';

export const page = definePage({
  reads: [],
  hydrate: 'never',
  head: (_, ctx) => ({
    title: say('Privacy'),
    description: say('What {site} stores about you, why, and for how long.', {
      site: ctx.config.siteName,
    }),
    canonical: `${ctx.config.origin}/privacy`,
  }),
  Component: Privacy,
});

function Privacy({ ctx }: PageProps<unknown>) {
  const { config } = ctx;
  const isShop = config.payouts.kind === 'solo';
  return (
    <ProsePage title={say('Privacy')}>
      <p>
        {say(
          'This site is run by {operator}, called “we” below, who is responsible for the data described here. We store what is needed to sell, pay for and deliver content, and nothing for advertising. There are no trackers and no third-party scripts on this site.',
          { operator: operatorOf(config) },
        )}
      </p>

      <InShort config={config} isShop={isShop} />

      <h2>{say('If you create an account')}</h2>
      <p>
        {say(
          isShop
            ? 'We store your first name, your email address, a one-way hash of your password, when and from which browser and network address you signed in, the links and files you create, and the record of your sales.'
            : 'We store your first name, your email address, a one-way hash of your password, when and from which browser and network address you signed in, the links and files you create, and the record of your sales and balance.',
        )}{' '}
        {say(
          'Your name and email address are not shown to buyers. What you choose to show is public: the seller name and the page of your own, if you set them up, and the title, description and cover of each link. An unlisted link is shown only to people who have its address. Uploaded files can be read by you and by people who have bought them. If you sign in through another service, we receive your name, your email address and your identifier there. We need this to run your account; the legal basis is our contract with you.',
        )}
      </p>

      <Visitors />
      <Cookies />

      <h2>{say('Who else receives data')}</h2>
      <ul>
        <li>
          {sayWith('Stripe, our card payment provider, under its own {policy}.', {
            policy: (
              <a className="text-link text-ink" href="https://stripe.com/privacy">
                {say('privacy policy')}
              </a>
            ),
          })}
        </li>
        <Point text="The hosting and email services this site runs on, which act on our instructions." />
        <Point text="The push service of your browser’s maker, if you have that browser notify you of your sales. What we send is encrypted for your browser." />
        <Point text="Authorities, where the law requires it." />
      </ul>
      <Paragraph text="If data leaves your country, the safeguards required by the law where you live apply." />

      <HowLong />

      <h2>{say('How we protect it')}</h2>
      <Paragraph text="Passwords, codes and purchase cookies are stored as hashes. Files are stored outside what the web server serves, and every download is checked. Staff access is limited to what running the site requires." />

      <h2>{say('Your rights')}</h2>
      <Paragraph text="You may ask for a copy of your data, have it corrected or deleted where no law requires us to keep it, restrict or object to its use, and take it with you. You can change your name and email address, and delete your account, on the account page. You may also complain to the data protection authority where you live." />

      <h2>{say('Children')}</h2>
      <Paragraph text="The site is not for children under 13. If you believe that we hold data about a child under 13, tell us and we will delete it." />

      <h2>{say('Changes')}</h2>
      <Paragraph text="When this page changes in a way that matters, we tell sellers by email. The version shown here is the one in force." />

      <OperatorContact config={config} />
    </ProsePage>
  );
}

function InShort({ config, isShop }: { config: RuntimeConfig; isShop: boolean }) {
  return (
    <>
      <h2>{say('In short')}</h2>
      <ul>
        <Point text="The minimum age is 13. We do not knowingly store data about younger children." />
        <Point text="Stripe, our card payment provider, handles the payments; your card number never reaches us." />
        <li>
          {isShop
            ? say('Prices are typically 1 to 5 dollars, and all sales are final.')
            : say(
                'Sellers set their own prices, typically 1 to 5 dollars; we keep a small platform fee per transaction ({fee}), and all sales are final.',
                { fee: describeFee(config.fee) },
              )}{' '}
          {say('The records of a sale are therefore kept even when an account is deleted.')}
        </li>
        <Point text="We use only strictly necessary cookies, and we do not sell data to anyone." />
      </ul>
    </>
  );
}

/** Of whoever needs no account. */
function Visitors() {
  return (
    <>
      <h2>{say('If you buy something')}</h2>
      <Paragraph text="You need no account. The card payment provider receives your card details and tells us your email address, the amount and whether the payment succeeded. We use this to send your receipt and give you access; the legal basis is our contract with you. We record when, and how much of, your purchase was delivered, and from which browser and network address you bought and downloaded it, because we and the sellers have a legitimate interest in settling disputes fairly: if you dispute the payment at your bank, the bank is sent these records by our payment provider. Sellers see that a sale was made, not who you are; they can have your receipt sent to you again without seeing your address, and refund you." />
      <Paragraph text="If your purchase comes with a license key, the program that uses it may send us a name for each of your devices. The seller sees these names." />
      <Paragraph text="If you buy something for someone else, we email them once, with your message. Their address and your message are kept with your purchase, here and at the payment provider; nobody else sees them, except the bank if you dispute the payment." />
      <p>
        {sayWith(
          'Each browser that opens your purchase holds a random value for it, of which we store a hash and when it was last used. “Forget this browser” on the page of {purchases} removes both; your purchases and their records stay. If you look for purchases by email, the address you enter is kept until the email is sent, or until it turns out that there is nothing to send.',
          {
            purchases: (
              <a className="text-link text-ink" href="/purchases">
                {say('your purchases')}
              </a>
            ),
          },
        )}
      </p>

      <h2>{say('If you only look around')}</h2>
      <Paragraph text="The server uses your network address to respond to you and to slow down attacks. It keeps short technical records of errors, such as the time and address of a failed request. The legal basis is our legitimate interest in a site that is safe and works." />
      <Paragraph text="Views of paywall pages are counted without cookies. To count each visitor once, your network address and browser are hashed together with a random value that changes every day; the hash stays in memory for a day at most and is never stored. Sellers see how many views there were and which sites they came from, not who viewed." />
      <Paragraph text="If you report a link, we keep what you write, and your email address if you give it, for a year. The seller sees neither." />
    </>
  );
}

const COOKIES: Record<string, Sentence> = {
  'padlink.session_token': '{cookie} keeps you signed in, for up to 30 days or until you sign out.',
  padlink_claim:
    '{cookie} lets a browser open what you bought. It is set when you start a checkout, put something into your cart, or open a link that we sent you, and lasts 400 days or until you have the browser forgotten.',
  padlink_device:
    '{cookie} tells your browser apart from a stranger’s when someone tries to guess your password. It is set when you sign in and lasts 180 days.',
  [LANGUAGE_COOKIE]:
    '{cookie} keeps the language that you choose at the foot of a page, for a year.',
  [TABLE_FORM_COOKIE]:
    '{cookie} remembers for a year which kind of program you last exported a table for.',
};

function Cookies() {
  return (
    <>
      <h2>{say('Cookies')}</h2>
      <ul>
        {Object.entries(COOKIES).map(([name, sentence]) => (
          <li key={name}>{sayWith(sentence, { cookie: <code>{name}</code> })}</li>
        ))}
      </ul>
      <Paragraph text="While you sign up or sign in, a cookie that lasts a day at most may remember which step you are on and the address you typed. While content is being opened, one that lasts half a minute at most tells the page when it has started to arrive. All of them are strictly necessary, so we do not ask for consent; we set no others. Your browser also remembers the colors you chose, a random number by which two checkouts begun at once are known to be yours, how far you have played what you bought, and, once you have signed in here, which account is signed in, so that its other tabs notice when that changes, and whose sales it shows, if you turned that on." />
    </>
  );
}

function HowLong() {
  return (
    <>
      <h2>{say('How long we keep it')}</h2>
      <ul>
        <Point text="Account data: while you have the account. Deleting it erases your name and address." />
        <Point text="Records of payments: as long as tax and accounting law requires, also after an account is gone." />
        <Point text="From which browser and network address you bought and downloaded: 180 days, or until you delete your account." />
        <Point text="A file: as long as its link, or the access of someone who bought it, requires it." />
        <Point text="Where a browser is notified of your sales: until it is signed out or you turn it off." />
        <Point text="Codes: ten minutes. Unfinished uploads: about a day after they were last continued." />
      </ul>
    </>
  );
}
