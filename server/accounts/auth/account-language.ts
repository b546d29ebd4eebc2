import type { GenericEndpointContext } from 'better-auth';
import type { Language } from '../../../contract/languages.ts';
import { languageOf } from '../../lib/language.ts';

/** That an account is mailed in: of the page that it was made on, until its owner chooses another. */
export const ACCOUNT_LANGUAGE = {
  language: { type: 'string', required: true, defaultValue: 'en', input: false },
} as const;

/** That a visitor's pages are in. */
export function languageOfVisitor(
  ctx: Pick<GenericEndpointContext, 'headers'> | null | undefined,
): Language {
  const headers = ctx?.headers;
  return languageOf({
    cookie: headers?.get('cookie') ?? undefined,
    'accept-language': headers?.get('accept-language') ?? undefined,
  });
}

/** For whatever way an account is made. */
export async function keepLanguage<User>(user: User, ctx: GenericEndpointContext | null) {
  return { data: { ...user, language: languageOfVisitor(ctx) } };
}
