import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { digitsOf, fieldOfRefusal } from '../../../../contract/account-checks.ts';
import type { Said } from '../../../../contract/fact.ts';
import type { FormErrors } from '../../../../contract/form-errors.ts';
import {
  loginAddress,
  SIGN_IN_CHECKS,
  type SignInForm,
  type SignInStep,
  safeNextPath,
} from '../../../../contract/sign-in.ts';
import { isFault, setRetryAfter, toProblem } from '../../../edge/http/errors.ts';
import type { PageRenderer } from '../../../edge/pages/render-page.ts';
import { DomainError } from '../../../ground/lib/domain-error.ts';
import type { Signer } from '../../../ground/lib/signer.ts';
import { BODY_LIMIT, refusalByPool, refuseKeys, worksWithPool } from './guards.ts';
import { TOO_MANY_SIGN_INS } from './log-failed-sign-in.ts';
import { type AccountCall, type AccountsContext, runAccountRoute } from './serve-account-route.ts';

/** The step that a form has led to. It lets nobody do anything: the page only shows it. */
type StepTicket = z.infer<typeof STEP_TICKET>;
export const STEP_TICKET = z.object({
  at: z.enum(['sign-in', 'verify', 'reset', 'second-factor']),
  email: z.string(),
  passwordSaved: z.boolean().optional(),
});

interface Context extends AccountsContext {
  renderer: PageRenderer;
  signer: Signer<StepTicket>;
}

type LoginRequest = FastifyRequest<{
  Querystring: { mode?: string; next?: string; resent?: string };
}>;

const PATH = '/login';
/** Seconds: somebody reads an email meanwhile. */
const TICKET_LIFETIME = 60 * 60;

const MODE = z.enum(Object.keys(SIGN_IN_CHECKS) as [SignInForm, ...SignInForm[]]);
const text = z.string().catch('');
const FIELDS = z.object({
  firstName: text,
  email: text,
  password: text,
  confirmation: text,
  code: text,
  provider: text,
  resend: text,
  invited: text,
});
type Fields = z.infer<typeof FIELDS>;

/** What the scripts of the page ask for by each of its forms. */
const CALLS: Record<SignInForm, (fields: Fields) => AccountCall> = {
  'sign-in': ({ email, password }) => ({ path: 'sign-in/email', body: { email, password } }),
  'sign-up': ({ firstName, email, password }) => ({
    path: 'sign-up/email',
    body: { firstName: firstName.trim(), email, password },
  }),
  verify: ({ email, code }) => ({
    path: 'email-otp/verify-email',
    body: { email, otp: digitsOf(code) },
  }),
  forgot: ({ email }) => ({ path: 'email-otp/request-password-reset', body: { email } }),
  reset: ({ email, code, password }) => ({
    path: 'email-otp/reset-password',
    body: { email, otp: digitsOf(code), password },
  }),
  'second-factor': ({ code }) => ({
    path: 'two-factor/verify-totp',
    body: { code: digitsOf(code) },
  }),
  'backup-code': ({ code }) => ({ path: 'two-factor/verify-backup-code', body: { code } }),
  'first-name': ({ firstName }) => ({ path: 'update-user', body: { firstName: firstName.trim() } }),
};

/** Holds the step, with the address that was typed, until somebody is signed in. */
export function stepCookie(publicUrl: string) {
  const secure = publicUrl.startsWith('https:');
  const name = secure ? '__Host-padlink_sign_in' : 'padlink_sign_in';
  return { name, path: '/', httpOnly: true, sameSite: 'lax', secure } as const;
}

/**
 * The login page, and its forms as browsers post them without a script or before it is alive. Each
 * does what the script would ask of the account routes, and leads on (303), or answers with the page
 * again that says what was wrong.
 */
export const loginRoutes: FastifyPluginAsync<Context> = async (app, context) => {
  app.removeContentTypeParser('application/json');
  app.get(PATH, (request: LoginRequest, reply) => showPage({ context, request, reply }));
  app.post(PATH, { bodyLimit: BODY_LIMIT, onRequest: refuseKeys }, (request: LoginRequest, reply) =>
    answerForm({ context, request, reply }),
  );
};

/** A request for the login page, with what answers it. */
interface Visit {
  context: Context;
  request: LoginRequest;
  reply: FastifyReply;
}

async function showPage(visit: Visit): Promise<FastifyReply> {
  const { context, request, reply } = visit;
  const { user } = await request.viewer();
  // Who came by a provider that knows no first name is asked for it here.
  if (user?.firstName) return forgetStep(visit).redirect('/dashboard', 302);
  const step = readStep(visit);
  const data = step && { ...step, isResent: request.query.resent !== undefined };
  const page = { name: 'login', data: data ?? {}, isPersonal: !!data } as const;
  return context.renderer.send(request, reply, page);
}

/** @throws DomainError INVALID_INPUT for a form that the page does not have */
async function answerForm(visit: Visit): Promise<FastifyReply> {
  const { request, reply } = visit;
  const { mode, next } = request.query;
  const fields = FIELDS.parse(request.body ?? {});
  if (mode === 'provider') return openProvider(visit, fields);
  const { data: at } = MODE.safeParse(mode);
  if (!at) throw new DomainError('INVALID_INPUT', 'Use the forms of the login page.');
  if (fields.resend) return resend(visit, at, fields);
  const errors = SIGN_IN_CHECKS[at](fields);
  if (Object.keys(errors).length > 0) return showAgain(visit, at, fields, { status: 400, errors });
  const answer = await ask(visit, CALLS[at](fields));
  if (answer.code === 'EMAIL_NOT_VERIFIED') {
    return leadTo(visit, { at: 'verify', email: fields.email });
  }
  // Whose session ended meanwhile has no account to name.
  if (answer.code === 'UNAUTHORIZED') return reply.redirect(loginAddress('sign-in', next), 303);
  if (answer.code === null) return goOn(visit, at, fields, answer);
  const { status, code, said } = answer;
  return showAgain(visit, at, fields, { status, errors: { [fieldOfRefusal(code) ?? '']: said } });
}

/** What comes after a form that was accepted. */
async function goOn(
  visit: Visit,
  at: SignInForm,
  fields: Fields,
  accepted: Answer,
): Promise<FastifyReply> {
  const { request } = visit;
  const { email } = fields;
  if (at === 'sign-up') return leadTo(visit, { at: 'verify', email });
  if (at === 'forgot') return leadTo(visit, { at: 'reset', email });
  const passwordSaved = at === 'reset';
  const answer = passwordSaved ? await signIn(visit, fields) : accepted;
  // The password is changed, and known to nobody else: the browser now is one the account knows.
  if (answer === null || answer.code !== null) {
    return leadTo(visit, { at: 'sign-in', email, passwordSaved });
  }
  if (answer.twoFactorRedirect) {
    return leadTo(visit, { at: 'second-factor', email, passwordSaved });
  }
  return forgetStep(visit)
    .header('cache-control', 'no-store')
    .redirect(safeNextPath(request.query.next), 303);
}

/** By the new password, which is saved whatever comes of it. @returns null for the server's fault */
async function signIn(visit: Visit, fields: Fields): Promise<Answer | null> {
  try {
    return await ask(visit, CALLS['sign-in'](fields));
  } catch (error) {
    visit.request.log.error({ err: error }, 'nobody was signed in by a new password');
    return null;
  }
}

async function resend(visit: Visit, at: SignInForm, fields: Fields): Promise<FastifyReply> {
  const { email } = fields;
  const step = at === 'reset' ? at : 'verify';
  const body = { email, type: 'email-verification' };
  const again = { path: 'email-otp/send-verification-otp', body };
  const answer = await ask(visit, step === 'reset' ? CALLS.forgot(fields) : again);
  if (answer.code === null) return leadTo(visit, { at: step, email }, '&resent=yes');
  const { status, said } = answer;
  return showAgain(visit, step, fields, { status, errors: { resend: said } });
}

/** To the page of a sign-in service, where the content security policy lets no form redirect. */
async function openProvider(visit: Visit, { provider }: Fields): Promise<FastifyReply> {
  const { context, request, reply } = visit;
  const next = safeNextPath(request.query.next);
  const body = { provider, callbackURL: next };
  const answer = await ask(visit, { path: 'sign-in/social', body });
  reply.header('cache-control', 'no-store');
  if (answer.code !== null || !answer.url) {
    const error = answer.status === 429 ? TOO_MANY_SIGN_INS : 'refused';
    return reply.redirect(`${PATH}?${new URLSearchParams({ next, error })}`, 303);
  }
  return reply
    .header('refresh', `0; url=${answer.url}`)
    .type('text/plain; charset=utf-8')
    .send(context.renderer.tell(request, 'Opening...'));
}

/**
 * What an account route answers, with its cookies; what is thrown for a visitor's fault as well.
 * @throws Error for the server's
 */
async function ask({ context, request, reply }: Visit, call: AccountCall): Promise<Answer> {
  const { onlyPool } = context;
  if (onlyPool && !worksWithPool(call.path)) return refusalByPool(onlyPool);
  try {
    const answer = await runAccountRoute(context, request, reply, call);
    const cookies = answer.headers.getSetCookie();
    if (cookies.length > 0) reply.header('set-cookie', cookies);
    const { status, code } = answer;
    if (status >= 500) throw new Error(`The account library answered ${status} (${code}).`);
    if (code !== null) return { status, code, said: answer.said ?? '' };
    return { status, code, ...ANSWER.parse(JSON.parse(answer.body)) };
  } catch (error) {
    const problem = toProblem(error);
    if (isFault(problem)) throw error;
    setRetryAfter(reply, error);
    const { status, code, said } = problem;
    return { status, code, said };
  }
}

/** The next step of the page, with what it shows in a cookie: an address does not belong in logs. */
function leadTo({ context, request, reply }: Visit, step: StepTicket, rest = ''): FastifyReply {
  const { name, ...cookie } = stepCookie(context.publicUrl);
  return reply
    .setCookie(name, context.signer.sign(step), { ...cookie, maxAge: TICKET_LIFETIME })
    .header('cache-control', 'no-store')
    .redirect(loginAddress(step.at, request.query.next) + rest, 303);
}

function readStep({ context, request }: Visit): SignInStep | null {
  const { mode } = request.query;
  const step = context.signer.read(request.cookies[stepCookie(context.publicUrl).name] ?? '');
  if (step?.at === 'second-factor' && mode === 'backup-code') return { ...step, at: mode };
  return step?.at === mode ? step : null;
}

function forgetStep({ context, reply }: Visit): FastifyReply {
  const { name, ...cookie } = stepCookie(context.publicUrl);
  return reply.clearCookie(name, cookie);
}

/** The page again, with what was typed but the passwords and codes, and what was wrong. */
function showAgain(
  visit: Visit,
  at: SignInForm,
  { email, firstName, invited }: Fields,
  { status, errors }: { status: number; errors: FormErrors },
): Promise<FastifyReply> {
  const { context, request, reply } = visit;
  const passwordSaved = readStep(visit)?.passwordSaved;
  return context.renderer.send(request, reply, {
    name: 'login',
    status,
    data: { at, email, passwordSaved, ...(firstName && { firstName }), errors },
    ...(invited && { askedFor: email }),
  });
}

/** What is read of an answer that is no refusal. */
const ANSWER = z.object({ twoFactorRedirect: z.boolean().nullish(), url: z.string().nullish() });

type Answer = { status: number } & (
  | ({ code: null } & z.infer<typeof ANSWER>)
  | { code: string; said: Said }
);
