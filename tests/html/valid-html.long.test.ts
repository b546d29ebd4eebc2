import { beforeAll, describe, expect, test } from 'vitest';
import { LANGUAGES } from '../../contract/languages.ts';
import type { Mail } from '../../contract/mails.ts';
import { openBuiltWebApp } from '../../server/edge/pages/built-web-app.ts';
import { checkOut, payAt } from '../factories/payment.ts';
import { createPerson, type Person } from '../harness/person.ts';
import { useApp } from '../harness/use-app.ts';
import { openScene, type Scene } from '../states/scene.ts';
import { CREATOR_STATES, VISITOR_STATES } from '../states/states.ts';
import { findDocumentFaults, findMailFaults } from './find-html-faults.ts';
import { MAIL_INPUTS } from './mail-inputs.ts';

const { mails } = await openBuiltWebApp();

/** Documents that no state begins with. */
const OTHER_DOCUMENTS = ['/login?error=access_denied', '/p/not%20an%20id'];

describe('a validator finds no fault in the HTML', () => {
  const shop = useApp();
  const bare = useApp();
  let scene: Scene;

  beforeAll(async () => {
    scene = await openScene(shop, bare);
  });

  async function expectValid(path: string, person: Person = createPerson(shop)): Promise<void> {
    const asDocument = { headers: { accept: 'text/html' } };
    let answer = await person.fetch(path, asDocument);
    const elsewhere = answer.headers.get('location');
    if (elsewhere) answer = await person.fetch(elsewhere, asDocument);
    const html = await answer.text();
    expect(html).toMatch(/^<!doctype html>/);
    expect(await findDocumentFaults(html)).toEqual([]);
  }

  test.each([...VISITOR_STATES, ...CREATOR_STATES])('of $name, as served', async (state) => {
    const { path, person } = await state.visit(scene);
    await expectValid(path, person);
  });

  test.each(OTHER_DOCUMENTS)('of %s', (path) => expectValid(path));

  test('of a form that is sent back with what is wrong', async () => {
    const person = createPerson(shop);
    const answer = await payAt(person, await checkOut(person, scene.links.file), '1234');
    expect(answer.status).toBe(422);
    expect(await findDocumentFaults(await answer.text())).toEqual([]);
  });
});

test.each(Object.keys(mails) as (keyof typeof mails)[])(
  'a validator finds no fault in the HTML of the mail %s',
  async (kind) => {
    const write = mails[kind] as (input: object) => Mail;
    for (const language of Object.keys(LANGUAGES)) {
      const { html } = write({ ...MAIL_INPUTS[kind], language });
      expect(html).toContain(`<html lang="${language}">`);
      expect(await findMailFaults(html)).toEqual([]);
    }
  },
);
