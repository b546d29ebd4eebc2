import type { Mutant } from '../mutant.ts';

const packaging = {
  file: 'scripts/package.mjs',
  ring: 'long' as const,
  tests: ['tests/installation/package.long.test.ts'],
};
const proxies = { ring: 'long' as const, tests: ['tests/http/proxies.long.test.ts'] };

export const mutants: Mutant[] = [
  {
    ...packaging,
    fault: 'a package brings along what only builds',
    find: '!rest.peerDependenciesMeta?.[name]?.optional',
    replace: 'Boolean(rest && name)',
    titles: 'as small as',
  },
  {
    ...packaging,
    fault: 'a package is written over what is there',
    find: 'readdirSync(target).length > 0',
    replace: 'readdirSync(target).length > 1_000',
    titles: 'never mixes',
  },
  {
    ...proxies,
    fault: 'nginx keeps an upload until it is whole',
    file: 'deploy/nginx.conf',
    find: '    proxy_request_buffering off;\n',
    replace: '',
    titles: 'nginx.*an upload arrives',
  },
  {
    ...proxies,
    fault: 'HAProxy hides who asks',
    file: 'deploy/haproxy.cfg',
    find: '  option forwardfor\n',
    replace: '',
    titles: 'haproxy.*known by its address',
  },
  {
    fault: 'the unit lets Padlink gain privileges',
    file: 'deploy/padlink.service',
    find: 'SystemCallFilter=~@privileged @resources\n',
    replace:
      'CapabilityBoundingSet=CAP_SYS_ADMIN CAP_SYS_PTRACE CAP_DAC_OVERRIDE CAP_SETUID\nPrivateUsers=no\nRestrictNamespaces=no\nProtectSystem=no\n',
    ring: 'long',
    tests: ['tests/installation/systemd-unit.long.test.ts'],
    titles: 'finds little',
  },
];
