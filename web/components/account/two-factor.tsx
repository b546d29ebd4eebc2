import { useState } from 'react';
import { setUpTwoFactor, type TwoFactorSetUp, turnTwoFactorOff } from '../../data/second-factor.ts';
import { AccountSection } from './account-section.tsx';
import { BackupCodes } from './two-factor/backup-codes.tsx';
import { PasswordStep } from './two-factor/password-step.tsx';
import { ScanStep } from './two-factor/scan-step.tsx';
import { Switch } from './two-factor/switch.tsx';

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
      explanation="After your password, a code from an app on your phone: a stolen password is then not enough."
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
            onCancelled={() => setState({ at: 'off' })}
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
            onCancelled={() => setState({ at: 'off' })}
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
            onCancelled={() => setState({ at: 'on' })}
            send={async (password) => {
              await turnTwoFactorOff(password);
              setState({ at: 'off' });
              setStatus('From now on your password is enough to sign in.');
            }}
            submitLabel="Turn off"
          />
        );
    }
  }
}
