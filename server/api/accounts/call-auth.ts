import type { FastifyReply, FastifyRequest } from 'fastify';
import { CLIENT_ADDRESS_HEADER } from '../../domain/accounts/client-address.ts';
import { messageFor } from './messages.ts';
import { sendRefusal } from './send-refusal.ts';

/** The account library, as the routes use it. */
export interface AuthHandler {
  handler(request: Request): Promise<Response>;
}

export interface AuthAnswer {
  status: number;
  /** Set on a refusal. */
  code: string | null;
  headers: Headers;
  body: string;
}

/** What the library reads of a request; a client's own word on its address is not among it. */
const FORWARDED = [
  'authorization',
  'cookie',
  'origin',
  'sec-fetch-dest',
  'sec-fetch-mode',
  'sec-fetch-site',
] as const;
/** What the library answers with another status although the visitor's input was the cause. */
const INPUT_FAULTS = new Set(['FAILED_TO_VERIFY_REGISTRATION', 'INVALID_OTP']);
/** Only an account has had a code: that one is over is told like one that never was. */
const CODES_THAT_WERE = new Set(['OTP_EXPIRED', 'TOO_MANY_ATTEMPTS']);
const MAX_USER_AGENT_LENGTH = 256;

/** Runs one of the library's routes for the visitor who sent `request`. */
export async function callAuth(
  auth: AuthHandler,
  publicUrl: string,
  request: FastifyRequest,
  call: { method: 'GET' | 'POST'; path: string; body?: object },
): Promise<AuthAnswer> {
  const response = await auth.handler(
    new Request(`${publicUrl}/api/auth/${call.path}`, {
      method: call.method,
      headers: headersFor(request, publicUrl),
      body: call.method === 'POST' ? JSON.stringify(call.body ?? {}) : undefined,
    }),
  );
  const body = await response.text();
  if (response.ok) return { status: response.status, code: null, headers: response.headers, body };
  const refusal = refusalOf(body);
  const status = INPUT_FAULTS.has(refusal.code) ? 400 : response.status;
  return { status, headers: response.headers, ...refusal };
}

/** Answers the visitor with what the library answered. */
export function relay(reply: FastifyReply, answer: AuthAnswer): FastifyReply {
  for (const [name, value] of answer.headers) {
    if (name !== 'set-cookie') reply.header(name, value);
  }
  reply.header('set-cookie', answer.headers.getSetCookie());
  const { status, code } = answer;
  if (code !== null)
    return sendRefusal(reply, { status, code, message: parse(answer.body).message });
  return reply
    .code(status)
    .headers({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
    })
    .send(answer.body);
}

function headersFor(request: FastifyRequest, publicUrl: string): Headers {
  const headers = new Headers({ 'content-type': 'application/json', origin: publicUrl });
  for (const name of FORWARDED) {
    const value = request.headers[name];
    if (typeof value === 'string') headers.set(name, value);
  }
  headers.set('user-agent', (request.headers['user-agent'] ?? '').slice(0, MAX_USER_AGENT_LENGTH));
  headers.set(CLIENT_ADDRESS_HEADER, request.ip);
  return headers;
}

function refusalOf(body: string): { code: string; body: string } {
  const { code: given = 'INTERNAL_SERVER_ERROR', message } = parse(body);
  const code = CODES_THAT_WERE.has(given) ? 'INVALID_OTP' : given;
  return { code, body: JSON.stringify({ code, message: messageFor(code) ?? message }) };
}

function parse(body: string): { code?: string; message?: string } {
  try {
    return JSON.parse(body);
  } catch {
    return {};
  }
}
