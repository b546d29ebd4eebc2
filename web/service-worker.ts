interface Lasting {
  waitUntil(work: Promise<unknown>): void;
}

/** What its events carry, of what is used here. */
interface WorkerEvents {
  install: Lasting & {
    /** Chromium's: which requests go to the network without waking the worker. */
    addRoutes?(
      routes: { condition: { urlPattern: { pathname: string } }; source: 'network' }[],
    ): Promise<void>;
  };
  activate: Lasting;
  fetch: { request: Request; respondWith(answer: Promise<Response>): void };
  push: Lasting & {
    data: { json(): { title: string; body: string; tag: string; path: string } } | null;
  };
  notificationclick: Lasting & { notification: Notification };
}

interface Window {
  url: string;
  focus(): Promise<unknown>;
}

/** What is used of a service worker's global scope, which the browser's types leave out. */
interface WorkerScope {
  registration: ServiceWorkerRegistration;
  clients: {
    matchAll(which: { type: 'window' }): Promise<Window[]>;
    openWindow(path: string): Promise<unknown>;
  };
  skipWaiting(): Promise<void>;
  addEventListener<Type extends keyof WorkerEvents>(
    type: Type,
    listener: (event: WorkerEvents[Type]) => void,
  ): void;
}

/**
 * Whatever delivers, pays, signs or reports: the browser requests it itself, once, and never ahead
 * of time. `*` stands for anything.
 */
export const BROWSERS_OWN = [
  '/p/*/content*',
  '/p/*/receipt',
  '/sandbox/*',
  '/api/*',
  '/storage/*',
  '/download/*',
  '/dashboard/*',
  '/logout',
];

/**
 * Shows our own page where a browser without a connection would show its own; /verify, which keeps
 * itself, works all the same. Caches nothing else, and ignores everything but documents and what
 * that one loads. Shows sellers their sales, where they want that. Served as text: it may refer to
 * nothing outside itself.
 */
function work(browsersOwn: string[]) {
  const worker = self as unknown as WorkerScope;
  const page = '/offline';
  const kept = /^[^?#]+\/verify(?:[?#]|$)/;
  const asKept = { ignoreSearch: true, ignoreVary: true };
  const passes = browsersOwn.map((path) => new RegExp(`^${path.replaceAll('*', '.*')}$`));

  worker.addEventListener('install', (event) => {
    const guestPage = new Request(page, { credentials: 'omit', cache: 'reload' });
    event.waitUntil(caches.open('offline').then((cache) => cache.add(guestPage)));
    const routes = browsersOwn.map((pathname) => ({
      condition: { urlPattern: { pathname } },
      source: 'network' as const,
    }));
    if (event.addRoutes) event.waitUntil(event.addRoutes(routes));
    // An older worker may request files twice: it is replaced immediately, not with its last page.
    event.waitUntil(worker.skipWaiting());
  });
  worker.addEventListener('activate', (event) => {
    // The browser would send it for every navigation, for files as well: the second request of a
    // file waits 20 seconds for the first. Older workers turned it on.
    event.waitUntil(worker.registration.navigationPreload.disable());
  });
  worker.addEventListener('fetch', (event) => {
    const { request } = event;
    if (request.method !== 'GET') return;
    if (request.mode !== 'navigate') {
      if (kept.test(request.referrer)) event.respondWith(loadPart(request));
      return;
    }
    const { pathname } = new URL(request.url);
    if (passes.some((path) => path.test(pathname))) return;
    event.respondWith(load(request));
  });
  worker.addEventListener('push', (event) => {
    // Browsers demand that each message shows something.
    const {
      title = 'You made a sale',
      body = '',
      tag = '',
      path = '/dashboard',
    } = {
      ...event.data?.json(),
    };
    const shown = { body, tag, icon: '/icon-192.png', data: path };
    event.waitUntil(worker.registration.showNotification(title, shown));
  });
  worker.addEventListener('notificationclick', (event) => {
    event.notification.close();
    event.waitUntil(open(event.notification.data));
  });

  async function open(path: string): Promise<void> {
    const windows = await worker.clients.matchAll({ type: 'window' });
    const there = windows.find(({ url }) => new URL(url).pathname === path);
    await (there ? there.focus() : worker.clients.openWindow(path));
  }

  async function load(request: Request): Promise<Response> {
    try {
      return await fetch(request);
    } catch (error) {
      const offline = (await caches.match(request, asKept)) ?? (await caches.match(page));
      if (!offline) throw error;
      return offline;
    }
  }

  async function loadPart(request: Request): Promise<Response> {
    return (await caches.match(request, asKept)) ?? fetch(request);
  }
}

export const SERVICE_WORKER = `(${work})(${JSON.stringify(BROWSERS_OWN)})`;
