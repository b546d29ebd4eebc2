import type { Locator } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { PASSWORD, signIn, signUp } from '../factories/factories.ts';
import { createSecretKey } from '../factories/secret-key.ts';
import { showCode } from '../harness/authenticator-app.ts';
import { openPage } from '../harness/browser.ts';
import { createPerson } from '../harness/person.ts';
import { useApp } from '../harness/use-app.ts';
import { addAuthenticator } from './add-authenticator.ts';
import { waitUntilAlive } from './steps.ts';

interface Case {
  section: string;
  /** What is done before the session ends. */
  prepare?(section: Locator): Promise<void>;
  /** The last thing is pressed when it has ended. */
  act(section: Locator, email: string): Promise<void>;
}

const press = (section: Locator, name: string) =>
  section.getByRole('button', { name, exact: true }).click();

const givePassword = (section: Locator) =>
  section.getByLabel('Current password', { exact: true }).fill(PASSWORD);

/** The key that the page shows for typing into an app. */
async function readKey(section: Locator): Promise<string> {
  const shown = await section.getByText(/^([A-Z2-7]{4} )+[A-Z2-7]{1,4}$/).textContent();
  return shown?.replaceAll(' ', '') ?? '';
}

const CASES: Record<string, Case> = {
  'saving the name': {
    section: 'First Name',
    act: (section) => press(section, 'Save name'),
  },
  'asking for a code to a new address': {
    section: 'Email address',
    async act(section) {
      await section.getByLabel('New email address').fill('elsewhere@example.com');
      await givePassword(section);
      await press(section, 'Send code to new address');
    },
  },
  'asking for another code to a new address': {
    section: 'Email address',
    async prepare(section) {
      await section.getByLabel('New email address').fill('elsewhere@example.com');
      await givePassword(section);
      await press(section, 'Send code to new address');
      await section.getByText('a six-digit code is on its way').waitFor();
    },
    act: (section) => press(section, 'Send a new code'),
  },
  'changing the password': {
    section: 'Password',
    async act(section) {
      await givePassword(section);
      await section.getByLabel('New password', { exact: true }).fill('Another-horse-8');
      await section.getByLabel(/^(Confirm|Repeat)/).fill('Another-horse-8');
      await press(section, 'Change password');
    },
  },
  'turning two-factor sign-in on': {
    section: 'Two-factor sign-in',
    async act(section) {
      await press(section, 'Turn on two-factor sign-in');
      await givePassword(section);
      await press(section, 'Continue');
    },
  },
  'giving the first code of an app': {
    section: 'Two-factor sign-in',
    async prepare(section) {
      await press(section, 'Turn on two-factor sign-in');
      await givePassword(section);
      await press(section, 'Continue');
      await readKey(section);
    },
    async act(section) {
      await section.getByLabel('Code').fill(showCode(await readKey(section)));
      await press(section, 'Turn on');
    },
  },
  'adding a passkey': {
    section: 'Passkeys',
    act: (section) => press(section, 'Add a passkey'),
  },
  'removing a passkey': {
    section: 'Passkeys',
    async prepare(section) {
      await section.getByLabel('Name of the new passkey').fill('My laptop');
      await press(section, 'Add a passkey');
      await section.getByText('Added My laptop.').waitFor();
    },
    async act(section) {
      await press(section, 'Remove My laptop');
      await press(section, 'Remove passkey');
    },
  },
  'creating a secret key': {
    section: 'Secret keys',
    async act(section) {
      await section.getByLabel('Name of a new key').fill('Shop importer');
      await press(section, 'Create key');
    },
  },
  'revoking a secret key': {
    section: 'Secret keys',
    async act(section) {
      await press(section, 'Revoke Old laptop');
      await press(section, 'Revoke key');
    },
  },
  'ending another session': {
    section: 'Where you are signed in',
    act: (section) => press(section, 'Sign out Unknown device'),
  },
  'signing out everywhere else': {
    section: 'Where you are signed in',
    act: (section) => press(section, 'Sign out everywhere else'),
  },
  'deleting the account': {
    section: 'Delete account',
    async act(section, email) {
      await givePassword(section);
      await section.getByLabel('Type your email address to confirm').fill(email);
      await press(section, 'Delete account');
    },
  },
};

/** Where a section is that has nothing to do with signing in. */
const PARTS: Record<string, string> = { 'First Name': 'profile', 'Secret keys': 'programs' };

describe('on the account page, when the session has ended,', () => {
  const app = useApp();

  test.each(Object.keys(CASES))('%s leads to sign-in and back', async (what) => {
    const { section: name, prepare, act } = CASES[what] as Case;
    const path = `/account/${PARTS[name] ?? 'security'}`;
    const owner = await signUp(app);
    await createSecretKey(owner, 'Old laptop');
    await signIn(createPerson(app), owner.email);
    const page = await openPage(app, { as: owner, expectedErrors: /401 \/api\/auth\/[\w/-]+/ });
    await addAuthenticator(page);
    await page.goto(path);
    await waitUntilAlive(page);
    const section = page.getByRole('region', { name, exact: true });
    await prepare?.(section);
    const ended = await owner.fetch('/logout', { method: 'POST' });
    expect(ended.status).toBe(303);
    await act(section, owner.email);
    await page.waitForURL(`/login?next=${encodeURIComponent(path)}`);
  });
});
