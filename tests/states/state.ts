import type { Page } from 'playwright-core';
import type { Person } from '../harness/person.ts';
import type { Scene } from './scene.ts';

interface Visit {
  /** An address of the shop, or a whole one. */
  path: string;
  /** Whose cookies the browser has; by default a new guest's, with none. */
  person?: Person;
}

/** Something that a page can look like. Each is looked at by tests and by `npm run screenshots`. */
export interface State {
  /** Unique; names the test and the picture. */
  name: string;
  /** Who opens which address. May be asked for again, and then makes what it needs anew. */
  visit(scene: Scene): Visit | Promise<Visit>;
  /** What is done on the loaded page until it looks so; absent where the document itself does. */
  arrange?(page: Page, scene: Scene): Promise<void>;
  /** Errors in the page's console that belong to the state. */
  expectedErrors?: RegExp;
}
