import { type ComponentType, useEffect, useRef, useState } from 'react';
import { collectErrors } from '../../../contract/form-errors.ts';
import { say } from '../../languages/say.ts';
import { sayWith } from '../../languages/say-with.ts';
import { messageOf, RequestError } from '../../lib/request-error.ts';
import { needSession } from '../../lib/sign-in-again.ts';
import { useForm } from '../../lib/use-form.ts';
import { useHydrated } from '../../lib/use-hydrated.ts';
import { PasswordField } from '../../ui/password-fields.tsx';
import { AccountForm } from './account-form.tsx';
import { setUpTwoFactor, type TwoFactorSetUp, turnTwoFactorOff } from './second-factor.ts';
import { AccountSection, CancelButton } from './section.tsx';
import type { SetUpStepsProps } from './set-up-steps.tsx';

type State =
  | { at: 'off' | 'turning-on' | 'on' | 'turning-off' }
  | { at: 'setting-up'; made: TwoFactorSetUp; Steps: ComponentType<SetUpStepsProps> };

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
      explanation={say(
        'Asks for a code from an app on your phone after your password, so that a stolen password alone is not enough.',
      )}
      status={status}
      title={say('Two-factor sign-in')}
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
            send={async (password) => {
              // Few come this far.
              const { SetUpSteps } = await import('./set-up-steps.tsx');
              setState({
                at: 'setting-up',
                made: await setUpTwoFactor(password),
                Steps: SetUpSteps,
              });
            }}
            submitLabel={say('Continue')}
          />
        );
      case 'setting-up':
        return (
          <state.Steps
            made={state.made}
            onCanceled={() => setState({ at: 'off' })}
            onDone={() => setState({ at: 'on' })}
          />
        );
      case 'on':
        return <Switch takesFocus={wasPressed} isOn onPressed={() => begin('turning-off')} />;
      default:
        return (
          <PasswordStep
            onCanceled={() => setState({ at: 'on' })}
            send={async (password) => {
              await turnTwoFactorOff(password);
              setState({ at: 'off' });
              setStatus(say('From now on, your password alone is enough to sign in.'));
            }}
            submitLabel={say('Turn off')}
          />
        );
    }
  }
}

interface PasswordStepProps {
  submitLabel: string;
  send(password: string): Promise<void>;
  onCanceled(): void;
}

/** Changing how an account is entered requires the password. */
function PasswordStep({ submitLabel, send, onCanceled }: PasswordStepProps) {
  const form = useForm({
    check: ({ password }) => collectErrors({ password: !password && say('Enter your password.') }),
    send: ({ password = '' }) => needSession(send(password)),
    place: (error) =>
      error instanceof RequestError && error.code === 'INVALID_PASSWORD'
        ? { password: messageOf(error) }
        : undefined,
  });
  return (
    <div className="max-w-sm">
      <AccountForm busyLabel={say('Checking...')} form={form} submitLabel={submitLabel}>
        <PasswordField
          autoComplete="current-password"
          autoFocus
          error={form.errors.password}
          label={say('Current password')}
          name="password"
          required
        />
      </AccountForm>
      <CancelButton onPressed={onCanceled} />
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
        {sayWith('Two-factor sign-in is {state}.', {
          state: <strong>{say(isOn ? 'on' : 'off')}</strong>,
        })}
      </p>
      <button
        aria-label={say(isOn ? 'Turn off two-factor sign-in' : 'Turn on two-factor sign-in')}
        className="button button-secondary button-small"
        disabled={!hydrated}
        onClick={onPressed}
        ref={button}
        type="button"
      >
        {say(isOn ? 'Turn off' : 'Turn on')}
      </button>
    </div>
  );
}
