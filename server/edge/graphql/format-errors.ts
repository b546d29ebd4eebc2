import { GraphQLError, type GraphQLFormattedError } from 'graphql';
import { DomainError } from '../../ground/lib/domain-error.ts';
import { factBeside, toProblem } from '../http/errors.ts';
import { RateLimited } from '../http/rate-limits.ts';

/** Characters. */
const MAX_MESSAGE_LENGTH = 300;
/** Places in the query that one error names. */
const MAX_LOCATIONS = 10;

interface FormattedError extends GraphQLFormattedError {
  extensions: Record<string, unknown>;
}

/**
 * Errors as they leave: a refusal with its code, bad input with its place in the query, and
 * anything else masked, with the number of the request to quote where there is one. The data layer's
 * name for a refused call is kept as errorType.
 */
export function formatErrors(
  errors: readonly GraphQLError[],
  logUnexpected: (error: unknown) => void,
  requestId?: string,
): FormattedError[] {
  return errors.flatMap(unwrap).map((error) => {
    const cause = error.originalError;
    const { path } = error;
    const locations = error.locations?.slice(0, MAX_LOCATIONS);
    const place = { ...(locations && { locations }), ...(path && { path }) };
    if (cause instanceof DomainError || isInternal(cause)) {
      const { status, code, detail, said } = toProblem(cause);
      const isUnexpected =
        status >= 500 && !(cause instanceof DomainError && code !== 'UNAVAILABLE');
      if (isUnexpected) logUnexpected(cause);
      const quotable = isUnexpected && requestId !== undefined ? { requestId } : {};
      const errorType = code === 'UNAUTHORIZED' ? { errorType: 'Unauthorized' } : {};
      const wait = cause instanceof RateLimited ? { retryAfter: cause.retryAfter } : {};
      return {
        message: shorten(detail),
        ...place,
        ...errorType,
        extensions: { code, ...factBeside(said), ...errorType, ...quotable, ...wait },
      };
    }
    return {
      // Suggestions would tell the schema that introspection keeps.
      message: shorten(withoutValue(error).replace(/ Did you mean .*$/s, '')),
      ...place,
      extensions: { code: 'INVALID_INPUT' },
    };
  });
}

/**
 * What is wrong with a variable, without the variable: GraphQL repeats all of it in each error that
 * it finds in it, and its scalars what they cannot take.
 */
function withoutValue({ message, originalError }: GraphQLError): string {
  const [start] = /^Variable "\$\w+" got invalid value/.exec(message) ?? [];
  if (start === undefined) return message;
  const reason = originalError?.message ?? message.slice(message.lastIndexOf('; ') + 2);
  const before = message.slice(start.length, message.length - reason.length);
  const [place = ''] = / at "[\w.[\]]+"(?=; $)/.exec(before) ?? [];
  return `${start}${place}; ${reason.replace(/(cannot represent [^:]*): .*$/s, '$1.')}`;
}

/** Whatever a query or an input holds may be repeated in what is said of it. */
function shorten(message: string): string {
  if (message.length <= MAX_MESSAGE_LENGTH) return message;
  return `${message.slice(0, MAX_MESSAGE_LENGTH - 1).toWellFormed()}…`;
}

/**
 * A refused request arrives as one error that holds the real ones; what they say is meant to leave. What
 * a network's errors say, which Node.js gathers in the same way, is not.
 */
function unwrap(error: GraphQLError): readonly GraphQLError[] {
  const nested = (error.originalError as { errors?: unknown } | undefined)?.errors;
  const found = Array.isArray(nested) ? nested : [];
  const isRefused = found.length > 0 && found.every((one) => one instanceof GraphQLError);
  return isRefused ? found : [toReported(error)];
}

/** An error of GraphQL as it is; any other one as its cause. */
export function toReported(error: Error): GraphQLError {
  return error instanceof GraphQLError
    ? error
    : new GraphQLError(error.message, { originalError: error });
}

/** Thrown by a resolver or below, as opposed to reported about the query. */
function isInternal(cause: unknown): boolean {
  if (cause === undefined || cause === null || cause instanceof GraphQLError) return false;
  const { statusCode } = cause as { statusCode?: number };
  return statusCode === undefined || statusCode >= 500;
}
