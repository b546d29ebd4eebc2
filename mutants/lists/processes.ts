import type { Mutant } from '../mutant.ts';

const TWO = ['tests/live/live-processes.test.ts'];

const MANY = ['tests/processes/many-processes.long.test.ts'];

export const mutants: Mutant[] = [
  {
    fault: 'what is given back is lost when the count of it is begun anew',
    file: 'server/ground/database/shared-counts.ts',
    find: 'known && known.count.endsAt > at ? known.by : 0',
    replace: 'known?.count === count ? known.by : 0',
    tests: ['tests/live/live-processes.test.ts'],
    titles: 'what is given back costs',
  },
  {
    fault: 'what was taken before its time ended is counted after it',
    file: 'server/ground/database/shared-counts.ts',
    find: 'known && known.count.endsAt > at ? known.by : 0',
    replace: 'known ? known.by : 0',
    tests: ['tests/live/live-processes.test.ts'],
    titles: 'no part of what is taken after',
  },
  {
    fault: 'the promoted standby is not found',
    file: 'server/ground/database/primary.ts',
    find: 'chosen = (chosen + 1) % servers.length',
    replace: 'chosen = 0',
    ring: 'long',
    tests: MANY,
    titles: 'fails over',
  },
  {
    fault: 'a process that is about to end says that it is ready',
    file: 'server/running/health/routes.ts',
    find: 'app.leaving || app.draining',
    replace: 'app.draining',
    ring: 'long',
    tests: ['tests/operations/polite-end.long.test.ts'],
    titles: 'begins by saying',
  },
  {
    fault: 'a process ends as soon as it is told to',
    file: 'server/run.ts',
    find: 'else if (app.leave()) await sleep(config.shutdownDelayMs);',
    replace: 'else app.leave();',
    ring: 'long',
    tests: ['tests/operations/polite-end.long.test.ts'],
    titles: 'begins by saying',
  },
  {
    fault: 'each process counts guesses for itself',
    file: 'server/api/routes.ts',
    find: 'createRateLimits(now, processes?.counts)',
    replace: 'createRateLimits(now)',
    tests: TWO,
    titles: 'counted together',
  },
  {
    fault: 'what the others count is not learned',
    file: 'server/ground/database/shared-counts.ts',
    find: 'if (!count || ends_at <= now()) continue;',
    replace: 'continue;',
    tests: TWO,
    titles: 'counted together',
  },
  {
    fault: 'two processes write to one upload',
    file: 'server/api/routes.ts',
    find: 'leases: processes?.leases ?? null,',
    replace: 'leases: null,',
    tests: TWO,
    titles: 'goes on in the other',
  },
  {
    fault: 'who holds an upload is not asked to let go',
    file: 'server/ground/database/leases.ts',
    find: 'if (rows[0]?.wanted !== false) giveBack();',
    replace: 'if (!rows[0]) giveBack();',
    tests: TWO,
    titles: 'goes on in the other',
  },
  {
    fault: 'every process takes its turn',
    file: 'server/ground/database/leases.ts',
    find: 'where lease.expires_at <= clock_timestamp()',
    replace: '',
    tests: TWO,
    titles: 'is done by one of them',
  },
  {
    fault: 'each process has a sandbox of its own',
    file: 'server/running/open-payments.ts',
    find: 'isShared: leadership !== null,',
    replace: '',
    tests: TWO,
    titles: 'settled by the one that leads',
  },
];
