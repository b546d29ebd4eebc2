import { beforeAll, describe, expect, test } from 'vitest';
import type { Spoken } from '../../contract/languages.ts';
import { openPage } from '../harness/browser.ts';
import { createPerson } from '../harness/person.ts';
import { useApp } from '../harness/use-app.ts';
import { openScene, type Scene } from '../states/scene.ts';
import type { State } from '../states/state.ts';
import { CREATOR_STATES, VISITOR_STATES } from '../states/states.ts';
import { waitUntilSettled } from '../states/wait-until-settled.ts';
import { findOverflow } from './find-overflow.ts';
import { findUntold } from './find-untold.ts';
import { inAccents } from './in-accents.ts';

const NARROW_PHONE = { width: 320, height: 640 };

/** The page that development alone has, and that of the stand-in for the provider. */
const IN_ENGLISH = /^(?:mailbox|checkout)/;

const STATES = [...VISITOR_STATES, ...CREATOR_STATES].filter(({ name }) => !IN_ENGLISH.test(name));

/** What is pressed is found in `en-XA` alone, in which it is longer still than in German. */
const SEEN_AT_FIRST = STATES.filter((state) => VISITOR_STATES.includes(state) || !state.arrange);

const SPOKEN: [Spoken, State[]][] = [
  ['en-XA', STATES],
  ['de', SEEN_AT_FIRST],
];

describe.each(SPOKEN)('pages in the language %s', (language, states) => {
  const overrides = { trialLanguage: true };
  const shop = useApp({ overrides });
  const bare = useApp({ overrides });
  let scene: Scene;

  beforeAll(async () => {
    scene = await openScene(shop, bare);
  });

  test.each(states)('$name: nothing sticks out at 320 px, and all is said in it', async (state) => {
    const { path, person = createPerson(shop) } = await state.visit(scene);
    person.cookies.set('language', language);
    const page = await openPage(shop, {
      as: person,
      expectedErrors: state.expectedErrors,
      viewport: NARROW_PHONE,
      context: { reducedMotion: 'reduce' },
    });
    await page.goto(path, { waitUntil: 'domcontentloaded' });
    await waitUntilSettled(page);
    expect(await page.getAttribute('html', 'lang')).toBe(language);
    if (language === 'en-XA') {
      await state.arrange?.(inAccents(page), scene);
      expect(await findUntold(page)).toEqual([]);
    }
    expect(await findOverflow(page)).toEqual([]);
  });
});
