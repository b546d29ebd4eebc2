import type { z } from 'zod';
import { invalidRequest, type StripeError } from '../stripe-error.ts';

/**
 * Reads the parameters of a request by its shape.
 * @throws StripeError that names the first parameter at fault
 */
export function parseParams<S extends z.ZodType>(shape: S, raw: unknown): z.infer<S> {
  const result = shape.safeParse(raw);
  if (result.success) return result.data;
  const { issues } = result.error;
  const unknown = issues.find((issue) => issue.code === 'unrecognized_keys');
  throw refusal(unknown ?? (issues[0] as z.core.$ZodIssue), raw);
}

function refusal(issue: z.core.$ZodIssue, raw: unknown): StripeError {
  const param = paramName(issue.path);
  switch (issue.code) {
    case 'unrecognized_keys': {
      const names = issue.keys.map((key) => paramName([...issue.path, key]));
      const noun = names.length > 1 ? 'parameters' : 'parameter';
      return invalidRequest(`Received unknown ${noun}: ${names.join(', ')}`, {
        code: 'parameter_unknown',
        param: names[0] as string,
      });
    }
    case 'invalid_type':
    case 'invalid_value': {
      const given = valueAt(raw, issue.path);
      if (given === undefined) {
        return invalidRequest(`Missing required param: ${param}.`, {
          code: 'parameter_missing',
          param,
        });
      }
      if (issue.code === 'invalid_value') {
        const values = new Intl.ListFormat('en', { type: 'disjunction' }).format(
          issue.values.map(String),
        );
        return invalidRequest(`Invalid ${param}: must be one of ${values}`, { param });
      }
      return invalidRequest(`Invalid ${issue.expected}`, { param });
    }
    case 'too_small':
      return invalidRequest(
        `You passed an empty string for '${param}'. We assume empty values are an attempt to unset a parameter; however '${param}' cannot be unset. You should remove '${param}' from your request or supply a non-empty value.`,
        { code: 'parameter_invalid_empty', param },
      );
    case 'too_big':
      return invalidRequest(
        `Invalid string: must be at most ${issue.maximum} characters long (${param})`,
        { param },
      );
    case 'custom':
      return invalidRequest(issue.message, { ...(issue.params as { code: string }), param });
    default:
      return invalidRequest(`Invalid parameter: ${param}`, { param });
  }
}

/** `['line_items', 0, 'price_data']` is called `line_items[0][price_data]` in a form. */
function paramName([first, ...rest]: PropertyKey[]): string {
  return String(first) + rest.map((part) => `[${String(part)}]`).join('');
}

function valueAt(raw: unknown, path: PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, key) => (value as Record<PropertyKey, unknown> | undefined)?.[key],
    raw,
  );
}
