import { PadlinkError } from './errors.ts';
import { CODES_OF } from './generated/codes.ts';
import type { Operation } from './generated/operations.ts';

export interface CallOptions {
  /** Ends the call, which then rejects with the reason of the signal. */
  signal?: AbortSignal | undefined;
}

export interface ClientOptions {
  /** Where the shop is, such as https://pay.example.com. */
  url: string;
  /** A secret key, sk_padlink_…; what is public needs none. */
  key?: string | undefined;
  /** In place of a key: the token of a session, which may do whatever its account may. */
  token?: string | undefined;
  /** How often a call that changes nothing by being repeated is repeated: twice unless given. */
  retries?: number | undefined;
  /** How many milliseconds an answer may take: 60,000 unless given. */
  timeout?: number | undefined;
  /** In place of the global one. */
  fetch?: typeof globalThis.fetch | undefined;
}

export interface Call extends CallOptions {
  method?: string;
  headers?: Record<string, string> | undefined;
  body?: BodyInit;
  /** Milliseconds. */
  timeout?: number;
  /** Whether the key stays here. */
  isAnonymous?: boolean;
}

/** Whoever has to wait longer is told so instead. Seconds. */
const LONGEST_WAIT = 60;
const REPEATABLE = ['GET', 'HEAD', 'PUT', 'DELETE'];

/** How calls reach the shop, and what comes of them. */
export class Transport {
  readonly origin: string;
  readonly retries: number;
  readonly #options: ClientOptions;
  readonly #authority: Record<string, string>;

  /** @throws PadlinkError INVALID_INPUT */
  constructor(options: ClientOptions) {
    if (!/^https?:\/\/./.test(options.url)) {
      const message = 'Give the address of the shop as url, such as https://pay.example.com.';
      throw new PadlinkError('INVALID_INPUT', message);
    }
    const { key, token } = options;
    // Or else what refuses such a header would repeat it.
    if (!/^[!-~]*$/.test(`${key ?? ''}${token ?? ''}`)) {
      throw new PadlinkError('INVALID_INPUT', 'The key holds characters that no key has.');
    }
    this.origin = new URL(options.url).origin;
    this.#authority = {
      ...(key && { 'x-api-key': key }),
      ...(token && { authorization: `Bearer ${token}` }),
    };
    this.retries = options.retries ?? 2;
    this.#options = options;
  }

  /** What the one field of an operation is. @throws PadlinkError */
  async ask<Result, Variables>(
    { text, isQuery }: Operation<Result, Variables>,
    variables: Variables,
    { signal }: CallOptions = {},
    isRepeatable = isQuery,
  ): Promise<NonNullable<Result>> {
    const data = await this.graphql({ query: text, variables }, signal, isRepeatable);
    return Object.values(data as object)[0];
  }

  /** @throws PadlinkError */
  async graphql(
    asked: { query: string; variables: unknown },
    signal: AbortSignal | undefined,
    isRepeatable: boolean,
  ): Promise<unknown> {
    const call = { ...post(asked), signal };
    return this.#repeat(isRepeatable, signal, async () => {
      const response = await this.#once('/graphql', call);
      const { data, errors } = await this.read<GraphqlAnswer>(response, signal);
      if (errors?.[0]) throw graphqlError(errors[0], response);
      if (!data) throw this.#notOurs(response.status);
      return data;
    });
  }

  /** The JSON that a call answers with. @throws PadlinkError */
  async json<Body>(path: string, call: Call = {}): Promise<Body> {
    return this.read<Body>(await this.send(path, call), call.signal);
  }

  /** @throws PadlinkError for every answer that is neither a success nor a 303 */
  async send(path: string, call: Call = {}): Promise<Response> {
    const isRepeatable = REPEATABLE.includes(call.method ?? 'GET');
    return this.#repeat(isRepeatable, call.signal, () => this.#once(path, call));
  }

  /** @throws PadlinkError */
  async read<Body>(response: Response, signal: AbortSignal | undefined): Promise<Body> {
    const text = await response.text().catch((cause) => this.#fail(cause, signal));
    try {
      const body = JSON.parse(text);
      if (body) return body as Body;
    } catch {}
    throw this.#notOurs(response.status);
  }

  async #once(path: string, { signal, timeout, isAnonymous, ...call }: Call): Promise<Response> {
    const { fetch = globalThis.fetch } = this.#options;
    const late = AbortSignal.timeout(timeout ?? this.#options.timeout ?? 60_000);
    const response = await fetch(new URL(path, this.origin), {
      ...call,
      headers: { ...(isAnonymous ? {} : this.#authority), ...call.headers },
      // The key goes nowhere else.
      redirect: 'manual',
      signal: signal ? AbortSignal.any([signal, late]) : late,
    }).catch((cause) => this.#fail(cause, signal));
    if (response.ok || response.status === 303) return response;
    const type = response.headers.get('content-type') ?? '';
    if (type.startsWith('application/json')) {
      const { errors } = await this.read<GraphqlAnswer>(response, signal);
      if (errors?.[0]) throw graphqlError(errors[0], response);
    }
    if (!type.startsWith('application/problem+json')) throw this.#notOurs(response.status);
    const { code, detail, requestId } = await this.read<Problem>(response, signal);
    throw new PadlinkError(code, detail, {
      ...waitOf(response),
      status: response.status,
      requestId,
    });
  }

  async #repeat<Result>(
    isRepeatable: boolean,
    signal: AbortSignal | undefined,
    attempt: () => Promise<Result>,
  ): Promise<Result> {
    for (let repeats = 0; ; repeats += 1) {
      try {
        return await attempt();
      } catch (error) {
        if (!isRepeatable || repeats >= this.retries || !isBusy(error)) throw error;
        await waitAfter(error, repeats, signal);
      }
    }
  }

  #fail(cause: unknown, signal: AbortSignal | undefined): never {
    signal?.throwIfAborted();
    const { message, cause: below } = cause as Error;
    const reason = below instanceof Error ? below.message : message;
    throw new PadlinkError('NO_ANSWER', `${this.origin} did not answer: ${reason}`, { cause });
  }

  #notOurs(status: number): PadlinkError {
    const message = `${this.origin} answered ${status}, and not as Padlink does: check the address.`;
    return new PadlinkError('INVALID_ANSWER', message, { status });
  }
}

interface Problem {
  code: string;
  detail: string;
  requestId: string;
}

interface GraphqlAnswer {
  data?: unknown;
  errors?: GraphqlError[];
}

interface GraphqlError {
  message: string;
  extensions?: { code?: string; retryAfter?: number; requestId?: string };
}

function graphqlError({ message, extensions = {} }: GraphqlError, response: Response) {
  const { code = 'INTERNAL', ...details } = extensions;
  const [status = 400] =
    Object.entries(CODES_OF).find(([, codes]) => codes.split(' ').includes(code)) ?? [];
  return new PadlinkError(code, message, {
    ...waitOf(response),
    status: Number(status),
    ...details,
  });
}

function waitOf({ headers }: Response): { retryAfter?: number } {
  const seconds = Number(headers.get('retry-after') ?? Number.NaN);
  return Number.isNaN(seconds) ? {} : { retryAfter: seconds };
}

/** As JSON. */
export function post(body: object): Call {
  return {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  };
}

/** Whether nothing was done, and the same may be done later. */
function isBusy(error: unknown): error is PadlinkError {
  if (!(error instanceof PadlinkError) || error.code === 'CHECKOUT_NOT_CONFIGURED') return false;
  return error.status === 429 || error.status === 503;
}

/** @throws the error itself, if its wait would be too long */
export async function waitAfter(
  error: PadlinkError,
  repeats: number,
  signal: AbortSignal | undefined,
): Promise<void> {
  const { retryAfter = 2 ** repeats } = error;
  if (retryAfter > LONGEST_WAIT) throw error;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const over = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, retryAfter * 1_000);
  });
  await unlessAborted(signal, over).finally(() => clearTimeout(timer));
}

/** @throws the reason of the signal, whatever becomes of the work */
export async function unlessAborted<Result>(
  signal: AbortSignal | undefined,
  work: Promise<Result>,
): Promise<Result> {
  signal?.throwIfAborted();
  let end = () => {};
  const aborted = new Promise<never>((_resolve, reject) => {
    end = () => reject(signal?.reason);
  });
  signal?.addEventListener('abort', end);
  return Promise.race([work, aborted]).finally(() => signal?.removeEventListener('abort', end));
}
