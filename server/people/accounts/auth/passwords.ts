import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { tryGetCurrentAuthEndpointContext } from '@better-auth/core/context';
import type { BetterAuthPlugin } from 'better-auth';
import { APIError } from 'better-auth/api';
import type { emailOTP } from 'better-auth/plugins/email-otp';
import { keepFact } from '../../../../contract/fact.ts';
import {
  findPasswordFault,
  type PasswordFault,
  type PasswordOwner,
} from '../find-password-fault.ts';
import { commonPasswords } from './common-passwords.ts';
import { onPath } from './hooks.ts';

/**
 * Refuses weak passwords wherever one is about to be stored.
 * @param codes the plugin that knows the emailed codes.
 */
export function passwordPolicy(codes: ReturnType<typeof emailOTP>) {
  return {
    id: 'password-policy',
    init({ password }) {
      return {
        context: {
          password: {
            ...password,
            async hash(plain) {
              await refuseWeak(plain);
              return password.hash(plain);
            },
          },
        },
      };
    },
    hooks: {
      before: [
        // The route uses up the code before it hashes: a refused password must not cost the code.
        onPath('/email-otp/reset-password', async (ctx) => {
          const { email, otp, password } = ctx.body;
          const found = await ctx.context.internalAdapter.findUserByEmail(email.toLowerCase());
          const owner: PasswordOwner = { ...found?.user, email };
          const fault = findPasswordFault(password, owner, await commonPasswords());
          if (!fault) return;
          if (fault.code === 'PASSWORD_TOO_PERSONAL') {
            // It reveals something about the owner, so only to someone who has the code.
            await codes.endpoints.checkVerificationOTP({
              context: ctx.context,
              body: { email, otp, type: 'forget-password' },
            });
          }
          throw refusalBy(fault);
        }),
      ],
    },
  } satisfies BetterAuthPlugin;
}

async function refuseWeak(password: string): Promise<void> {
  const endpoint = tryGetCurrentAuthEndpointContext();
  // There it hashes only to take as long for an unknown address as for a known one.
  if (endpoint?.path === '/sign-in/email') return;
  const owner: PasswordOwner = { ...endpoint?.context.session?.user, ...endpoint?.body };
  const fault = findPasswordFault(password, owner, await commonPasswords());
  if (fault) throw refusalBy(fault);
}

const refusalBy = ({ code, said }: PasswordFault) =>
  APIError.from('BAD_REQUEST', { code, message: keepFact(said) });

const derive = promisify(argon2);

/** What a guess costs: memory in KiB. */
export interface PasswordCost {
  memory: number;
  passes: number;
  parallelism: number;
}

/** OWASP's recommendation for argon2id: 19 MiB, two passes, one lane. */
const COST: PasswordCost = { memory: 19_456, passes: 2, parallelism: 1 };

const PHC = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

/** Hashes with argon2id on the thread pool. Answers a PHC string. */
export async function hashPassword(password: string, cost = COST): Promise<string> {
  const nonce = randomBytes(16);
  const hash = await derive('argon2id', {
    ...cost,
    message: bytesOf(password),
    nonce,
    tagLength: 32,
  });
  const { memory, passes, parallelism } = cost;
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${encode(nonce)}$${encode(hash)}`;
}

/** Whether the password matches this PHC string, whatever cost it was made with. */
export async function verifyPassword(input: { hash: string; password: string }): Promise<boolean> {
  const parts = PHC.exec(input.hash);
  if (!parts) return false;
  const [, memory, passes, parallelism, nonce = '', hash = ''] = parts;
  const expected = Buffer.from(hash, 'base64');
  const actual = await derive('argon2id', {
    message: bytesOf(input.password),
    nonce: Buffer.from(nonce, 'base64'),
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    tagLength: expected.length,
  });
  return timingSafeEqual(actual, expected);
}

/** The same characters may be typed composed or decomposed, depending on the keyboard. */
function bytesOf(password: string): Buffer {
  return Buffer.from(password.normalize('NFKC'));
}

function encode(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '');
}
