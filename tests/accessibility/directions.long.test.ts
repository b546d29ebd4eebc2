import { beforeAll, describe, expect, test } from 'vitest';
import { openPage } from '../harness/browser.ts';
import { useApp } from '../harness/use-app.ts';
import { openScene, type Scene } from '../states/scene.ts';
import { CREATOR_STATES, VISITOR_STATES } from '../states/states.ts';
import { waitUntilSettled } from '../states/wait-until-settled.ts';
import { writeInHebrew } from '../states/write-in-hebrew.ts';
import { findTurned } from './find-turned.ts';

describe('what people wrote has a direction of its own, and turns nothing else round', () => {
  const shop = useApp();
  const bare = useApp();
  let scene: Scene;

  beforeAll(async () => {
    scene = await openScene(shop, bare);
    await writeInHebrew(shop);
  });

  test.each([...VISITOR_STATES, ...CREATOR_STATES])('$name', async (state) => {
    const { path, person } = await state.visit(scene);
    const page = await openPage(shop, {
      ...(person && { as: person }),
      ...(state.expectedErrors && { expectedErrors: state.expectedErrors }),
    });
    // A page that begins a download may be left without its load event.
    await page.goto(path, { waitUntil: 'domcontentloaded' });
    await waitUntilSettled(page);
    await state.arrange?.(page, scene);
    expect(await findTurned(page)).toEqual([]);
  });
});
