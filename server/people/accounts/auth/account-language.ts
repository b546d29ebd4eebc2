import type { GenericEndpointContext } from 'better-auth';
import type { Language } from '../../../../contract/languages.ts';
import type { Database } from '../../../ground/database/tables.ts';
import { languageOf } from '../../../ground/lib/language.ts';

/**
 * That an account is mailed in: of the page that it was made on, until its owner chooses another. It
 * is not returned, since the answer to a sign-up is made up where there is an account already.
 */
export const ACCOUNT_LANGUAGE = {
  language: {
    type: 'string',
    required: true,
    defaultValue: 'en',
    input: false,
    returned: false,
  },
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

/** undefined where there is no such account, or no longer. */
export async function readLanguage(db: Database, userId: string): Promise<Language | undefined> {
  const account = await db
    .selectFrom('user')
    .where('id', '=', userId)
    .select('language')
    .executeTakeFirst();
  return account?.language;
}

/** For whatever way an account is made. */
export async function keepLanguage<User>(user: User, ctx: GenericEndpointContext | null) {
  return { data: { ...user, language: languageOfVisitor(ctx) } };
}
