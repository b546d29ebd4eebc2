import { TestRunner } from 'vitest';

/**
 * What a machine may lack, and how Debian has it. A test is skipped for nothing else, and in the long
 * ring for nothing where `CI` is set.
 */
export const NEEDS = {
  chrome: 'needs a whole Chrome: apt-get install chromium',
  mount: 'needs the right to mount a disk: run as root',
  linux: 'needs Linux',
  curl: 'needs curl: apt-get install curl',
  python: 'needs Python 3: apt-get install python3',
  nginx: 'needs nginx: apt-get install nginx',
  caddy: 'needs Caddy: apt-get install caddy',
  haproxy: 'needs HAProxy: apt-get install haproxy',
  systemd: 'needs systemd: apt-get install systemd',
  s3: 'needs OpenStack Swift and s3cmd: apt-get install swift-proxy swift-account swift-container swift-object s3cmd',
  openssl: 'needs OpenSSL 3 and curl: apt-get install openssl curl',
  hledger: 'needs hledger: apt-get install hledger',
  posix: 'needs POSIX permissions: run on Linux or macOS',
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
