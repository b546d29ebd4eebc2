import { resolve } from 'node:path';
import type { Plugin } from 'vite';
import { GERMAN } from '../../web/languages/german.ts';
import { collectModules, listPages } from './page-modules.ts';

/** Where the build leaves what the scripts of each page can say, beside its manifest. */
const FILE = '.vite/sentences.json';

/** What every page's scripts begin with. */
const ENTRIES = ['web/client.tsx', 'web/shell/hydrate-page.tsx'].map((path) => resolve(path));

/** Of use to signed-in visitors alone: no buyer is to wait for what these say. */
const OF_ACCOUNTS = ['web/selling/paywall/owner-panel.tsx', 'web/shell/watch-viewer.ts'];

const SENTENCES = Object.keys(GERMAN);
const QUOTE = /[`"']/;

/** Tells the server which sentences of the catalog each page's own modules contain. */
export function pageSentences(): Plugin {
  return {
    name: 'page-sentences',
    applyToEnvironment: ({ name }) => name === 'client',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const scripts = Object.values(bundle).map((file) => ('code' in file ? file.code : ''));
        // What the server alone draws is in the modules, and in no script.
        const shipped = new Set(findSentences(scripts.join('\n')));
        const known = new Map<string, string[]>();
        const saidBy = (modules: string[]) => [
          ...new Set(modules.flatMap(said).filter((sentence) => shipped.has(sentence))),
        ];
        const said = (id: string) => {
          const found = known.get(id) ?? findSentences(this.getModuleInfo(id)?.code ?? '');
          known.set(id, found);
          return found;
        };
        const pages = listPages(bundle).map(({ name, source }) => {
          const sources = [...ENTRIES, source];
          const sentences = saidBy(collectModules(this, sources, OF_ACCOUNTS));
          const all = saidBy(collectModules(this, sources));
          const sentencesToAccounts = all.filter((sentence) => !sentences.includes(sentence));
          return [name, { sentences, sentencesToAccounts }];
        });
        this.emitFile({
          type: 'asset',
          fileName: FILE,
          source: JSON.stringify(Object.fromEntries(pages)),
        });
      },
    },
  };
}

function findSentences(code: string): string[] {
  const text = code.replaceAll('\\', '');
  const literals = new Set(text.split(QUOTE));
  return SENTENCES.filter((sentence) =>
    QUOTE.test(sentence) ? text.includes(sentence) : literals.has(sentence),
  );
}
