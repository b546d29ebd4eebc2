import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium } from 'playwright-core';
import { extractBundledBrowser } from './bundled-browser.ts';

export type Browser = { executablePath: string; env?: Record<string, string> };

const commands = [
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'microsoft-edge',
];

function listSystemBrowsers(): string[] {
  if (process.platform === 'darwin') {
    return ['Google Chrome', 'Chromium', 'Microsoft Edge'].map(
      (name) => `/Applications/${name}.app/Contents/MacOS/${name}`,
    );
  }
  if (process.platform === 'win32') {
    const roots = ['ProgramFiles', 'ProgramFiles(x86)', 'LOCALAPPDATA'];
    const files = [
      'Google\\Chrome\\Application\\chrome.exe',
      'Microsoft\\Edge\\Application\\msedge.exe',
    ];
    return roots.flatMap((root) => files.map((file) => join(process.env[root] ?? '', file)));
  }
  const folders = (process.env.PATH ?? '').split(delimiter);
  return commands.flatMap((command) => folders.map((folder) => join(folder, command)));
}

/**
 * A browser for the tests: the one that PADLINK_BROWSER names, Playwright's own, the system's,
 * or the one that comes with the dependencies, which PADLINK_BROWSER=bundled asks for.
 */
export function findBrowser(): Browser {
  const wish = process.env.PADLINK_BROWSER;
  if (wish && wish !== 'bundled') return { executablePath: wish };
  const installed = [chromium.executablePath(), ...listSystemBrowsers()].find((path) =>
    existsSync(path),
  );
  if (installed && !wish) return { executablePath: installed };
  if (process.platform === 'linux' && process.arch === 'x64') return extractBundledBrowser();
  throw new Error('No browser for the tests: install Chrome or name one in PADLINK_BROWSER.');
}
