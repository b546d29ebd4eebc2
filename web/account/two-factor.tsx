import { useEffect, useRef, useState } from 'react';
import { checkAppCode } from '../lib/accounts.ts';
import { RequestError } from '../lib/request-error.ts';
import { needSession } from '../lib/sign-in-again.ts';
import { collectErrors, useForm } from '../lib/use-form.ts';
import { useHydrated } from '../lib/use-hydrated.ts';
import { AccountForm } from '../sign-in/account-form.tsx';
import {
  enterCode,
  setUpTwoFactor,
  type TwoFactorSetUp,
  turnTwoFactorOff,
} from '../sign-in/second-factor.ts';
import { CodeField, useCodeForm } from '../ui/code-field.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { DownloadIcon } from '../ui/icons.tsx';
import { PasswordField } from '../ui/password-fields.tsx';
import { AccountSection } from './section.tsx';

type State =
  | { at: 'off' | 'turning-on' | 'on' | 'turning-off' }
  | { at: 'scanning' | 'keeping'; made: TwoFactorSetUp };

/** A code from an authenticator app after the password: turned on and off. */
export function TwoFactor({ isOn }: { isOn: boolean }) {
  const [state, setState] = useState<State>({ at: isOn ? 'on' : 'off' });
  const [status, setStatus] = useState('');
  const [wasPressed, setWasPressed] = useState(false);

  function begin(at: 'turning-on' | 'turning-off') {
    setStatus('');
    setWasPressed(true);
    setState({ at });
  }

  return (
    <AccountSection
      explanation="Asks for a code from an app on your phone after your password, so that a stolen password alone is not enough."
      status={status}
      title="Two-factor sign-in"
    >
      {renderState()}
    </AccountSection>
  );

  function renderState() {
    switch (state.at) {
      case 'off':
        return (
          <Switch takesFocus={wasPressed} isOn={false} onPressed={() => begin('turning-on')} />
        );
      case 'turning-on':
        return (
          <PasswordStep
            onCanceled={() => setState({ at: 'off' })}
            send={async (password) =>
              setState({ at: 'scanning', made: await setUpTwoFactor(password) })
            }
            submitLabel="Continue"
          />
        );
      case 'scanning':
        return (
          <ScanStep
            made={state.made}
            onCanceled={() => setState({ at: 'off' })}
            onTurnedOn={() => setState({ at: 'keeping', made: state.made })}
          />
        );
      case 'keeping':
        return <BackupCodes codes={state.made.backupCodes} onKept={() => setState({ at: 'on' })} />;
      case 'on':
        return <Switch takesFocus={wasPressed} isOn onPressed={() => begin('turning-off')} />;
      default:
        return (
          <PasswordStep
            onCanceled={() => setState({ at: 'on' })}
            send={async (password) => {
              await turnTwoFactorOff(password);
              setState({ at: 'off' });
              setStatus('From now on, your password alone is enough to sign in.');
            }}
            submitLabel="Turn off"
          />
        );
    }
  }
}

/** The codes for when the app is not at hand, shown only this once. */
function BackupCodes({ codes, onKept }: { codes: string[]; onKept(): void }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const text = `${codes.join('\n')}\n`;
  return (
    <div>
      <p role="status">
        Two-factor sign-in is <strong>on</strong>.
      </p>
      <h3 className="mt-6 font-medium" ref={heading} tabIndex={-1}>
        Save these backup codes
      </h3>
      <p className="mt-1.5 text-muted">
        Each one lets you sign in once when you do not have your app at hand. They will not be shown
        again.
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
          I have saved them
        </button>
      </div>
    </div>
  );
}

function CancelButton({ onPressed }: { onPressed(): void }) {
  return (
    <button
      className="text-link mt-3 min-h-11 min-w-11 text-left text-sm"
      onClick={onPressed}
      type="button"
    >
      Cancel
    </button>
  );
}

interface PasswordStepProps {
  submitLabel: string;
  send(password: string): Promise<void>;
  onCanceled(): void;
}

/** Changing how an account is entered requires the password. */
function PasswordStep({ submitLabel, send, onCanceled }: PasswordStepProps) {
  const form = useForm({
    check: ({ password }) => collectErrors({ password: !password && 'Enter your password.' }),
    send: ({ password = '' }) => needSession(send(password)),
    place: (error) =>
      error instanceof RequestError && error.code === 'INVALID_PASSWORD'
        ? { password: error.message }
        : undefined,
  });
  return (
    <div className="max-w-sm">
      <AccountForm busyLabel="Checking..." form={form} submitLabel={submitLabel}>
        <PasswordField
          autoComplete="current-password"
          autoFocus
          error={form.errors.password}
          label="Current password"
          name="password"
          required
        />
      </AccountForm>
      <CancelButton onPressed={onCanceled} />
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
        <p className="mb-5">Then enter the six-digit code from the app.</p>
        <AccountForm busyLabel="Checking..." form={form} submitLabel="Turn on">
          <CodeField autoFocus={false} error={form.errors.code} />
        </AccountForm>
        <CancelButton onPressed={onCanceled} />
      </div>
    </div>
  );
}

interface SwitchProps {
  isOn: boolean;
  /** It returns from a step that was started by a button. */
  takesFocus: boolean;
  onPressed(): void;
}

/** Whether two-factor sign-in is on, and the way to change that. */
function Switch({ isOn, takesFocus, onPressed }: SwitchProps) {
  const hydrated = useHydrated();
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (takesFocus) button.current?.focus();
  }, [takesFocus]);
  return (
    <div className="flex flex-wrap items-center justify-between gap-4">
      <p role="status">
        Two-factor sign-in is <strong>{isOn ? 'on' : 'off'}</strong>.
      </p>
      <button
        className="button button-secondary button-small"
        disabled={!hydrated}
        onClick={onPressed}
        ref={button}
        type="button"
      >
        {isOn ? 'Turn off' : 'Turn on'}
        <span className="sr-only"> two-factor sign-in</span>
      </button>
    </div>
  );
}
