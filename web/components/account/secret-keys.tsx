import { useState } from 'react';
import type { SecretKeyDetails } from '../../../contract/account-details.ts';
import type { RuntimeConfig } from '../../../contract/runtime-config.ts';
import { createSecretKey, revokeSecretKey } from '../../data/secret-keys.ts';
import { AccountSection } from './account-section.tsx';
import { NewKeyForm } from './secret-keys/new-key-form.tsx';
import { NewSecret } from './secret-keys/new-secret.tsx';
import { SecretKeyRow } from './secret-keys/secret-key-row.tsx';

interface SecretKeysProps {
  config: RuntimeConfig;
  /** Newest first. */
  held: SecretKeyDetails[];
}

/** The keys of a creator's own programs: made, named, shown once, revoked. */
export function SecretKeys({ config, held }: SecretKeysProps) {
  const [keys, setKeys] = useState(held);
  const [done, setDone] = useState('');
  const [fresh, setFresh] = useState<{ id: string; name: string; secret: string }>();

  async function create(name: string) {
    const { secret, ...key } = await createSecretKey(config, name);
    setKeys((others) => [{ ...key, lastUsedAt: null }, ...others]);
    setFresh({ ...key, secret });
  }

  async function revoke({ id, name }: SecretKeyDetails) {
    await revokeSecretKey(config, id);
    setKeys((others) => others.filter((key) => key.id !== id));
    setDone(`${name} is revoked.`);
    setFresh((shown) => (shown?.id === id ? undefined : shown));
  }

  return (
    <AccountSection
      explanation="For programs of your own. A key creates, changes and deletes your links and reaches your files; it cannot manage your account or your money."
      onBegun={() => setDone('')}
      status={done}
      title="Secret keys"
    >
      <div className="space-y-6">
        {fresh && <NewSecret {...fresh} onDone={() => setFresh(undefined)} />}
        {keys.length === 0 ? (
          <p className="text-muted">No secret keys yet.</p>
        ) : (
          <ul className="divide-y divide-line border-y border-line">
            {keys.map((key) => (
              <SecretKeyRow
                key={key.id}
                onBegun={() => setDone('')}
                onRevoke={() => revoke(key)}
                secretKey={key}
              />
            ))}
          </ul>
        )}
        <NewKeyForm onCreate={create} />
      </div>
    </AccountSection>
  );
}
