import { RequestError } from './request-error.ts';
import type { FormErrors } from './use-form.ts';

const FIELDS: [codes: RegExp, field: string][] = [
  [/^(INVALID_OTP|INVALID_CODE|INVALID_BACKUP_CODE)$/, 'code'],
  [/^PASSWORD_/, 'password'],
  [/^INVALID_PASSWORD$/, 'currentPassword'],
  [/^NOT_CONFIRMED$/, 'confirmation'],
  [/^VALIDATION_ERROR$/, 'firstName'],
  [/^INVALID_SELLER_NAME$/, 'sellerName'],
  [/EMAIL$/, 'email'],
];

/** The field that a refusal of the account routes is about; undefined when it is about none. */
export function placeAccountError(error: unknown): FormErrors | undefined {
  if (!(error instanceof RequestError)) return undefined;
  const field = FIELDS.find(([codes]) => codes.test(error.code))?.[1];
  return field ? { [field]: error.message } : undefined;
}
