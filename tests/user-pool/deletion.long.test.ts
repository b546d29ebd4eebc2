import { afterAll, expect, test } from 'vitest';
import { auth, expectRefusal } from '../factories/account-requests.ts';
import { later } from '../harness/later.ts';
import { describeOnBothDatabases } from '../harness/on-both-databases.ts';
import { createPerson, readJson } from '../harness/person.ts';
import { createPoolAccount, readAttributes, signInByPool } from '../harness/pool-sign-in.ts';
import { useApp } from '../harness/use-app.ts';
import { startUserPool } from '../harness/user-pool.ts';

const pool = await startUserPool();
afterAll(() => pool.stop());

describeOnBothDatabases('an account without a password', (database) => {
  const app = useApp({ database, env: pool.env });

  test('is deleted right after a sign-in, not from a browser found open later', async () => {
    const { login, email } = createPoolAccount(pool, { 'custom:first_name': 'Ada' });
    const person = createPerson(app);
    await signInByPool(person, login);
    const { sub } = await readAttributes(person);
    const confirmed = { confirmation: email };
    const late = await later(10 * 60 * 1_000 + 1, () => auth(person, 'delete-user', confirmed));
    await expectRefusal(late, 403, 'SESSION_NOT_FRESH');
    await readJson(await auth(person, 'delete-user', confirmed));
    expect((await person.fetch('/api/user-attributes')).status).toBe(401);

    await signInByPool(person, login);
    expect((await readAttributes(person)).sub).not.toBe(sub);
  });
});
