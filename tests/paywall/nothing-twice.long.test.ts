import { beforeAll, describe, expect, test } from 'vitest';
import { openPage } from '../harness/browser.ts';
import { useApp } from '../harness/use-app.ts';
import { BUNDLE_STATES } from '../states/bundle-states.ts';
import { PAYWALL_STATES } from '../states/paywall-states.ts';
import { openScene, type Scene } from '../states/scene.ts';
import { waitUntilSettled } from '../states/wait-until-settled.ts';
import { findRepeated } from './find-repeated.ts';

/** Of two versions, each lists the files that both hold. */
const OF_TWO_VERSIONS = ['paywall-newer-version', 'paywall-playing'];
const STATES = [...PAYWALL_STATES, ...BUNDLE_STATES].filter(
  ({ name }) => name.startsWith('paywall') && !OF_TWO_VERSIONS.includes(name),
);

describe('the paywall says nothing twice', () => {
  const shop = useApp();
  const bare = useApp();
  let scene: Scene;

  beforeAll(async () => {
    scene = await openScene(shop, bare);
  });

  test.each(STATES)('$name', async ({ visit, arrange, expectedErrors }) => {
    const { path, person } = await visit(scene);
    const page = await openPage(shop, {
      ...(person && { as: person }),
      ...(expectedErrors && { expectedErrors }),
    });
    await page.goto(path, { waitUntil: 'domcontentloaded' });
    await waitUntilSettled(page);
    await arrange?.(page, scene);
    expect(await findRepeated(page)).toEqual([]);
  });
});
