import { useEffect } from 'react';
import { nameLink } from '../../contract/name-link.ts';
import { contentAddress } from '../data/addresses.ts';
import type { Checkout } from '../data/checkout.ts';
import { FileList } from './file-list.tsx';
import { ArrowIcon } from './icons.tsx';
import { LinkKey } from './link-key.tsx';

/** Hands over what was bought in this browser: files start by themselves, once. */
export function PurchaseHere({ checkout: { link, sessionId } }: { checkout: Checkout }) {
  const startsWith = link?.type === 'file' ? link.id : null;

  useEffect(() => {
    const started = `started:${sessionId}`;
    if (!startsWith || sessionStorage.getItem(started)) return;
    sessionStorage.setItem(started, 'yes');
    location.assign(contentAddress(startsWith));
  }, [startsWith, sessionId]);

  if (!link) return null;
  if (link.type === 'link') {
    return (
      <>
        <Receipt />
        <div className="card w-full overflow-hidden text-ink">
          <Bought link={link} />
        </div>
        <p>You bought a web address. It opens with this button.</p>
        <a className="button button-primary text-base" href={contentAddress(link.id)}>
          Open {link.title ?? 'what you bought'}
          <ArrowIcon className="size-5" />
        </a>
      </>
    );
  }
  return (
    <>
      <Receipt />
      <section aria-label="Your files" className="card w-full overflow-hidden text-ink">
        <Bought link={link} />
        <div className="px-5 [&>ul]:mt-0">
          <FileList files={link.files ?? []} linkId={link.id} />
        </div>
      </section>
    </>
  );
}

function Receipt() {
  return (
    <p className="text-base">
      We e-mail your receipt. The personal link in it opens this on any device.
    </p>
  );
}

function Bought({ link }: { link: NonNullable<Checkout['link']> }) {
  return (
    <p className="flex items-center gap-4 bg-well px-5 py-4 text-left font-semibold">
      <LinkKey className="w-14 shrink-0" held id={link.id} />
      {nameLink(link)}
    </p>
  );
}
