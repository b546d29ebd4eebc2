import type { FastifyPluginAsync } from 'fastify';
import { z } from 'zod';
import { isLanguage, LANGUAGE_COOKIE } from '../../../../contract/languages.ts';
import type { Database } from '../../../ground/database/tables.ts';
import { chooseLanguage } from '../choose-language.ts';

/** Seconds: a year. */
const KEPT_S = 365 * 24 * 60 * 60;

const FORM = z.object({ language: z.string().refine(isLanguage), back: z.string() });

/**
 * The switch of languages in the footer: keeps the choice in the browser, and in the account of who
 * is signed in, and leads back to where it was made.
 */
export const languageRoutes: FastifyPluginAsync<{ db: Database; publicUrl: string }> = async (
  app,
  { db, publicUrl },
) => {
  app.post('/language', { bodyLimit: 16_384 }, async (request, reply) => {
    const form = FORM.safeParse(request.body);
    if (!form.success) return reply.redirect('/', 303);
    const { language, back } = form.data;
    const { user } = await request.viewer();
    if (user) await chooseLanguage(db, user, language);
    return reply
      .setCookie(LANGUAGE_COOKIE, language, {
        path: '/',
        maxAge: KEPT_S,
        sameSite: 'lax',
        httpOnly: true,
        secure: publicUrl.startsWith('https:'),
      })
      .header('cache-control', 'no-store')
      .redirect(pathOf(back, publicUrl), 303);
  });
};

/** An address of this site below its origin; the first page for any other. */
function pathOf(address: string, publicUrl: string): string {
  if (!URL.canParse(address, publicUrl)) return '/';
  const { origin, pathname, search } = new URL(address, publicUrl);
  // Two slashes would begin another host's.
  return origin === publicUrl && !pathname.startsWith('//') ? pathname + search : '/';
}
