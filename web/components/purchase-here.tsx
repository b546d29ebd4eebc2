import { useEffect } from 'react';
import { contentAddress } from '../data/addresses.ts';
import type { Checkout } from '../data/checkout.ts';
import { FileList } from './file-list.tsx';
import { ArrowIcon } from './icons.tsx';

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
        <p>You bought a web address. It opens with this button.</p>
        <a className="button button-primary text-base" href={contentAddress(link.id)}>
          Open {link.title ?? 'what you bought'}
          <ArrowIcon className="size-5" />
        </a>
      </>
    );
  }
  return (
    <section aria-label="Your files" className="card w-full px-5 text-ink [&>ul]:mt-0">
      <FileList files={link.files ?? []} linkId={link.id} />
    </section>
  );
}
