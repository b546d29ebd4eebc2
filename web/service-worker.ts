interface Lasting {
  waitUntil(work: Promise<unknown>): void;
}

interface Fetching {
  request: Request;
  /** The browser's own request, sent while this worker was being started. */
  preloadResponse: Promise<Response | undefined>;
  respondWith(answer: Promise<Response>): void;
}

/** What is used of a service worker's global scope, which the browser's types leave out. */
interface WorkerScope {
  registration: ServiceWorkerRegistration;
  addEventListener(type: 'install' | 'activate', listener: (event: Lasting) => void): void;
  addEventListener(type: 'fetch', listener: (event: Fetching) => void): void;
}

/**
 * Shows a page of ours where a browser without a connection would show its own. Keeps nothing else,
 * and lets everything but documents pass. Served as text: it may refer to nothing outside itself.
 */
function answerOffline() {
  const worker = self as unknown as WorkerScope;
  const page = '/offline';
  // Answers of these are files, or lead to other sites: the browser's own way is the surest.
  const passes = /^\/(download|sandbox|api|logout)\/?|\/content$/;

  worker.addEventListener('install', (event) => {
    const guestPage = new Request(page, { credentials: 'omit', cache: 'reload' });
    event.waitUntil(caches.open('offline').then((cache) => cache.add(guestPage)));
  });
  worker.addEventListener('activate', (event) => {
    event.waitUntil(worker.registration.navigationPreload.enable());
  });
  worker.addEventListener('fetch', (event) => {
    const { request } = event;
    if (request.mode !== 'navigate' || request.method !== 'GET') return;
    if (passes.test(new URL(request.url).pathname)) return;
    event.respondWith(load(event));
  });

  async function load({ request, preloadResponse }: Fetching): Promise<Response> {
    try {
      return (await preloadResponse) ?? (await fetch(request));
    } catch (error) {
      const offline = await caches.match(page);
      if (!offline) throw error;
      return offline;
    }
  }
}

export const SERVICE_WORKER = `(${answerOffline})()`;
