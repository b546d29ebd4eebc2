import { globSync } from 'node:fs';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin, type Rolldown } from 'vite';
import { pageSentences } from './scripts/setup/page-sentences.ts';
import { pageStyles } from './scripts/setup/page-styles.ts';
import { toAscii } from './scripts/setup/to-ascii.ts';

type Graph = Parameters<Rolldown.CodeSplittingNameFunction>[1];

export default defineConfig({
  plugins: [react(), tailwindcss(), pageStyles(), pageSentences(), serverInAscii()],
  // The server owns every route; Vite only compiles what the pages load.
  appType: 'custom',
  publicDir: false,
  // Small, and the package brings along TypeScript, which a server is not to be installed with.
  ssr: { noExternal: ['gql.tada', '@0no-co/graphql.web'] },
  build: {
    manifest: true,
    // The content security policy allows no data: addresses for scripts, styles or fonts.
    assetsInlineLimit: 0,
    // The server knows what a page loads, and says it in the document.
    modulePreload: false,
    rolldownOptions: {
      input: ['web/client.tsx', 'web/styles/main.css', ...globSync('web/**/*.page.tsx')],
      preserveEntrySignatures: 'exports-only',
      // What the server alone draws leaves no request behind.
      treeshake: { moduleSideEffects: (id) => !/\/(contract|web)\/.*\.tsx?$/.test(id) },
      output: {
        // Two shared files rather than one request for each small module.
        codeSplitting: {
          groups: [
            { name: 'react', test: /node_modules\/(react|react-dom|scheduler)\// },
            // What the entry begins with stays in it: a file with React comes later.
            { name: nameOfEntry, debugName: 'client' },
            // But for lists, and forms of sellers and operators: no page of a link is to load them.
            {
              name: 'shared',
              test: /\/(web|contract)\/(?!office|money|moderation|account-checks|password-policy|link-rules|drawn-cover|describe-contents|ui\/(code-field|link-cover|drawn-cover|list-parts|act-button|dialog|change-failure|price-field|picture-picker|cover-button)|lib\/(accounts|use-form|decimals)|shell\/raw|characters)/,
              minShareCount: 5,
            },
          ],
        },
      },
    },
  },
});

function serverInAscii(): Plugin {
  return {
    name: 'server-in-ascii',
    applyToEnvironment: ({ name }) => name === 'ssr',
    generateBundle(_options, files) {
      for (const file of Object.values(files)) {
        if (file.type === 'chunk') file.code = toAscii(file.code);
      }
    },
  };
}

/** Puts whatever web/client.tsx imports into its own file. */
function nameOfEntry(id: string, graph: Graph): string | null {
  const seen = new Set<string>();
  const isImportedByEntry = (module: string): boolean => {
    if (module.endsWith('/web/client.tsx')) return true;
    if (seen.has(module)) return false;
    seen.add(module);
    return graph.getModuleInfo(module)?.importers.some(isImportedByEntry) ?? false;
  };
  return isImportedByEntry(id) ? 'client' : null;
}
