import type { FastifyInstance } from 'fastify';
import qs from 'qs';

const FORM = 'application/x-www-form-urlencoded';

/** Reads `a[b][0]=c` as `{ a: { b: ['c'] } }`, in queries and bodies alike. */
export function parseForm(encoded: string): Record<string, unknown> {
  return qs.parse(encoded, { arrayLimit: 100, depth: 8, parameterLimit: 1000 });
}

/** Makes one scope of a server understand forms, in place of whatever it was told before. */
export function acceptForms(app: FastifyInstance): void {
  if (app.hasContentTypeParser(FORM)) app.removeContentTypeParser(FORM);
  app.addContentTypeParser(FORM, { parseAs: 'string' }, (_request, body, done) => {
    done(null, parseForm(body as string));
  });
}
