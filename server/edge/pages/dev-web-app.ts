import { glob } from 'node:fs/promises';
import type { FastifyInstance } from 'fastify';
import type { PageName } from '../../../contract/pages.ts';
import { type EntryServer, forEachPage, type WebApp } from './built-web-app.ts';

/** The live application of `npm run dev`: Vite inside our server, one port, hot reload. */
export async function openDevWebApp(app: FastifyInstance, look: string): Promise<WebApp> {
  const [{ default: middie }, vite] = await Promise.all([
    import('@fastify/middie'),
    import('vite'),
  ]);
  const server = await vite.createServer({
    appType: 'custom',
    server: { middlewareMode: true, hmr: { server: app.server } },
  });
  await app.register(middie);
  app.use(server.middlewares);
  const load = async () => {
    const { bundle } = (await server.ssrLoadModule('/web/entry-server.tsx')) as EntryServer;
    return bundle;
  };
  const { pages, mails, pushTexts, tell, SENTENCES } = await load();
  return {
    pages,
    mails,
    pushTexts,
    tell,
    async render(name, context, data) {
      const { fixed, own } = (await load()).renderPage(name, context, data, {
        css: look,
        script: '/web/client.tsx',
        module: await findModule(name),
        preloads: [],
        sentences: SENTENCES,
        sentencesToAccounts: [],
        styles: ['/web/styles/main.css'],
      });
      const html = fixed.flatMap((text, place) => [text, own[place] ?? '']).join('');
      return Buffer.from(await server.transformIndexHtml(context.path, html));
    },
    serviceWorker: null,
    styleSources: forEachPage(() => ["'unsafe-inline'"]),
    scriptSources: forEachPage(() => ["'unsafe-inline'"]),
    close: () => server.close(),
  };
}

/** The address of a page's source. */
async function findModule(name: PageName): Promise<string> {
  for await (const source of glob(`web/**/${name}.page.tsx`)) return `/${source}`;
  throw new Error(`There is no page ${name}`);
}
