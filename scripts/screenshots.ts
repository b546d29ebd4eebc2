import { mkdirSync, readFileSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';
import sharp from 'sharp';
import { findBrowser } from '../tests/harness/find-browser.ts';
import { openScene, type Scene } from '../tests/states/scene.ts';
import type { State } from '../tests/states/state.ts';
import { CREATOR_STATES, VISITOR_STATES } from '../tests/states/states.ts';
import { joinPictures, type Picture } from './screenshots/join-pictures.ts';
import { takePictures } from './screenshots/take-pictures.ts';

process.env.NODE_ENV ??= 'production';
const { startApp } = await import('../tests/harness/start-app.ts');

const FOLDER = 'screenshots';
/** Pages that are open at the same time. */
const AT_ONCE = 3;
const REVIEW = 'docs/design-review';
/** Pixels: words at half of their size can still be read. */
const REVIEW_WIDTH = 1_700;

/**
 * `npm run screenshots`: every state of every page in both themes at two widths, as PNG files in
 * screenshots/, and the four of each side by side in screenshots/sheets/. With words, only states
 * whose names contain one: `npm run screenshots -- paywall login`. With `--review` those that
 * docs/design-review.md shows, which are written beside it.
 */
async function takeAll(args: string[]): Promise<void> {
  const words = args.filter((arg) => !arg.startsWith('--'));
  const isReview = args.includes('--review');
  const shown = isReview ? readFileSync(`${REVIEW}.md`, 'utf8') : '';
  const states = [...VISITOR_STATES, ...CREATOR_STATES].filter(({ name }) =>
    isReview
      ? shown.includes(`(${inReview(name)})`)
      : words.length === 0 || words.some((word) => name.includes(word)),
  );
  mkdirSync(`${FOLDER}/sheets`, { recursive: true });
  const [shop, bare] = [await startApp(), await startApp()];
  const browser = await launch();
  try {
    const scene = await openScene(shop, bare);
    const waiting = states.values();
    const work = async () => {
      for (const state of waiting) {
        await take(browser, scene, state);
        if (isReview) await keepForReview(state);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
  } finally {
    await browser.close();
    await shop.stop();
    await bare.stop();
  }
}

async function take(browser: Browser, scene: Scene, state: State): Promise<void> {
  let pictures: Picture[];
  try {
    pictures = await takePictures(browser, scene, state, FOLDER);
  } catch (error) {
    // The others are worth having all the same.
    console.error(`✗ ${state.name}: ${error instanceof Error ? error.message : error}`);
    process.exitCode = 1;
    return;
  }
  await joinPictures(pictures, `${FOLDER}/sheets/${state.name}.png`);
  console.log(`✓ ${state.name}`);
}

const inReview = (name: string) => `design-review/${name}.webp`;

async function keepForReview({ name }: State): Promise<void> {
  await sharp(`${FOLDER}/sheets/${name}.png`)
    .resize({ width: REVIEW_WIDTH })
    .webp({ quality: 70 })
    .toFile(`docs/${inReview(name)}`);
}

function launch(): Promise<Browser> {
  const { executablePath, env } = findBrowser();
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  return chromium.launch({ executablePath, args, env: { ...process.env, ...env } });
}

await takeAll(process.argv.slice(2));
