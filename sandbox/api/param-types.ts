import { z } from 'zod';
import { LARGEST_CHARGE } from '../money.ts';

/** Parameters arrive as form text; these read it and refuse it in the provider's words. */

function refuse(context: z.RefinementCtx, code: string, message: string) {
  context.addIssue({ code: 'custom', message, params: { code } });
  return z.NEVER;
}

export function text(longest = 5000) {
  return z.string().min(1).max(longest);
}

export function integer(least = 0, most = Number.MAX_SAFE_INTEGER) {
  return z.string().transform((given, context) => {
    const code = 'parameter_invalid_integer';
    if (!/^-?\d{1,15}$/.test(given)) return refuse(context, code, `Invalid integer: ${given}`);
    const value = Number(given);
    if (value < least) {
      return refuse(context, code, `This value must be greater than or equal to ${least}.`);
    }
    if (value > most) {
      return refuse(context, code, `This value must be less than or equal to ${most}.`);
    }
    return value;
  });
}

/** A positive decimal number, such as an exchange rate. */
export function decimal() {
  return z.string().transform((given, context) => {
    if (/^\d{1,6}(\.\d{1,12})?$/.test(given) && Number(given) > 0) return Number(given);
    return refuse(context, 'parameter_invalid_decimal', `Invalid decimal: ${given}`);
  });
}

/** A positive amount in cents. */
export function cents() {
  return integer(1, LARGEST_CHARGE);
}

export function flag() {
  return z.string().transform((given, context) => {
    if (given === 'true' || given === 'false') return given === 'true';
    return refuse(context, 'parameter_invalid_boolean', `Invalid boolean: ${given}`);
  });
}

export function choice<const T extends readonly string[]>(values: T) {
  return z.enum(values);
}

export function usd() {
  return z.string().transform((given, context) => {
    if (given.toLowerCase() === 'usd') return 'usd';
    const message = `Invalid currency: ${given}. The sandbox supports this currency: usd`;
    return refuse(context, 'invalid_currency', message);
  });
}

export function webAddress() {
  return z.string().transform((given, context) => {
    if (/^https?:$/.test(URL.parse(given)?.protocol ?? '')) return given;
    return refuse(context, 'url_invalid', 'Not a valid URL');
  });
}

export function emailAddress() {
  return z.string().transform((given, context) => {
    if (isEmailAddress(given)) return given;
    return refuse(context, 'email_invalid', `Invalid email address: ${given}`);
  });
}

/** A parameter that may be left out, and is shown as null then. */
export function orNull<Type extends z.ZodType>(type: Type) {
  return type.optional().transform((given) => given ?? null);
}

/** Up to 50 keys; an empty value means that the key is not wanted. */
export function metadata() {
  const entries = z.record(z.string().max(40), z.string().max(500));
  return z
    .preprocess((given) => (given === '' ? {} : given), entries)
    .transform((given, context) => {
      const wanted = Object.entries(given).filter(([, value]) => value !== '');
      if (wanted.length <= 50) return Object.fromEntries(wanted);
      return refuse(context, 'parameter_invalid', 'You can only specify up to 50 metadata keys.');
    });
}

/** A moment of creation, or bounds of it, in unix seconds. */
export function createdRange() {
  const bound = integer().optional();
  return z.preprocess(
    (given) => (typeof given === 'string' ? { gte: given, lte: given } : given),
    z.strictObject({ gt: bound, gte: bound, lt: bound, lte: bound }),
  );
}

/** Whether something could be an email address; only a mail sent there could tell for sure. */
export function isEmailAddress(given: string): boolean {
  return given.length <= 254 && /^[^\s@,<>]+@[^\s@,<>]+\.[^\s@,<>.]+$/.test(given);
}
