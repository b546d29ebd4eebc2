import { useEffect, useId, useRef } from 'react';
import { say } from '../../languages/say.ts';
import { useHydrated } from '../../lib/use-hydrated.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { icon } from '../../ui/icons.tsx';
import { QrCodeFigure } from './qr-code.tsx';

interface SharePanelProps {
  /** The paywall page's full address. */
  address: string;
  /** What is sold, for the mail's subject and the device's own sharing. */
  title: string | null;
}

/** Every way to share a paywall link. Its heading has the focus once it is shown. */
export function SharePanel({ address, title }: SharePanelProps) {
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
        <a className="button button-secondary button-small" href={mailAddress(address, title)}>
          <MailIcon className="size-4" />
          {say('Send by email')}
        </a>
        <a
          className="button button-secondary button-small"
          href={address}
          rel="noopener"
          target="_blank"
        >
          <ArrowOutIcon className="size-4" />
          {say('Open your link')}
        </a>
      </div>
      <QrCodeFigure address={address} />
    </div>
  );
}

/** Closing the device's share sheet is a decision: nothing needs to be said. */
function shareByDevice(url: string, title: string | null) {
  navigator.share({ url, ...(title && { title }) }).catch(() => {});
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
const ArrowOutIcon = /* @__PURE__ */ icon('M8 16 17 7M9.5 7H17v7.5');
