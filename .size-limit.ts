import { readFileSync } from 'node:fs';
import { build } from 'vite';
import {
  FONTS_WEIGHT,
  PAGE_NAMES,
  PAGE_WEIGHTS,
  type PageName,
  STYLES_WEIGHT,
} from './contract/pages.ts';
import { collectChunks, listPageChunks, type Manifest } from './server/edge/pages/built-web-app.ts';

const manifest: Manifest = JSON.parse(readFileSync('dist/client/.vite/manifest.json', 'utf8'));

const OWNER_PANEL = 'web/selling/paywall/owner-panel.tsx';
/** What a page asks for only at a press of a button, once a file was chosen, or for its owner. */
const ON_DEMAND = [
  // Only in another language than English, for which tests/sentences/languages.test.ts has a limit.
  'web/languages/speech.ts',
  'web/people/accounts/set-up-steps.tsx',
  OWNER_PANEL,
  'web/lib/played.ts',
  'web/selling/paywall/player.ts',
  'web/selling/sharing/draw-qr-code.ts',
  'web/files/more-fields.tsx',
  'web/files/share-new-link.tsx',
  'web/files/upload-file.ts',
  'web/office/dashboard/delete-dialog.tsx',
  'web/office/dashboard/edit-dialog.tsx',
  'web/office/dashboard/refund-dialog.tsx',
  'web/office/dashboard/share-dialog.tsx',
];

/** What a program that bundles the client loads. */
const CLIENT = 'node_modules/.cache/padlink-client';
await build({
  configFile: false,
  logLevel: 'error',
  build: {
    lib: { entry: 'client/src/index.ts', formats: ['es'], fileName: 'client' },
    outDir: CLIENT,
    emptyOutDir: true,
    copyPublicDir: false,
    // As programs bundle it: by itself Vite leaves its spaces to a library.
    rolldownOptions: { output: { minify: true } },
  },
});

const ADVICE = 'Load what is rarely used by import(), or leave it out.';

function listScripts(page: PageName, onDemand = ON_DEMAND): string[] {
  const chunks = listPageChunks(manifest, page).all;
  const later = chunks
    .flatMap(({ dynamicImports = [] }) => dynamicImports)
    .filter((source) => !onDemand.includes(source));
  const all = new Set([...chunks, ...collectChunks(manifest, later)]);
  return [...all].map(({ file }) => `dist/client/${file}`);
}

export default [
  {
    name: 'The client for programs',
    path: `${CLIENT}/*.js`,
    limit: '6 kB',
    gzip: true,
    message: 'Leave it out, or let programs ask for it by graphql().',
  },
  {
    name: 'CSS of every page',
    path: 'dist/client/assets/*.css',
    limit: `${STYLES_WEIGHT} B`,
    message: ADVICE,
  },
  {
    name: 'Fonts',
    path: 'dist/client/assets/*.woff2',
    limit: `${FONTS_WEIGHT} B`,
    brotli: false,
    message: ADVICE,
  },
  {
    name: 'JavaScript of the page paywall, for its owner',
    path: listScripts(
      'paywall',
      ON_DEMAND.filter((source) => source !== OWNER_PANEL),
    ),
    limit: '76400 B',
    message: ADVICE,
  },
  ...PAGE_NAMES.filter((page) => PAGE_WEIGHTS[page].scripts > 0).map((page) => ({
    name: `JavaScript of the page ${page}`,
    path: listScripts(page),
    limit: `${PAGE_WEIGHTS[page].scripts} B`,
    message: ADVICE,
  })),
];
