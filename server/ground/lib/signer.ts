import { createHmac, timingSafeEqual } from 'node:crypto';
import type { z } from 'zod';

/** Signs small payloads into URL-safe tokens for one purpose, and reads them back. */
export interface Signer<Payload> {
  sign(payload: Payload): string;
  /** The payload of a token signed by this signer; null for any other text or shape. */
  read(token: string): Payload | null;
}

/**
 * @param purpose keeps the tokens of one use from being accepted by another
 * @param schema what a token must carry: another version may have signed it
 */
export function createSigner<Payload>(
  secret: string,
  purpose: string,
  schema: z.ZodType<Payload>,
): Signer<Payload> {
  const mac = (body: string) => createHmac('sha256', secret).update(`${purpose}\0${body}`).digest();
  return {
    sign(payload) {
      const body = Buffer.from(JSON.stringify(payload)).toString('base64url');
      return `${body}.${mac(body).toString('base64url')}`;
    },
    read(token) {
      const [body, signature, ...rest] = token.split('.');
      if (!body || !signature || rest.length > 0) return null;
      // Compared as text: a decoder would skip foreign characters and accept a changed token.
      const given = Buffer.from(signature);
      const expected = Buffer.from(mac(body).toString('base64url'));
      if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null;
      const payload = schema.safeParse(JSON.parse(Buffer.from(body, 'base64url').toString()));
      return payload.success ? payload.data : null;
    },
  };
}

/** One secret per use, so that none of them tells another. */
export function derive(secret: string, use: string): string {
  return createHmac('sha256', secret).update(use).digest('hex');
}

/** The key that every page of this installation has. */
export const publishableKeyOf = (secret: string): string =>
  `pk_${derive(secret, 'publishable key').slice(0, 32)}`;
