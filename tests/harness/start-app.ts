import { createApp } from '../../server/app.ts';
import { readConfig } from '../../server/ground/config/read-config.ts';
import {
  type AppOptions,
  createTestEnvironment,
  type TestEnvironment,
} from './test-environment.ts';

type Overrides = Parameters<typeof createApp>[1];

export type App = Omit<TestEnvironment, 'remove'> & {
  /** Stops until a restart: another may start on its data meanwhile. */
  pause(): Promise<void>;
  /** Stops and starts again on the same data, database and port. */
  restart(): Promise<void>;
  /** Stops and removes everything. */
  stop(): Promise<void>;
};

/** Hundreds sign up: at the cost that holds off a thief, they would take a tenth of all time. */
const passwordCost = { memory: 64, passes: 1, parallelism: 1 };

/** The whole product in this process, on throwaway data. */
export async function startApp(options: AppOptions & { overrides?: Overrides } = {}): Promise<App> {
  const { remove, ...environment } = await createTestEnvironment(options);
  const create = () =>
    createApp(readConfig(environment.env), { passwordCost, ...options.overrides });
  let app = create();
  try {
    await app.start();
  } catch (error) {
    await app.stop();
    await remove();
    throw error;
  }
  return {
    ...environment,
    pause: () => app.stop(),
    async restart() {
      await app.stop();
      app = create();
      await app.start();
    },
    async stop() {
      await app.stop();
      await remove();
    },
  };
}
