import { type KeyObject, sign } from 'node:crypto';

/** A JSON Web Token with these claims. */
export function writeToken(claims: object, alg: 'RS256' | 'none', key: KeyObject): string {
  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
  const signed = `${encode({ alg, kid: 'own', typ: 'JWT' })}.${encode(claims)}`;
  const signature = alg === 'none' ? '' : sign('sha256', Buffer.from(signed), key);
  return `${signed}.${Buffer.from(signature).toString('base64url')}`;
}
