import type { FastifyInstance } from 'fastify';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** A route that only says that its method is not taken. */
    refuses?: true;
  }
}

/** The methods that are taken at an address, in order; none where there is nothing. */
export type MethodsAt = (url: string) => string[];

export const NOT_TAKEN = 'This address does not accept this kind of request.';

interface Place {
  pattern: RegExp;
  methods: Set<string>;
}

/**
 * Refuses (405) what has a route for another method only. To be called before routes are registered.
 * @returns what they take
 */
export function refuseMethods(app: FastifyInstance): MethodsAt {
  const places = new Map<string, Place>();

  app.addHook('onRoute', ({ url, method, config }) => {
    if (config?.refuses) return;
    const place = places.get(url) ?? { pattern: toPattern(url), methods: new Set() };
    places.set(url, place);
    for (const name of [method].flat()) place.methods.add(name);
  });

  const methodsAt: MethodsAt = (url) => {
    const [path = ''] = url.split('?', 1);
    const found = [...places.values()].filter(({ pattern }) => pattern.test(path));
    return [...new Set(found.flatMap(({ methods }) => [...methods]))].sort();
  };

  app.addHook('onRequest', (request, reply, done) => {
    if (!request.is404) return done();
    const taken = methodsAt(request.url);
    if (taken.length === 0) return done();
    reply.header('allow', taken.join(', '));
    done(Object.assign(new Error(NOT_TAKEN), { statusCode: 405 }));
  });

  return methodsAt;
}

/** `/p/:id/card.png` with any id. */
function toPattern(url: string): RegExp {
  const source = url
    .replace(/[.+?^${}()|[\]\\]/g, '\\$&')
    .replace(/:\w+/g, '[^/]+')
    .replace('*', '.*');
  return new RegExp(`^${source}$`);
}
