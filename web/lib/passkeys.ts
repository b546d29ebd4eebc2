import { useSyncExternalStore } from 'react';
import type { PasskeyDetails } from '../../contract/account-details.ts';
import { postJson, RequestError } from './request-error.ts';

/** Whether an address can have passkeys: they need https and are bound to a name, not a number. */
function canHavePasskeys(origin: string): boolean {
  const { protocol, hostname } = new URL(origin);
  if (/^[\d.]+$|^\[/.test(hostname)) return false;
  return protocol === 'https:' || hostname === 'localhost';
}

/** Whether this browser supports passkeys in the JSON form that the server uses. */
function knowsPasskeys(): boolean {
  return (
    typeof PublicKeyCredential === 'function' &&
    'parseRequestOptionsFromJSON' in PublicKeyCredential
  );
}

/** Throws RequestError, also when the person or the device declines. */
export async function signInWithPasskey(): Promise<void> {
  const options = await postJson<PublicKeyCredentialRequestOptionsJSON>(
    '/api/auth/passkey/generate-authenticate-options',
    {},
  );
  const response = await ask(() =>
    navigator.credentials.get({
      publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options),
    }),
  );
  await postJson('/api/auth/passkey/verify-authentication', { response });
}

/** Throws RequestError, with code SESSION_NOT_FRESH if the sign-in is too long ago. */
export async function addPasskey(name: string): Promise<PasskeyDetails> {
  const options = await postJson<PublicKeyCredentialCreationOptionsJSON>(
    '/api/auth/passkey/generate-register-options',
    {},
  );
  const response = await ask(() =>
    navigator.credentials.create({
      publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options),
    }),
  );
  return postJson('/api/auth/passkey/verify-registration', { name, response });
}

/** Throws RequestError. */
export const renamePasskey = (id: string, name: string) =>
  postJson<PasskeyDetails>('/api/auth/passkey/update-passkey', { id, name });

/** Throws RequestError as addPasskey does. */
export const removePasskey = (id: string) =>
  postJson<void>('/api/auth/passkey/delete-passkey', { id });

async function ask(ceremony: () => Promise<Credential | null>): Promise<unknown> {
  try {
    return (await ceremony()) as PublicKeyCredential;
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
    const isKnown = error.name === 'InvalidStateError';
    throw isKnown
      ? new RequestError(
          0,
          'PREVIOUSLY_REGISTERED',
          'This device already has a passkey for your account.',
        )
      : new RequestError(0, 'PASSKEY_DECLINED', 'No passkey was used. You can try again.');
  }
}

const never = () => () => {};

/** Whether to offer passkeys. The server assumes that browsers support them, as nearly all do. */
export function usePasskeys(origin: string): boolean {
  return useSyncExternalStore(never, knowsPasskeys, () => true) && canHavePasskeys(origin);
}
