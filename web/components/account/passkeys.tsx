import { useState } from 'react';
import type { PasskeyDetails } from '../../../contract/account-details.ts';
import { usePasskeys } from '../../data/use-passkeys.ts';
import { AccountSection } from './account-section.tsx';
import { AddPasskey } from './passkeys/add-passkey.tsx';
import { PasskeyRow } from './passkeys/passkey-row.tsx';

interface PasskeysProps {
  held: PasskeyDetails[];
  /** What this device may be called. */
  device: string;
  origin: string;
}

/** The devices that sign in without the password. */
export function Passkeys({ held, device, origin }: PasskeysProps) {
  const [passkeys, setPasskeys] = useState(held);
  const [done, setDone] = useState('');
  const offered = usePasskeys(origin);
  if (!offered) return null;

  function add(passkey: PasskeyDetails) {
    setPasskeys((all) => [...all, passkey]);
    setDone(`Added ${passkey.name}.`);
  }

  function remove({ id, name }: PasskeyDetails) {
    setPasskeys((all) => all.filter((passkey) => passkey.id !== id));
    setDone(`Removed ${name}.`);
  }

  return (
    <AccountSection
      explanation="Sign in with your fingerprint, your face or a PIN instead of your password."
      onBegun={() => setDone('')}
      status={done}
      title="Passkeys"
    >
      {passkeys.length === 0 ? (
        <p>No passkeys yet.</p>
      ) : (
        <ul className="divide-y divide-line">
          {passkeys.map((passkey) => (
            <PasskeyRow
              key={passkey.id}
              onBegun={() => setDone('')}
              onRemoved={() => remove(passkey)}
              passkey={passkey}
            />
          ))}
        </ul>
      )}
      <AddPasskey device={device} onAdded={add} />
    </AccountSection>
  );
}
