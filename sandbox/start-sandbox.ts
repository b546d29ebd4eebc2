import type { FastifyPluginAsync } from 'fastify';
import { createApiServer } from './api/server.ts';
import { type Books, openBooks } from './books.ts';
import { deliverEvents, type WebhookSecrets } from './deliver-events.ts';
import { acceptForms } from './form-body.ts';
import { accountRoutes } from './hosted/account-routes.ts';
import { checkoutRoutes } from './hosted/checkout-routes.ts';
import { setHeadersLast } from './hosted/document.ts';
import { runDueTasks } from './run-due-tasks.ts';
import type { SandboxLog } from './scope.ts';

interface SandboxOptions {
  /** Holds `sandbox.sqlite`, all of the sandbox's state. */
  dataDir: string;
  /** Whether other processes may have the same folder: one of them leads. */
  isShared?: boolean;
  /** Loopback port of the API; 0 for a free one. */
  port: number;
  /** How long each request waits for its answer, in milliseconds, as if the provider were far away. */
  delayMs?: number;
  /** Origin under which the hosted page is mounted, without a trailing slash. */
  publicUrl: string;
  /** Where events are posted; asked for at each delivery, so it may become known later. */
  webhookUrl: () => string;
  webhookSecrets: WebhookSecrets;
  log: SandboxLog;
}

export interface Sandbox {
  /** `http://127.0.0.1:<port>`, for the official SDK with any `sk_test_…` key. */
  apiUrl: string;
  /**
   * The pages people pay on, to be registered on the product's server: proxies would not lead to a
   * port of their own.
   */
  hostedPage: FastifyPluginAsync;
  /**
   * Begins, or resumes, to deliver events and to do what falls due; to be called when the product
   * listens, and of several processes on one `dataDir` in one.
   * @returns ends it; what was not delivered or done yet is taken up at the next start
   */
  lead(): () => Promise<void>;
  /** Ends everything. */
  stop(): Promise<void>;
}

/**
 * Starts the stand-in for the card-payment provider.
 * @throws when the port is taken
 */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { log } = options;
  const { books, hostedPage, api, apiUrl } = await serveApi(options);
  let end = async () => {};
  return {
    apiUrl,
    hostedPage,
    lead() {
      const stopDelivering = deliverEvents(books, options);
      const stopTasks = runDueTasks(books, log);
      const stopListening = options.isShared ? books.hearOthers() : () => {};
      end = async () => {
        stopListening();
        stopTasks();
        await stopDelivering();
      };
      return end;
    },
    async stop() {
      await Promise.all([api.close(), end()]);
      books.close();
    },
  };
}

type ApiOptions = Pick<SandboxOptions, 'dataDir' | 'port' | 'delayMs' | 'publicUrl' | 'log'>;

async function serveApi({ dataDir, port, delayMs, publicUrl, log }: ApiOptions) {
  const books = openBooks(dataDir, publicUrl);
  const hostedPage = createHostedPage(books);
  const api = createApiServer(books, hostedPage, { log, delayMs });
  const apiUrl = await api.listen({ host: '127.0.0.1', port }).catch((error) => {
    books.close();
    throw error;
  });
  return { books, hostedPage, api, apiUrl };
}

/**
 * A second door to the same state, beside a sandbox that may be running: it answers, and neither
 * delivers events nor does what falls due.
 */
export async function openSandboxApi(
  options: ApiOptions,
): Promise<{ apiUrl: string; stop(): Promise<void> }> {
  const { books, api, apiUrl } = await serveApi(options);
  return {
    apiUrl,
    async stop() {
      await api.close();
      books.close();
    },
  };
}

/** The pages that people see, as a plugin for any Fastify server. */
function createHostedPage(books: Books): FastifyPluginAsync {
  return async (app) => {
    acceptForms(app);
    setHeadersLast(app);
    checkoutRoutes(app, books);
    accountRoutes(app, books);
  };
}
