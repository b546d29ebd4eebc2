import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const readText = (name: string) => readFileSync(join(root, name), 'utf8');

test('every service of compose.yaml has bounds, and is an image that cannot change unseen', () => {
  const [head = '', list = ''] = readText('compose.yaml').split(/^services:\n/m);
  for (const bound of ['cap_drop: [ALL]', 'no-new-privileges:true', 'pids_limit:', 'mem_limit:']) {
    expect(head).toContain(bound);
  }
  const services = (list.split(/^\w/m)[0] ?? '').split(/^ {2}(?=\w+:$)/m).slice(1);
  expect(services.map((service) => service.split(':')[0])).toEqual([
    ...['padlink', 'backup', 'postgres', 'storage', 'proxy'],
  ]);
  for (const service of services) {
    expect(service).toContain('    <<: *service\n');
    expect(service).not.toMatch(/privileged|cap_drop|pids_limit|SYS_ADMIN/);
    expect(service).toMatch(/^ {4}(?:image: \S+:[\d.]+@sha256:[0-9a-f]{64}|build: \.)$/m);
  }
  expect(readText('Dockerfile')).toMatch(/^ARG BASE=debian:\S+@sha256:[0-9a-f]{64}$/m);
});

test('whoever comes to compose.yaml over IPv6 is told apart by an address', () => {
  const compose = readText('compose.yaml');
  const subnets = [...compose.matchAll(/subnet: (\S+)/g)].map(([, subnet]) => subnet);
  expect(compose).toContain('enable_ipv6: true');
  expect(subnets.filter((subnet) => subnet?.includes(':'))).toHaveLength(1);
  expect(compose).toContain(`TRUSTED_PROXIES: ${subnets.join(',')}\n`);
  expect(compose).toContain('HOST: "::"');
});
