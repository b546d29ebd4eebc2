import { GraphQLError, type GraphQLFormattedError } from 'graphql';
import { DomainError } from '../../domain/domain-error.ts';
import { toProblem } from '../error-mapping.ts';

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
    const { locations, path } = error;
    const place = { ...(locations && { locations }), ...(path && { path }) };
    if (cause instanceof DomainError || isInternal(cause)) {
      const { status, code, detail } = toProblem(cause);
      const isUnexpected =
        status >= 500 && !(cause instanceof DomainError && code !== 'UNAVAILABLE');
      if (isUnexpected) logUnexpected(cause);
      const quotable = isUnexpected && requestId !== undefined ? { requestId } : {};
      const errorType = code === 'UNAUTHORIZED' ? { errorType: 'Unauthorized' } : {};
      return {
        message: detail,
        ...place,
        ...errorType,
        extensions: { code, ...errorType, ...quotable },
      };
    }
    return {
      // Suggestions would tell the schema that introspection keeps.
      message: error.message.replace(/ Did you mean .*$/s, ''),
      ...place,
      extensions: { code: 'INVALID_INPUT' },
    };
  });
}

/** A refused request arrives as one error that holds the real ones; what they say is meant to leave. */
function unwrap(error: GraphQLError): GraphQLError[] {
  const nested = (error.originalError as { errors?: unknown } | undefined)?.errors;
  if (Array.isArray(nested)) return nested.map(toReported);
  if (error instanceof GraphQLError) return [error];
  const { message } = error as Error;
  return [new GraphQLError(message, { originalError: error })];
}

function toReported(error: unknown): GraphQLError {
  return error instanceof GraphQLError ? error : new GraphQLError((error as Error).message);
}

/** Thrown by a resolver or below, as opposed to reported about the query. */
function isInternal(cause: unknown): boolean {
  if (cause === undefined || cause === null || cause instanceof GraphQLError) return false;
  const { statusCode } = cause as { statusCode?: number };
  return statusCode === undefined || statusCode >= 500;
}
