import { createAuthMiddleware } from 'better-auth/api';

type Handler = Parameters<typeof createAuthMiddleware>[0];

/** A hook of the account library on one of its routes. */
export const onPath = (path: string, handler: Handler) => ({
  matcher: (request: { path?: string }) => request.path === path,
  handler: createAuthMiddleware(handler),
});

/** One on all of its routes. */
export const onEveryPath = (handler: Handler) => ({
  matcher: () => true,
  handler: createAuthMiddleware(handler),
});
