import { expect, test } from 'vitest';
import { announceUpload, askGraphql, graphql, signUp } from '../factories/factories.ts';
import { programWith, SERVICE_KEY } from '../factories/secret-key.ts';
import { deleteLink, RESTORE_LINK } from '../factories/stored-files.ts';
import { describeOnBothDatabases } from '../harness/on-both-databases.ts';
import type { Person } from '../harness/person.ts';
import { runCli } from '../harness/run-command.ts';
import { useApp } from '../harness/use-app.ts';

const CREATE = `mutation { createPaywallLink(
  input: { type: "link", url: "https://example.com/", price: 500 }) { id } }`;
const LISTED = `query ($prefix: String) { listAccounts(emailPrefix: $prefix) {
  items { id email links quotaLinks quotaUploadsADay quotaBytes } } }`;

type Created = { createPaywallLink: { id: string } };
type Listed = { listAccounts: { items: { id: string; email: string; links: number }[] } };

describeOnBothDatabases('quotas', (database) => {
  const env = { SERVICE_KEY, QUOTA_LINKS: '2', QUOTA_UPLOADS_A_DAY: '1' };
  const app = useApp({ database, env });

  const upload = async (person: Person, name: string) => {
    const answer = await announceUpload(person, { name, size: 10 });
    return answer.status === 201 ? null : ((await answer.json()) as { detail: string }).detail;
  };

  test('hold for links and uploads, by the settings and for one account, and say how much it is', async () => {
    const seller = await signUp(app);
    const tries = await Promise.all([1, 2, 3].map(() => askGraphql<Created>(seller, CREATE)));
    const refused = tries.flatMap(({ errors = [] }) => errors);
    expect(refused).toMatchObject([{ extensions: { code: 'QUOTA_EXCEEDED' } }]);
    expect(refused[0]?.message).toContain('Your account can have 2 links');
    const [id = ''] = tries.flatMap(({ data }) => data?.createPaywallLink?.id ?? []);
    await deleteLink(seller, id);
    await graphql(seller, CREATE);
    // What was deleted does not come back beside as many others.
    const back = await askGraphql(seller, RESTORE_LINK, { id });
    expect(back.errors).toMatchObject([{ extensions: { code: 'QUOTA_EXCEEDED' } }]);

    expect(await upload(seller, 'a.pdf')).toBeNull();
    expect(await upload(seller, 'b.pdf')).toContain('can start 1 upload a day');
    const set = await runCli(
      app.env,
      ...['user', 'quota', seller.email, '--links', '3', '--uploads-a-day', '2', '--bytes', '25'],
    );
    expect(set.status).toBe(0);
    await graphql(seller, CREATE);
    expect(await upload(seller, 'b.pdf')).toBeNull();
    expect(await upload(seller, 'c.pdf')).toContain('of your account’s 25 bytes');

    const operator = programWith(app, SERVICE_KEY);
    const { listAccounts } = await graphql<Listed>(operator, LISTED, {
      prefix: seller.email.slice(0, 8).toUpperCase(),
    });
    expect(listAccounts.items).toMatchObject([
      { email: seller.email, links: 3, quotaLinks: 3, quotaUploadsADay: 2, quotaBytes: 25 },
    ]);
    const { stdout } = await runCli(app.env, 'user', 'list', seller.email);
    expect(stdout).toContain(`${seller.email}  links 3, 20 bytes`);
  });
});
