// The document, which only the server renders, points at it.
import './icons/padlink.svg?url';
import './styles/main.css';
import type { PageDescription, PageModule } from './hydrate-page.tsx';
import { whenIdleOrTouched } from './when-idle-or-touched.ts';

const pageModules = import.meta.glob<PageModule>('./pages/*.tsx');

async function hydrate(description: PageDescription) {
  const loadPage = pageModules[`./pages/${description.name}.tsx`];
  if (!loadPage) throw new Error(`There is no page ${description.name}`);
  const [{ hydratePage }, pageModule] = await Promise.all([
    import('./hydrate-page.tsx'),
    loadPage(),
  ]);
  hydratePage(pageModule, description);
}

const description: PageDescription = JSON.parse(document.getElementById('page')?.textContent ?? '');
if (description.hydrate === 'late') whenIdleOrTouched(() => void hydrate(description));
else void hydrate(description);
