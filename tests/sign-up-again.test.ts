import { expect, test } from 'vitest';
import { PASSWORD, readMail, signUp } from './factories.ts';
import { describeOnBothDatabases } from './on-both-databases.ts';
import { createPerson, postJson } from './person.ts';
import { useApp } from './use-app.ts';

describeOnBothDatabases('signing up with an address that has an account', (database) => {
  const app = useApp({ database });

  test('answers like any other sign-up, and only the mail tells', async () => {
    const { email } = await signUp(app);
    const answerTo = async (address: string) => {
      const account = { email: address, password: PASSWORD, name: 'Eve', firstName: 'Eve' };
      const answer = await postJson(createPerson(app), '/api/auth/sign-up/email', account);
      return { status: answer.status, fields: Object.keys(Object(await answer.json())).sort() };
    };
    expect(await answerTo(email)).toEqual(await answerTo(`new-${email}`));
    const mail = await readMail(app, email, /already have/);
    expect(mail.text).toContain(`${app.origin}/login`);
    expect(mail.text).not.toMatch(/\b\d{6}\b/);
  });
});
