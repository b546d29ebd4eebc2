import { useEffect, useRef } from 'react';
import { CopyButton } from '../../copy-button.tsx';
import { DownloadIcon } from '../../icons.tsx';

/** The codes for when the app is not at hand, shown this once. */
export function BackupCodes({ codes, onKept }: { codes: string[]; onKept(): void }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const text = `${codes.join('\n')}\n`;
  return (
    <div>
      <p role="status">
        Two-factor sign-in is <strong>on</strong>.
      </p>
      <h3 className="mt-6 font-medium" ref={heading} tabIndex={-1}>
        Keep these backup codes
      </h3>
      <p className="mt-1.5 text-muted">
        Each of them lets you in once when your app is not at hand. They are not shown again.
      </p>
      <ul className="mt-4 grid gap-x-6 gap-y-2 rounded-control bg-well px-5 py-4 sm:grid-cols-2">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div className="mt-4 flex flex-wrap gap-2">
        <CopyButton of="the backup codes" text={text} />
        <a
          className="button button-secondary button-small"
          download="padlink-backup-codes.txt"
          href={`data:text/plain,${encodeURIComponent(text)}`}
        >
          <DownloadIcon className="size-4" />
          Download
        </a>
        <button
          className="button button-primary button-small sm:ml-auto"
          onClick={onKept}
          type="button"
        >
          I have kept them
        </button>
      </div>
    </div>
  );
}
