import type { Fact, Said } from '../../contract/fact.ts';
import { say, tell } from '../languages/say.ts';

/** An error response; `message` may be shown to people, in the page's language. */
export class RequestError extends Error {
  override name = 'RequestError';
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, said: Said) {
    super(tell(said));
    this.status = status;
    this.code = code;
  }
}

export const SOMETHING_WRONG = 'Something went wrong. Please try again.';
/** A TypeError is what a browser throws when no answer came. */
const UNREACHED = 'The server could not be reached. Check your connection and try again.';
/** What a server in front of ours refuses. */
const TOO_MANY = 'Too many attempts. Please wait a moment and try again.';

/** On a page that was answered with 429; a response to a script says when to retry. */
export const TOO_MANY_SEARCHES = 'Too many searches. Please wait a minute and try again.';

interface Problem {
  code?: string;
  detail?: string;
  fact?: Fact;
  message?: string;
  title?: string;
}

/** Reads an error response, whether problem+json or the account routes' own { code, message }. */
export async function readRefusal(response: Response): Promise<RequestError> {
  return parseRefusal(response.status, await response.text().catch(() => ''));
}

/** The same from a status and a body. */
export function parseRefusal(status: number, body: string): RequestError {
  const { code = '', ...problem } = parseProblem(body);
  const said = problem.fact ?? problem.detail ?? problem.message ?? problem.title;
  return new RequestError(status, code, said ?? (status === 429 ? TOO_MANY : SOMETHING_WRONG));
}

function parseProblem(body: string): Problem {
  try {
    return JSON.parse(body) ?? {};
  } catch {
    return {};
  }
}

/** What to show for anything thrown by a request to the server, in the page's language. */
export function messageOf(error: unknown): string {
  if (error instanceof RequestError) return error.message;
  return say(error instanceof TypeError ? UNREACHED : SOMETHING_WRONG);
}

/** Gets JSON with the session cookie. Throws RequestError if refused. */
export async function getJson<Answer>(url: string): Promise<Answer> {
  const response = await fetch(url, { headers: { accept: 'application/json' } });
  if (!response.ok) throw await readRefusal(response);
  return response.json();
}

/**
 * Posts JSON with the session cookie and reads the JSON response. Throws RequestError if refused.
 */
export async function postJson<Answer>(url: string, body: object): Promise<Answer> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw await readRefusal(response);
  return response.json();
}
