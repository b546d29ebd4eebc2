import { type ReactNode, useEffect } from 'react';
import { nameLink } from '../../contract/name-link.ts';
import { contentAddress } from '../data/addresses.ts';
import type { Checkout } from '../data/checkout.ts';
import { formatPrice } from '../data/format.ts';
import { openContent } from '../data/open-content.ts';
import { ContentLink } from './content-link.tsx';
import { FileList } from './file-list.tsx';
import { ArrowIcon, DownloadIcon } from './icons.tsx';
import { LinkKey } from './link-key.tsx';
import { SupportLine } from './support-line.tsx';

interface PurchaseHereProps {
  checkout: Checkout;
  support: string | null;
}

/** Hands over what was bought in this browser: files start by themselves, once. */
export function PurchaseHere({ checkout, support }: PurchaseHereProps) {
  const { link, sessionId, price, email } = checkout;
  const startsWith = link?.type === 'file' ? link.id : null;

  useEffect(() => {
    const started = `started:${sessionId}`;
    if (!startsWith || sessionStorage.getItem(started)) return;
    sessionStorage.setItem(started, 'yes');
    openContent(contentAddress(startsWith));
  }, [startsWith, sessionId]);

  if (!link) {
    return (
      <>
        <p>Thank you for your purchase. What you bought is not available at the moment.</p>
        <SupportLine email={support} />
      </>
    );
  }
  if (link.type === 'link') {
    return (
      <>
        <p>Thank you for your purchase. You bought a web address. It opens with this button.</p>
        <ContentLink
          address={contentAddress(link.id)}
          className="button button-primary w-full text-base"
          opening="Opening..."
        >
          Open {link.title ?? 'what you bought'}
          <ArrowIcon className="size-5" />
        </ContentLink>
        <Bought held link={link} price={price} />
        <Receipt email={email} />
      </>
    );
  }
  return (
    <>
      <p>Thank you for your purchase. Your file is now unlocked and should be downloading.</p>
      <ContentLink
        address={contentAddress(link.id)}
        className="button button-primary w-full text-base"
        opening="Starting..."
      >
        <DownloadIcon className="size-5" />
        Download
      </ContentLink>
      <section aria-label="Your files" className="w-full">
        <Bought held link={link} price={price}>
          <div className="px-5 [&>ul]:mt-0">
            <FileList files={link.files ?? []} linkId={link.id} />
          </div>
        </Bought>
      </section>
      <Receipt email={email} />
    </>
  );
}

function Receipt({ email }: { email: string | null }) {
  if (!email) return null;
  return (
    <p className="text-base">
      Your receipt is on its way to <EmailAddress email={email} />. Its personal link opens your
      purchase on any device.
    </p>
  );
}

/** However long it is, it fits a phone. */
export function EmailAddress({ email }: { email: string }) {
  return <strong className="font-semibold text-ink [overflow-wrap:anywhere]">{email}</strong>;
}

interface BoughtProps {
  link: NonNullable<Checkout['link']>;
  /** Cents. */
  price: number | null;
  /** The viewer has it. */
  held?: boolean;
  children?: ReactNode;
}

/** What the payment is for. */
export function Bought({ link, price, held = false, children }: BoughtProps) {
  return (
    <div className="card w-full overflow-hidden text-ink">
      <p className="flex items-center gap-4 bg-well px-5 py-4 text-left text-base font-semibold">
        <LinkKey className="w-14 shrink-0" held={held} id={link.id} />
        <span className="min-w-0 flex-1 [overflow-wrap:anywhere]">{nameLink(link)}</span>
        {price !== null && <span className="tabular-nums">{formatPrice(price)}</span>}
      </p>
      {children}
    </div>
  );
}
