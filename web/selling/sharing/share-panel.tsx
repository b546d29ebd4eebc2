import { type ComponentProps, type ReactNode, useEffect, useId, useRef } from 'react';
import { say } from '../../languages/say.ts';
import { useHydrated } from '../../lib/use-hydrated.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { icon } from '../../ui/icons.tsx';
import { QrCodeFigure } from './qr-code.tsx';

interface SharePanelProps {
  /** The paywall page's full address. */
  address: string;
  /** What is sold, for what is written beside the address. */
  title: string | null;
  /** Between the address and the ways to share it. */
  children?: ReactNode;
}

/** Every way to share a paywall link. Its heading has the focus once it is shown. */
export function SharePanel({ address, title, children }: SharePanelProps) {
  const id = useId();
  const heading = useRef<HTMLHeadingElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const hydrated = useHydrated();
  useEffect(() => {
    field.current?.select();
    heading.current?.focus();
  }, []);

  return (
    <div>
      <h2 className="text-xl" id={id} ref={heading} tabIndex={-1}>
        {say('Your paywall link:')}
      </h2>
      <div className="share-address">
        <input
          aria-labelledby={id}
          className="input"
          onFocus={(event) => event.currentTarget.select()}
          readOnly
          ref={field}
          value={address}
        />
        <CopyButton of={say('your paywall link')} primary text={address} />
      </div>
      {children}
      <div className="share-ways">
        {hydrated && 'share' in navigator && (
          <button
            className="button button-secondary button-small"
            onClick={() => shareByDevice(address, title)}
            type="button"
          >
            <ShareIcon className="size-4" />
            {say('Share')}
          </button>
        )}
        <Way href={whatsAppAddress(address, title)} label={say('Send by WhatsApp')} target="_blank">
          <ChatIcon className="size-4" />
          {say('WhatsApp')}
        </Way>
        <Way href={postAddress(address, title)} label={say('Post on X')} target="_blank">
          <CrossIcon className="size-4" />
        </Way>
        <Way href={mailAddress(address, title)} label={say('Send by email')}>
          <MailIcon className="size-4" />
          {say('Email')}
        </Way>
      </div>
      <QrCodeFigure address={address} />
    </div>
  );
}

/** @param label its name, of which a word or a sign is seen */
function Way({ label, href, ...link }: ComponentProps<'a'> & { label: string }) {
  return (
    <a
      {...link}
      aria-label={label}
      className="button button-secondary button-small"
      href={href}
      rel="noopener noreferrer"
    />
  );
}

/** Closing the device's share sheet is a decision: nothing needs to be said. */
function shareByDevice(url: string, title: string | null) {
  navigator.share({ url, ...(title && { title }) }).catch(() => {});
}

function whatsAppAddress(address: string, title: string | null): string {
  return `https://wa.me/?text=${encodeURIComponent(title ? `${title}\n${address}` : address)}`;
}

function postAddress(address: string, title: string | null): string {
  const text = title ? `&text=${encodeURIComponent(title)}` : '';
  return `https://x.com/intent/post?url=${encodeURIComponent(address)}${text}`;
}

function mailAddress(address: string, title: string | null): string {
  const subject = encodeURIComponent(title ?? say('A link for you'));
  return `mailto:?subject=${subject}&body=${encodeURIComponent(address)}`;
}

const ShareIcon = /* @__PURE__ */ icon(
  'M12 15V4M8 7.5 12 3.5l4 4M7 11H6a1.5 1.5 0 0 0-1.5 1.5v6A1.5 1.5 0 0 0 6 20h12a1.5 1.5 0 0 0 1.5-1.5v-6A1.5 1.5 0 0 0 18 11h-1',
);
const MailIcon = /* @__PURE__ */ icon(
  'M5 5.5h14A1.5 1.5 0 0 1 20.5 7v10a1.5 1.5 0 0 1-1.5 1.5H5A1.5 1.5 0 0 1 3.5 17V7A1.5 1.5 0 0 1 5 5.5Zm-1 2 8 6 8-6',
);
const ChatIcon = /* @__PURE__ */ icon(
  'm4 20 1.2-4.2a8 8 0 1 1 3 3L4 20Zm5-10.5c0 3 2.5 5.5 5.5 5.5l1-1.7-2-1.2-1 .8c-.9-.4-1.6-1.1-2-2l.8-1-1.2-2L9 9.5Z',
);
const CrossIcon = /* @__PURE__ */ icon(
  'M5 4.5h3.2L19 19.5h-3.2L5 4.5ZM18.5 4.5l-5.8 6.6M11 13l-5.6 6.5',
);
