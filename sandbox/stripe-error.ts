export interface StripeErrorBody {
  type: 'api_error' | 'authentication_error' | 'idempotency_error' | 'invalid_request_error';
  message: string;
  code?: string;
  param?: string;
  charge?: string;
}

const CODES_V2: Record<number, string> = { 400: 'invalid_fields', 404: 'not_found' };

/**
 * A refusal in the provider's own shape. The SDK takes any other shape for success, so this is the
 * only thing the API ever answers besides objects.
 */
export class StripeError extends Error {
  readonly status: number;
  readonly body: StripeErrorBody;

  constructor(status: number, body: StripeErrorBody) {
    super(body.message);
    this.status = status;
    this.body = body;
  }

  /** The JSON of the answer, with the address of the code's documentation. */
  toJSON(): { error: StripeErrorBody & { doc_url?: string } } {
    const { code } = this.body;
    const documentation = code && {
      doc_url: `https://docs.stripe.com/error-codes#${code.replaceAll('_', '-')}`,
    };
    return { error: { ...this.body, ...documentation } };
  }

  /** The same as API v2 says it: by a code, and a type only where the kind of failure has one. */
  toJSONv2(): { error: { code: string; message: string; type?: string } } {
    const { type, message } = this.body;
    if (type === 'idempotency_error') return { error: { type, code: type, message } };
    return { error: { code: CODES_V2[this.status] ?? type, message } };
  }
}

/** For a request that cannot be done as asked. */
export function invalidRequest(
  message: string,
  details: Pick<StripeErrorBody, 'code' | 'param' | 'charge'> = {},
  status = 400,
): StripeError {
  return new StripeError(status, { type: 'invalid_request_error', message, ...details });
}

/** A 404 for an id that names nothing. */
export function noSuch(kind: string, id: string, param = 'id') {
  return invalidRequest(`No such ${kind}: '${id}'`, { code: 'resource_missing', param }, 404);
}
