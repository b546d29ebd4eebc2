import { useEffect, useRef } from 'react';
import { checkAppCode } from '../../../data/check-code.ts';
import { enterCode, type TwoFactorSetUp } from '../../../data/second-factor.ts';
import { needSession } from '../../../data/sign-in-again.ts';
import { useCodeForm } from '../../../data/use-code-form.ts';
import { CopyButton } from '../../copy-button.tsx';
import { AccountForm } from '../../sign-in/account-form.tsx';
import { CodeField } from '../../sign-in/code-field.tsx';
import { CancelButton } from './cancel-button.tsx';

interface ScanStepProps {
  made: TwoFactorSetUp;
  onTurnedOn(): void;
  onCancelled(): void;
}

/** The key goes into the app, and a code of the app proves that it did. */
export function ScanStep({ made: { qrCode, key }, onTurnedOn, onCancelled }: ScanStepProps) {
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
        Add Padlink to your app
      </h3>
      <img
        alt="QR code with the key below"
        className="size-48 rounded-control border border-line"
        height={192}
        src={`data:image/svg+xml,${encodeURIComponent(qrCode)}`}
        width={192}
      />
      <div className="min-w-0">
        <p>Scan the code with an authenticator app, or type this key into it:</p>
        <div className="mt-3 flex flex-wrap items-center gap-2 rounded-control bg-well p-2 pl-4">
          <code className="min-w-0 flex-1 basis-40 break-words text-sm">{key}</code>
          <CopyButton of="the key" text={key.replaceAll(' ', '')} />
        </div>
      </div>
      <div className="max-w-sm sm:col-span-2">
        <p className="mb-5">Then enter the six digits that the app shows.</p>
        <AccountForm busyLabel="Checking..." form={form} submitLabel="Turn on">
          <CodeField autoFocus={false} error={form.errors.code} />
        </AccountForm>
        <CancelButton onPressed={onCancelled} />
      </div>
    </div>
  );
}
