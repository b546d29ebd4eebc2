import type { FastifyPluginAsync } from 'fastify';
import type { Books } from '../books.ts';
import { acceptForms } from '../form-body.ts';
import { checkoutRoutes } from './checkout-routes.ts';
import { onboardingRoutes } from './onboarding-routes.ts';
import { setHeadersLast } from './send-answer.ts';

/** The pages that people see, as a plugin for any Fastify server. */
export function createHostedPage(books: Books): FastifyPluginAsync {
  return async (app) => {
    acceptForms(app);
    setHeadersLast(app);
    checkoutRoutes(app, books);
    onboardingRoutes(app, books);
  };
}
