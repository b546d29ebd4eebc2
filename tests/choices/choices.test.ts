import { beforeAll, expect, test } from 'vitest';
import {
  askGraphql,
  createLink,
  graphql,
  publishableKey,
  seeLink,
  signUp,
  updateLink,
  waitUntilUnlocked,
} from '../factories/factories.ts';
import { payFor } from '../factories/payment.ts';
import { deleteLink } from '../factories/stored-files.ts';
import { describeOnBothDatabases } from '../harness/on-both-databases.ts';
import { createPerson, type Person } from '../harness/person.ts';
import { readPage } from '../harness/read-page.ts';
import { runCli } from '../harness/run-command.ts';
import { useApp } from '../harness/use-app.ts';

const SET = `mutation ($id: ID!, $choices: [ChoiceInput!]!) {
  setChoices(id: $id, choices: $choices) { id choice choices { id choice } }
}`;
const READ = 'query ($id: ID!) { getPaywallLink(id: $id) { choice choices { id choice price } } }';

interface Read {
  getPaywallLink: { choice: string | null; choices: { id: string; choice: string }[] | null };
}

describeOnBothDatabases('links that are choices of one thing', (database) => {
  const app = useApp({ database });
  let seller: Person;

  beforeAll(async () => {
    seller = await signUp(app);
  });

  const sell = async (input: Record<string, unknown> = {}) => {
    const content = { type: 'link', url: 'https://example.com/notes', price: 300 };
    return (await createLink(seller, { ...content, ...input })).id;
  };
  const set = (id: string, names: Record<string, string>, person = seller) => {
    const choices = Object.entries(names).map(([of, name]) => ({ id: of, name }));
    return askGraphql(person, SET, { id, choices });
  };
  const read = async (id: string, person: Person = createPerson(app)) => {
    const data = await graphql<Read>(person, READ, { id }, await publishableKey(app));
    return data.getPaywallLink;
  };
  const codeOf = async (answer: ReturnType<typeof set>) =>
    (await answer).errors?.[0]?.extensions?.code;

  /** A link under another as its choices, in that order. */
  async function sellTwo() {
    const [pdf, sources] = [await sell(), await sell({ price: 750 })];
    // From now on their pages are kept for guests.
    for (const id of [pdf, sources]) await readPage(createPerson(app), `/p/${id}`);
    expect((await set(pdf, { [sources]: 'With sources', [pdf]: 'PDF' })).errors).toBeUndefined();
    return { pdf, sources };
  }

  test('lead to each other in their order, whoever looks, and sell as each does alone', async () => {
    const { pdf, sources } = await sellTwo();
    const both = [
      { id: sources, choice: 'With sources', price: 750 },
      { id: pdf, choice: 'PDF', price: 300 },
    ];
    expect(await read(pdf)).toEqual({ choice: 'PDF', choices: both });
    expect(await read(sources)).toEqual({ choice: 'With sources', choices: both });

    const page = await (await fetch(`${app.origin}/p/${pdf}?code=SPRING`)).text();
    expect(page).toMatch(new RegExp(`aria-current="page"[^>]*href="/p/${pdf}[?]code=SPRING"`));
    expect(page).toContain(`href="/p/${sources}?code=SPRING"`);

    const buyer = createPerson(app);
    await payFor(buyer, sources);
    await waitUntilUnlocked(buyer, sources);
    expect(await seeLink(buyer, pdf)).toMatchObject({ unlocked: false });
    const seen = await (await buyer.fetch(`/p/${pdf}`)).text();
    expect(seen).toContain('Yours already');
  });

  test('are shown as they are now: a new price, a pause, without what is deleted', async () => {
    const { pdf, sources } = await sellTwo();
    const third = await sell({ price: 900 });
    const names = { [pdf]: 'PDF', [sources]: 'With sources', [third]: 'Class' };
    expect((await set(pdf, names)).errors).toBeUndefined();
    expect(await readPage(createPerson(app), `/p/${pdf}`)).toContain('$9.00');
    await updateLink(seller, { id: third, price: 950 });
    await updateLink(seller, { id: sources, paused: true });
    const page = await readPage(createPerson(app), `/p/${pdf}`);
    expect(page).toContain('$9.50');
    expect(page).toContain('With sources Paused');
    await deleteLink(seller, third);
    expect((await read(pdf)).choices?.map(({ id }) => id)).toEqual([pdf, sources]);
    await deleteLink(seller, sources);
    expect(await read(pdf)).toMatchObject({ choices: null });
    expect(await readPage(createPerson(app), `/p/${pdf}`)).not.toContain('PDF');
  });

  test('are sold by themselves again, and may then be others’', async () => {
    const { pdf, sources } = await sellTwo();
    const third = await sell();
    expect(await codeOf(set(third, { [third]: 'C', [pdf]: 'P' }))).toBe('INVALID_CHOICES');
    expect((await set(sources, {})).errors).toBeUndefined();
    expect(await read(pdf)).toEqual({ choice: null, choices: null });
    expect((await set(third, { [third]: 'C', [pdf]: 'P' })).errors).toBeUndefined();
  });

  test('a refusal leaves those before it', async () => {
    const { pdf, sources } = await sellTwo();
    const others = await signUp(app);
    const { id: theirs } = await createLink(others, {
      type: 'link',
      url: 'https://example.com/',
      price: 100,
    });
    const many = await Promise.all(Array.from({ length: 10 }, () => sell()));
    const refused = [
      { [pdf]: 'Alone' },
      { [sources]: 'Without', [many[0] ?? '']: 'The link' },
      { [pdf]: 'PDF', [sources]: ' ' },
      { [pdf]: 'PDF', [sources]: 'x'.repeat(41) },
      { [pdf]: 'PDF', [sources]: 'pdf' },
      { [pdf]: 'PDF', [sources]: 'a\u0007b' },
      { [pdf]: 'PDF', [theirs]: 'Theirs' },
      { [pdf]: 'PDF', '00000000': 'Nothing' },
      { [pdf]: 'PDF', ...Object.fromEntries(many.map((id) => [id, id])) },
    ];
    for (const names of refused) expect(await codeOf(set(pdf, names))).toBe('INVALID_CHOICES');
    expect(await codeOf(set(pdf, { [pdf]: 'A', [theirs]: 'B' }, others))).toBe('UNAUTHORIZED');
    expect((await read(pdf)).choices).toHaveLength(2);
  });

  test('of two groups that want one link at once, one gets it', async () => {
    const [one, other, wanted] = [await sell(), await sell(), await sell()];
    const answers = await Promise.all(
      [one, other].map((id) => codeOf(set(id, { [id]: 'Own', [wanted]: 'Wanted' }))),
    );
    expect(answers.sort()).toEqual(['INVALID_CHOICES', undefined]);
    expect((await read(wanted)).choices).toHaveLength(2);
  });

  test('one that was taken down is told to nobody', async () => {
    const { pdf, sources } = await sellTwo();
    const { id: third } = await createLink(seller, {
      type: 'link',
      url: 'https://example.com/',
      price: 100,
    });
    await set(pdf, { [pdf]: 'PDF', [sources]: 'Sources', [third]: 'Secret offer' });
    await runCli(app.env, 'link', 'take-down', third, '--reason', 'It is copied.');
    expect((await read(pdf)).choices?.map(({ choice }) => choice)).toEqual(['PDF', 'Sources']);
    expect(await readPage(createPerson(app), `/p/${pdf}`)).not.toContain('Secret offer');
  });
});
