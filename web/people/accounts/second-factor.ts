import { digitsOf } from '../../../contract/account-checks.ts';
import { postJson } from '../../lib/request-error.ts';

export interface TwoFactorSetUp {
  /** An SVG document. */
  qrCode: string;
  /** For typing into the app: base32, in groups of four. */
  key: string;
  backupCodes: string[];
}

/** Starts the setup; nothing changes for signing in until enterCode. Throws RequestError. */
export async function setUpTwoFactor(password: string): Promise<TwoFactorSetUp> {
  const { totpURI, ...made } = await postJson<Omit<TwoFactorSetUp, 'key'> & { totpURI: string }>(
    '/api/auth/two-factor/enable',
    { password },
  );
  const key = new URL(totpURI).searchParams.get('secret') ?? '';
  return { ...made, key: key.replace(/.{4}(?=.)/g, '$& ') };
}

/** Completes the setup, or the second factor at sign-in, with the app's six digits. */
export async function enterCode(code: string): Promise<void> {
  await postJson('/api/auth/two-factor/verify-totp', { code: digitsOf(code) });
}

/** Completes the second factor at sign-in without the app. */
export async function enterBackupCode(code: string): Promise<void> {
  await postJson('/api/auth/two-factor/verify-backup-code', { code });
}

export async function turnTwoFactorOff(password: string): Promise<void> {
  await postJson('/api/auth/two-factor/disable', { password });
}
