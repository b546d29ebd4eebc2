import type { RuntimeConfig } from '../../contract/runtime-config.ts';
import { say } from '../languages/say.ts';
import { describeFee, describeHold, describePayouts } from '../lib/payout-terms.ts';
import { definePage, type PageProps } from '../page.ts';
import { OperatorContact, operatorOf, Point, ProsePage } from './prose-page.tsx';

export const page = definePage({
  reads: [],
  hydrate: 'never',
  head: (_, ctx) => ({
    title: say('Terms'),
    description: say('The terms of selling and buying through {site}, in plain language.', {
      site: ctx.config.siteName,
    }),
    canonical: `${ctx.config.origin}/terms`,
  }),
  Component: Terms,
});

function Terms({ ctx }: PageProps<unknown>) {
  const { config } = ctx;
  const isShop = config.payouts.kind === 'solo';
  const operator = operatorOf(config);
  return (
    <ProsePage title={say('Terms')}>
      <p>
        {isShop
          ? say(
              'On this site we sell access to files and web addresses through links. “We” are {operator}, who runs the site; nobody else sells here. Anyone who pays for a link is a “buyer”. By using the site you agree to these terms.',
              { operator },
            )
          : say(
              'With {site}, anyone can sell access to a file or a web address through one link. This site is run by {operator}, called “we” below. Anyone who sells here is a “seller”; anyone who pays for a link is a “buyer”. By using the site you agree to these terms.',
              { operator, site: ctx.config.siteName },
            )}
      </p>

      <h2>{say('In short')}</h2>
      <ul>
        <Point text="The minimum age is 13." />
        <Point text="All sales are final." />
        {!isShop && <Point text="We keep a small platform fee per transaction." />}
        <li>
          {say(
            isShop
              ? 'Prices are typically 1 to 5 dollars.'
              : 'Sellers set their own prices, typically 1 to 5 dollars.',
          )}
        </li>
        <Point text="Stripe, our card payment provider, handles the payments." />
      </ul>

      <h2>{say('Who may use the site')}</h2>
      <p>
        {say(
          isShop
            ? 'You must be at least 13 years old. If you are under the age of majority where you live, a parent or guardian must agree to these terms for you.'
            : 'You must be at least 13 years old. If you are under the age of majority where you live, a parent or guardian must agree to these terms for you, and receives what you earn where the law says so.',
        )}
      </p>

      <Buying config={config} isShop={isShop} />
      {!isShop && <Selling config={config} />}

      <h2>{say('Your account')}</h2>
      <p>
        {say(
          isShop
            ? 'Give a working email address and keep it up to date. Keep your password and your keys to yourself: you are responsible for what is done with them. Tell us at once if someone else may have them. You can delete your account on the account page. We may suspend an account that breaks these terms.'
            : 'Give a working email address and keep it up to date. Keep your password and your keys to yourself: you are responsible for what is done with them. Tell us at once if someone else may have them. You can delete your account on the account page. We may suspend an account that breaks these terms; what it has rightfully earned is still owed.',
        )}
      </p>

      <h2>{say('Reporting content')}</h2>
      <p>
        {say(
          isShop
            ? 'If a link infringes your rights or breaks the law, tell us its address, what is wrong with it, and how to reach you. We look at every report and take down what must not stay up.'
            : 'If a link infringes your rights or breaks the law, tell us its address, what is wrong with it, and how to reach you. We look at every report, inform the seller where that is allowed, and take down what must not stay up.',
        )}
      </p>

      <h2>{say('Availability and liability')}</h2>
      <p>
        {say(
          isShop
            ? 'We work to keep the site running and what you bought safe, but cannot promise that it will never be interrupted. Keep a copy of what you buy. The site is provided as it is. As far as the law allows, we are not liable for indirect losses or lost profit, and for anything else up to the amount you paid here in the twelve months before. Nothing here limits liability for intent, gross negligence, or harm to a person.'
            : 'We work to keep the site running and your files safe, but cannot promise that it will never be interrupted. Keep a copy of what you upload. The site is provided as it is. As far as the law allows, we are not liable for indirect losses or lost profit, and for anything else up to the amount you paid or were paid here in the twelve months before. Nothing here limits liability for intent, gross negligence, or harm to a person.',
        )}
      </p>

      <h2>{say('Changes and law')}</h2>
      <p>
        {say(
          isShop
            ? 'We may change these terms; the version on this page is the one in force.'
            : 'We may change these terms; the version on this page is the one in force, and sellers are told of important changes by email.',
        )}{' '}
        {say(
          'A purchase is governed by the terms at the time it was made. If one of these terms is invalid, the others still apply. The law of the place where we are established applies; consumers keep the protection of the law where they live.',
        )}
      </p>

      <OperatorContact config={config} />
    </ProsePage>
  );
}

function Buying({ config, isShop }: { config: RuntimeConfig; isShop: boolean }) {
  return (
    <>
      <h2>{say('Buying')}</h2>
      <ul>
        <li>
          {say(
            isShop
              ? 'We set the price, and you see it before you pay.'
              : 'The seller sets the price, and you see it before you pay.',
          )}{' '}
          {say(
            config.tax
              ? 'Taxes that the law requires are added at checkout, where you see the total before you pay.'
              : 'It is the whole amount: we add nothing to it.',
          )}{' '}
          {say('Prices are typically 1 to 5 dollars.')}
        </li>
        <li>
          {say(
            isShop
              ? 'You buy from us, whatever name a link is sold under.'
              : 'You buy from the seller, whose name is on the link and on your receipt unless they sell without one. We pass the payment on and deliver the content.',
          )}{' '}
          {say(
            'The card payment provider handles the payment on its own checkout page; your card number never reaches us.',
          )}
        </li>
        <Point text="The content is delivered as soon as the payment succeeds. By paying, you ask for this and agree that any right to withdraw from the purchase that the law gives you ends with delivery." />
        <li>
          <strong>{say('All sales are final.')}</strong>{' '}
          {say(
            isShop
              ? 'You have no right to a refund because you changed your mind. Legal rights that cannot be waived are not affected: if what you received is not as described, or does not open, contact us. We may refund a payment; a full refund ends your access.'
              : 'You have no right to a refund because you changed your mind. Legal rights that cannot be waived are not affected: if what you received is not as described, or does not open, contact us. The seller or we may refund a payment; a full refund ends your access.',
          )}
        </li>
        <Point text="If you buy the same thing twice with one email address, you can give the second purchase back within 24 hours: its receipt has the link." />
        <Point text="If you dispute a payment with your bank, access is suspended until the dispute is decided, and ends if it is decided in your favor." />
        <Point text="What you buy is for your own use. Do not share the file, the download address or the personal link in your receipt." />
      </ul>
    </>
  );
}

/** What sellers agree to, where anyone may sell. */
function Selling({ config }: { config: RuntimeConfig }) {
  return (
    <>
      <h2>{say('Selling')}</h2>
      <ul>
        <Point text="Sell only what is yours to sell. You keep every right to your content. You allow us to store it and to deliver it to the people who pay for it, and for nothing else." />
        <Point text="Describe it honestly. You are responsible to your buyers for what you sell, and you owe the taxes on what you earn." />
        <Point text="You may pause or delete a link at any time. People who have bought it keep their access." />
        <Point text="Do not sell anything that is unlawful or infringes the rights of others, malware, or anything that exploits or endangers people. We may take such links down without notice." />
      </ul>

      <h2>{say('Fees and your balance')}</h2>
      <ul>
        <li>
          {say(
            'We keep a small platform fee per transaction. It varies with the price: {fee}, never more than the price. Card processing is included and nothing else is deducted. The fee in force when a checkout starts applies to that sale, and you see what you will receive while you set the price.',
            { fee: describeFee(config.fee) },
          )}
        </li>
        <li>
          {say('The price less the fee is added to your balance.')} {describeHold(config.payouts)}
        </li>
        <Point text="A refund takes back what you earned from the sale, and we return our fee for it. A payment reversed by a dispute is deducted from your balance. A balance below zero is settled by your next sales or by you." />
        <li>
          {say(
            'An account that is owed money, or owes it, cannot be deleted until that is settled.',
          )}{' '}
          {describePayouts(config.payouts)}
        </li>
      </ul>
    </>
  );
}
