import { afterAll, beforeAll } from 'vitest';
import { type App, startApp } from './start-app.ts';

/** One product for all tests of the surrounding `describe`. Its fields are there within tests. */
export function useApp(options: Parameters<typeof startApp>[0] = {}): App {
  const app = {} as App;
  beforeAll(async () => {
    Object.assign(app, await startApp(options));
  });
  afterAll(() => app.stop?.());
  return app;
}
