import { chromium } from 'playwright-core';
import { findBrowser } from '../../tests/harness/find-browser.ts';
import { findFreePort } from '../../tests/harness/free-port.ts';

const QUIET = ['--disable-background-networking', '--disable-component-update', '--disable-sync'];

/** A browser that Lighthouse can drive through a port of this machine. Ends with the scope. */
export async function openChrome(): Promise<AsyncDisposable & { port: number }> {
  const port = await findFreePort();
  const { executablePath, env } = findBrowser();
  const args = [...QUIET, `--remote-debugging-port=${port}`];
  // Chromium's own sandbox does not work for root, which containers usually are.
  if (process.getuid?.() === 0) args.push('--no-sandbox');
  const browser = await chromium.launch({ executablePath, args, env: { ...process.env, ...env } });
  return { port, [Symbol.asyncDispose]: () => browser.close() };
}
