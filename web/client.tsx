// The document names the icon; imported here as well, it is among the built files.
import './icons/padlink.svg?url';
import './styles/main.css';
import { EarlySubmit } from './early-submit.ts';
import type { PageDescription, PageModule } from './hydrate-page.tsx';
import { announceSlowNavigation } from './slow-navigation.ts';
import { watchViewer } from './watch-viewer.ts';
import { whenIdle } from './when-idle.ts';
import { whenIdleOrTouched } from './when-idle-or-touched.ts';

const pageModules = import.meta.glob<PageModule>('./pages/*.tsx');
const description: PageDescription = JSON.parse(document.getElementById('page')?.textContent ?? '');
announceSlowNavigation();
watchViewer(description.ctx.viewer?.id ?? null);
// Browsers have it on https and on this machine only; development has none.
if (import.meta.env.PROD && 'serviceWorker' in navigator) {
  whenIdle(() => void navigator.serviceWorker.register('/service-worker.js'));
}
const earlySubmit = new EarlySubmit(() => void hydrate());

async function hydrate() {
  const loadPage = pageModules[`./pages/${description.name}.tsx`];
  if (!loadPage) throw new Error(`There is no page ${description.name}`);
  const [{ hydratePage }, pageModule] = await Promise.all([
    import('./hydrate-page.tsx'),
    loadPage(),
  ]);
  if (!earlySubmit.sent) hydratePage(pageModule, description);
}

if (description.hydrate === 'late') whenIdleOrTouched(() => void hydrate());
else void hydrate();
