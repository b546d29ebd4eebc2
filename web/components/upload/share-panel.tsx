import { useEffect, useRef } from 'react';
import { TEXTS } from '../../../contract/texts.ts';
import { CopyButton } from '../copy-button.tsx';
import { CheckIcon } from '../icons.tsx';

/** The link that was made, ready to be shared. */
export function SharePanel({ address }: { address: string }) {
  const panel = useRef<HTMLDivElement>(null);
  useEffect(() => panel.current?.focus(), []);
  return (
    <div className="card p-6 shadow-card sm:p-8" ref={panel} tabIndex={-1}>
      <p className="flex items-center gap-2 font-medium" role="status">
        <CheckIcon className="size-5 shrink-0" />
        {TEXTS.uploadDone}
      </p>
      <h2 className="mt-6 mb-2 font-medium">Your paywall link:</h2>
      <div className="flex flex-wrap items-center gap-2 rounded-control bg-well p-2 pl-4">
        <a
          className="text-link min-w-0 flex-1 basis-48 break-all font-medium"
          href={address}
          rel="noopener"
          target="_blank"
        >
          {address}
        </a>
        <CopyButton of="your paywall link" text={address} />
      </div>
      <div className="mt-6 flex flex-wrap gap-3">
        <a className="button button-secondary" href="/upload">
          Upload another
        </a>
        <a className="button button-secondary" href="/dashboard">
          Go to Dashboard
        </a>
      </div>
    </div>
  );
}
