import { beforeAll, describe, expect, test } from 'vitest';
import type { Spoken } from '../../contract/languages.ts';
import { openPage } from '../browser.ts';
import { createPerson } from '../person.ts';
import { ACCOUNT_STATES } from '../states/account-states.ts';
import { BUNDLE_STATES } from '../states/bundle-states.ts';
import { CODES_STATES } from '../states/codes-states.ts';
import { DASHBOARD_STATES } from '../states/dashboard-states.ts';
import { HOOKS_STATES } from '../states/hooks-states.ts';
import { LOGIN_STATES } from '../states/login-states.ts';
import { MONEY_STATES } from '../states/money-states.ts';
import { OPERATOR_STATES } from '../states/operator-states.ts';
import { openScene, type Scene } from '../states/scene.ts';
import type { State } from '../states/state.ts';
import { VISITOR_STATES } from '../states/states.ts';
import { UPLOAD_STATES } from '../states/upload-states.ts';
import { waitUntilSettled } from '../states/wait-until-settled.ts';
import { useApp } from '../use-app.ts';
import { findOverflow } from './find-overflow.ts';
import { findUntold } from './find-untold.ts';
import { inAccents } from './in-accents.ts';

const NARROW_PHONE = { width: 320, height: 640 };

/** The page that development alone has, and that of the stand-in for the provider. */
const IN_ENGLISH = /^(?:mailbox|checkout)/;

const STATES = [
  ...VISITOR_STATES,
  ...LOGIN_STATES,
  ...ACCOUNT_STATES,
  ...HOOKS_STATES,
  ...DASHBOARD_STATES,
  ...CODES_STATES,
  ...BUNDLE_STATES,
  ...UPLOAD_STATES,
  ...MONEY_STATES,
  ...OPERATOR_STATES,
].filter(({ name }) => !IN_ENGLISH.test(name));

/** What is pressed is found in `en-XA` alone, in which it is longer still than in German. */
const SEEN_AT_FIRST = STATES.filter((state) => VISITOR_STATES.includes(state) || !state.arrange);

describe.each<[Spoken, State[]]>([
  ['de', SEEN_AT_FIRST],
  ['en-XA', STATES],
])('pages in the language %s', (language, states) => {
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
      ...{ as: person, expectedErrors: state.expectedErrors },
      ...{ viewport: NARROW_PHONE, context: { reducedMotion: 'reduce' } },
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
