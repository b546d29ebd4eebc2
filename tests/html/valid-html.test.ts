import { beforeAll, describe, expect, test } from 'vitest';
import { createPerson, readJson } from '../person.ts';
import { openScene, type Scene } from '../states/scene.ts';
import { CREATOR_STATES, VISITOR_STATES } from '../states/states.ts';
import { useApp } from '../use-app.ts';
import { findDocumentFaults, findMailFaults } from './find-html-faults.ts';

/** Answers whose document no page of the states begins with. */
const OTHER_DOCUMENTS = ['/dashboard', '/offline', '/explore?after=', '/p/not%20an%20id'];

describe('a validator finds no fault in the HTML', () => {
  const shop = useApp();
  const bare = useApp();
  let scene: Scene;

  beforeAll(async () => {
    scene = await openScene(shop, bare);
  });

  test.each([...VISITOR_STATES, ...CREATOR_STATES])('of $name, as served', async (state) => {
    const { path, person = createPerson(shop) } = await state.visit(scene);
    const answer = await person.fetch(path, { headers: { accept: 'text/html' } });
    expect(await findDocumentFaults(await answer.text())).toEqual([]);
  });

  test.each(OTHER_DOCUMENTS)('of %s, as served to a guest', async (path) => {
    const headers = { accept: 'text/html' };
    const answer = await createPerson(shop).fetch(path, { headers });
    expect(await findDocumentFaults(await answer.text())).toEqual([]);
  });

  test('of an answer that sends a form back with what is wrong', async () => {
    const { path, person = createPerson(shop) } = await findState('checkout').visit(scene);
    const body = new URLSearchParams({ cardNumber: '1', expiry: '', cvc: '', email: 'nobody' });
    const answer = await person.fetch(path, { method: 'POST', body });
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(await findDocumentFaults(await answer.text())).toEqual([]);
  });

  test('of any kind of mail', async () => {
    const mails = await readJson<{ subject: string; html: string }[]>(
      await fetch(`${shop.origin}/mailbox.json`),
    );
    const kinds = new Map(mails.map((mail) => [mail.subject, mail.html]));
    expect(kinds.size).toBeGreaterThan(2);
    for (const html of kinds.values()) expect(await findMailFaults(html)).toEqual([]);
  });
});

function findState(name: string) {
  const state = VISITOR_STATES.find((candidate) => candidate.name === name);
  if (!state) throw new Error(`There is no state ${name}.`);
  return state;
}
