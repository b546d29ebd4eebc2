import { afterAll, beforeAll, expect, test } from 'vitest';
import { runSql } from '../errors/run-sql.ts';
import { describeOnBothDatabases } from '../harness/on-both-databases.ts';
import { runCli } from '../harness/run-command.ts';
import { type App, startApp } from '../harness/start-app.ts';

describeOnBothDatabases('the jobs commands', (database) => {
  let app: App;

  beforeAll(async () => {
    app = await startApp({ database });
    // A server would run the jobs.
    await app.pause();
    const job = (id: string, kind: string, attempts: number, diedAt: string, error: string) =>
      `insert into job (id, kind, payload, lane, run_at, attempts, unended, locked_until, died_at,
        last_error, created_at)
       values ('${id}', '${kind}', '{"of":"${id}"}', 'mail', 0, ${attempts}, 0, 0, ${diedAt}, ${error}, 0);`;
    await runSql(
      app,
      job('a', 'send-receipt', 0, 'null', 'null') +
        job('b', 'send-receipt', 0, 'null', 'null') +
        job('c', 'send-receipt', 3, 'null', "'Error: no mail server'") +
        job('d', 'handle-webhook', 83, '5000', "'Error: no provider'") +
        job('e', 'handle-webhook', 83, '5000', "'Error: no such account'"),
    );
  });
  afterAll(() => app?.stop());

  const run = (...words: string[]) => runCli(app.env, ...words);

  const json = async (...words: string[]) => {
    const { status, stdout } = await run(...words);
    return { status, ...JSON.parse(stdout) };
  };

  test('list what waits, fails and was given up; retry and drop it; the ledger check names it', async () => {
    expect((await run('jobs', 'list')).stdout.split('\n')).toEqual([
      'Waiting: 2 send-receipt.',
      'Failing: c send-receipt {"of":"c"}, failed tries: 3, again at 1970-01-01T00:00:00.000Z. Error: no mail server',
      'Given up: d handle-webhook {"of":"d"}, failed tries: 83, the last at 1970-01-01T00:00:05.000Z. Error: no provider',
      'Given up: e handle-webhook {"of":"e"}, failed tries: 83, the last at 1970-01-01T00:00:05.000Z. Error: no such account',
      '',
    ]);
    expect(await run('ledger', 'check')).toMatchObject({
      status: 1,
      stdout:
        'Job d (handle-webhook) was given up (failed tries: 83): Error: no provider\n' +
        'Job e (handle-webhook) was given up (failed tries: 83): Error: no such account\n',
    });
    const failed = { kind: 'handle-webhook', attempts: 83, diedAt: '1970-01-01T00:00:05.000Z' };
    expect(await json('jobs', 'list', '--json')).toMatchObject({
      status: 0,
      ok: true,
      waiting: [{ kind: 'send-receipt', jobs: 2 }],
      more: false,
      failing: [{ id: 'c', payload: { of: 'c' }, lastError: 'Error: no mail server' }],
      givenUp: [
        { id: 'd', ...failed },
        { id: 'e', ...failed },
      ],
    });
    expect(await json('ledger', 'check', '--json')).toMatchObject({
      status: 1,
      ok: false,
      faults: [expect.any(String), expect.any(String)],
    });
    expect(await run('jobs', 'retry', 'd')).toMatchObject({ status: 0 });
    expect(await run('jobs', 'drop', 'c')).toMatchObject({
      status: 1,
      stderr: 'There is no given-up job with this ID.\n',
    });
    expect(await run('jobs', 'retry', 'a')).toMatchObject({
      status: 1,
      stderr: 'There is no failing or given-up job with this ID.\n',
    });
    expect(await run('jobs', 'drop', 'e')).toMatchObject({ status: 0 });
    expect((await run('jobs', 'retry', 'all')).stdout).toBe('Jobs that will run again: 1.\n');
    expect((await run('jobs', 'list')).stdout).toBe('Waiting: 1 handle-webhook, 3 send-receipt.\n');
  });

  test('every command says in JSON what it lists, or else its lines', async () => {
    const nothing = { status: 0, ok: true };
    expect(await json('payouts', 'list', '--waiting', '--json')).toEqual({
      ...nothing,
      payouts: [],
    });
    expect(await json('undelivered', '--json')).toEqual({ ...nothing, purchases: [] });
    expect(await json('user', 'list', '--json')).toEqual({ ...nothing, accounts: [] });
    expect(await json('link', 'reports', '--json')).toEqual({
      ...nothing,
      reports: [],
      objections: [],
    });
    expect(await json('storage', 'verify', '--json')).toEqual({ ...nothing, faults: [] });
    const since = new Date().toISOString().slice(0, 10);
    expect(await json('reconcile', '--since', since, '--json')).toEqual({
      ...nothing,
      compared: 0,
      mended: [],
      faults: [],
    });
    expect(await json('jobs', 'retry', '--json', 'all')).toEqual({
      ...nothing,
      said: [expect.stringMatching(/^Jobs that will run again: /)],
    });
    // A reason is a sentence, whatever it says, and a file is printed as it is.
    const refused = await run('link', 'take-down', 'deadbeef', '--reason', '--json');
    expect(refused).toMatchObject({ status: 1, stdout: '' });
    expect((await run('ledger', 'export', '--format', 'csv', '--json')).status).toBe(2);
  });

  test.each([
    ['jobs', 'There is no command “jobs”.'],
    ['jobs retry', 'jobs retry: Which job? Give its ID, as “jobs list” shows it, or all.'],
    ['payouts list --all', 'payouts list: There is no option --all.'],
    ['payouts list soon', 'payouts list: There is nothing to do with “soon”.'],
    [
      'user invite --operator',
      'user invite: Give an email address and, for an operator, --operator.',
    ],
    [
      'user quota ada@example.com --bytes many',
      'user quota: Give the id or email address of an account, then any of --bytes, --links and --uploads-a-day with a whole number.',
    ],
    [
      'link restore 1 --reason',
      'link restore: Give the ID of a link, then --reason and a sentence for its seller.',
    ],
    [
      'ledger export --from 2026-01-01',
      'ledger export: --format needs one of hledger, csv, csv-comma, csv-semicolon.',
    ],
    ['reconcile --since May', 'reconcile: --since needs a day such as 2026-01-31.'],
    [
      'ledger payout ada@example.com $4.45 bank-1',
      'ledger payout: USER comes first, then dollars such as 3.33, then a REFERENCE of your own.',
    ],
    [
      'ledger write-off',
      'ledger write-off: Which account? Give its id, as “ledger check” shows it.',
    ],
    [
      'ledger export --format csv --from 2026-02-01 --to 2026-01-31',
      'ledger export: --from must not be after --to.',
    ],
    [
      'refund 1 --reason Not as described --amount 3.33',
      'refund: --amount must come before --reason.',
    ],
  ])(
    '%s is answered with what is wrong, and then how such commands are written',
    async (line, why) => {
      const { status, stderr } = await run(...line.split(' '));
      expect(status).toBe(2);
      const [said, usage = ''] = stderr.split('\n\n');
      expect(said).toBe(why);
      const named = usage.match(/^ {2}\S+/gm)?.map((word) => word.trim());
      expect(usage).toMatch(/^Usage: npm run cli/);
      expect(new Set(named)).toEqual(new Set([line.split(' ')[0]]));
    },
  );
});
