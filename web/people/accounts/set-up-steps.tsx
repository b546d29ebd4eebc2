import { useEffect, useRef, useState } from 'react';
import { checkAppCode } from '../../../contract/account-checks.ts';
import { say } from '../../languages/say.ts';
import { sayWith } from '../../languages/say-with.ts';
import { needSession } from '../../lib/sign-in-again.ts';
import { CodeField, useCodeForm } from '../../ui/code-field.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { DownloadIcon } from '../../ui/icons.tsx';
import { AccountForm } from './account-form.tsx';
import { enterCode, type TwoFactorSetUp } from './second-factor.ts';
import { CancelButton } from './section.tsx';

export interface SetUpStepsProps {
  made: TwoFactorSetUp;
  onCanceled(): void;
  onDone(): void;
}

/** What turning two-factor sign-in on takes after the password. */
export function SetUpSteps({ made, onCanceled, onDone }: SetUpStepsProps) {
  const [isOn, setOn] = useState(false);
  if (isOn) return <BackupCodes codes={made.backupCodes} onKept={onDone} />;
  return <ScanStep made={made} onCanceled={onCanceled} onTurnedOn={() => setOn(true)} />;
}

/** The codes for when the app is not at hand, shown only this once. */
function BackupCodes({ codes, onKept }: { codes: string[]; onKept(): void }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const text = `${codes.join('\n')}\n`;
  return (
    <div>
      <p role="status">
        {sayWith('Two-factor sign-in is {state}.', { state: <strong>{say('on')}</strong> })}
      </p>
      <h3 className="mt-6 font-medium" ref={heading} tabIndex={-1}>
        {say('Save these backup codes')}
      </h3>
      <p className="mt-1.5 text-muted">
        {say(
          'Each one lets you sign in once when you do not have your app at hand. They will not be shown again.',
        )}
      </p>
      <ul className="mt-4 grid gap-x-6 gap-y-2 rounded-control bg-well px-5 py-4 sm:grid-cols-2">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div className="mt-4 flex flex-wrap gap-2">
        <CopyButton of={say('the backup codes')} text={text} />
        <a
          className="button button-secondary button-small"
          download="padlink-backup-codes.txt"
          href={`data:text/plain,${encodeURIComponent(text)}`}
        >
          <DownloadIcon className="size-4" />
          {say('Download')}
        </a>
        <button
          className="button button-primary button-small sm:ml-auto"
          onClick={onKept}
          type="button"
        >
          {say('I have saved them')}
        </button>
      </div>
    </div>
  );
}

interface ScanStepProps {
  made: TwoFactorSetUp;
  onTurnedOn(): void;
  onCanceled(): void;
}

/** The setup key goes into the app, and a code from the app proves that it did. */
function ScanStep({ made: { qrCode, key }, onTurnedOn, onCanceled }: ScanStepProps) {
  // Not the field: on a phone it would push the code to scan out of sight.
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const form = useCodeForm({
    check: checkAppCode,
    enter: (code) => needSession(enterCode(code)),
    onEntered: onTurnedOn,
  });
  return (
    <div className="grid gap-6 sm:grid-cols-[auto_1fr] sm:gap-8">
      <h3 className="font-medium sm:col-span-2" ref={heading} tabIndex={-1}>
        {say('Add this account to your app')}
      </h3>
      <img
        alt={say('QR code with the key below')}
        className="size-48 rounded-control border border-line"
        height={192}
        src={`data:image/svg+xml,${encodeURIComponent(qrCode)}`}
        width={192}
      />
      <div className="min-w-0">
        <p>{say('Scan the code with an authenticator app, or type this key into it:')}</p>
        <div className="mt-3 flex flex-wrap items-center gap-2 rounded-control bg-well p-2 pl-4">
          <code className="min-w-0 flex-1 basis-40 break-words text-sm">{key}</code>
          <CopyButton of={say('the key')} text={key.replaceAll(' ', '')} />
        </div>
      </div>
      <div className="max-w-sm sm:col-span-2">
        <p className="mb-5">{say('Then enter the six-digit code from the app.')}</p>
        <AccountForm busyLabel={say('Checking...')} form={form} submitLabel={say('Turn on')}>
          <CodeField autoFocus={false} error={form.errors.code} />
        </AccountForm>
        <CancelButton onPressed={onCanceled} />
      </div>
    </div>
  );
}
