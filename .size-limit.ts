import { readFileSync } from 'node:fs';
import type { PageName } from './contract/page-context.ts';
import {
  collectChunks,
  ENTRY,
  listPageChunks,
  type Manifest,
} from './server/api/pages/page-chunks.ts';

const manifest: Manifest = JSON.parse(readFileSync('dist/client/.vite/manifest.json', 'utf8'));

/** What a page asks for only at a press of a button. */
const ON_DEMAND = ['web/data/draw-qr-code.ts'];

/** As much as a page may load by itself, in brotli's bytes, the live connection included. */
const SCRIPT_LIMITS: Partial<Record<PageName, string>> = {
  paywall: '80 kB',
  landing: '73 kB',
  explore: '75 kB',
  login: '78 kB',
  dashboard: '86 kB',
};

const ADVICE = 'Load what is rarely used by import(), or leave it out (docs/decisions/023).';

function listScripts(page: PageName): string[] {
  const chunks = listPageChunks(manifest, page);
  const later = chunks
    // The entry holds the addresses of all pages, and loads one.
    .filter((chunk) => chunk !== manifest[ENTRY])
    .flatMap(({ dynamicImports = [] }) => dynamicImports)
    .filter((source) => !ON_DEMAND.includes(source));
  const all = new Set([...chunks, ...collectChunks(manifest, later)]);
  return [...all].map(({ file }) => `dist/client/${file}`);
}

const styles = new Set(Object.values(manifest).flatMap(({ css = [] }) => css));

export default [
  {
    name: 'CSS of every page',
    path: [...styles].map((file) => `dist/client/${file}`),
    limit: '15 kB',
    message: ADVICE,
  },
  ...Object.entries(SCRIPT_LIMITS).map(([page, limit]) => ({
    name: `JavaScript of the page ${page}`,
    path: listScripts(page as PageName),
    limit,
    message: ADVICE,
  })),
];
