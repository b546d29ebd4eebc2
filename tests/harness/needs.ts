import { TestRunner } from 'vitest';

/** What a machine may lack. A test is skipped for nothing else, and where `CI` is set for nothing. */
export const NEEDS = {
  chrome: 'needs an installed Chrome',
  mount: 'needs the right to mount a disk',
  linux: 'needs Linux',
  curl: 'needs curl',
  nginx: 'needs nginx',
  caddy: 'needs Caddy',
  haproxy: 'needs HAProxy',
  systemd: 'needs systemd',
  s3: 'needs OpenStack Swift and s3cmd',
  openssl: 'needs OpenSSL 3 and curl',
  hledger: 'needs hledger',
  posix: 'needs POSIX permissions',
} as const;

/**
 * Leaves the running test out, for want of something on this machine.
 * @throws Error in CI, where everything must hold and nothing may be left out unseen
 */
export function skipWithout(need: keyof typeof NEEDS): never {
  // biome-ignore lint/plugin: the one place that leaves a test out.
  if (!process.env.CI) TestRunner.getCurrentTest()?.context.skip(NEEDS[need]);
  throw new Error(NEEDS[need]);
}
