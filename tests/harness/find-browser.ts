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
 * A browser for the tests: the one that PADLINK_BROWSER names, the headless shell that comes with
 * the dependencies (for Linux on x64), or else an installed one. The shell is the same everywhere
 * and opens pages in a quarter of a whole Chrome's time, but it has no back-forward cache.
 */
export function findBrowser(): Browser {
  const isShellThere = process.platform === 'linux' && process.arch === 'x64';
  if (isShellThere && !process.env.PADLINK_BROWSER) return extractBundledBrowser();
  const whole = findWholeBrowser();
  if (whole) return whole;
  throw new Error('No browser for the tests: install Chrome or name one in PADLINK_BROWSER.');
}

/** A browser with everything a person's has: the named one, Playwright's own or the system's. */
export function findWholeBrowser(): Browser | undefined {
  const named = process.env.PADLINK_BROWSER;
  if (named) return { executablePath: named };
  const paths = [chromium.executablePath(), ...listSystemBrowsers()];
  const executablePath = paths.find((path) => existsSync(path));
  return executablePath ? { executablePath } : undefined;
}
