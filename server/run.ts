import closeWithGrace from 'close-with-grace';
import { createApp, type Overrides } from './app.ts';
import { type Config, ConfigError, type Environment, readConfig } from './config.ts';

/** Runs the product in this process until a signal ends it. */
export async function run(environment: Environment, overrides: Overrides = {}): Promise<void> {
  const config = readOrExit(environment);
  const app = createApp(config, overrides);
  closeWithGrace({ delay: 10_000 }, async ({ err }) => {
    if (err) console.error(err);
    await app.stop();
  });
  try {
    const { sandboxUrl } = await app.start();
    console.log(greeting(config, sandboxUrl));
  } catch (error) {
    console.error(explain(error, config));
    await app.stop();
    process.exit(1);
  }
}

function readOrExit(environment: Environment): Config {
  try {
    return readConfig(environment);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    console.error(error.message);
    process.exit(1);
  }
}

function greeting(config: Config, sandboxUrl: string | null): string {
  const lines = [`Padlink is ready at ${config.publicUrl}`];
  if (config.mail.kind === 'mailbox') lines.push(`Mail:      ${config.publicUrl}/mailbox`);
  lines.push(
    sandboxUrl
      ? `Payments:  sandbox, no real money moves (card 4242 4242 4242 4242; API ${sandboxUrl})`
      : 'Payments:  Stripe',
  );
  lines.push(`Data:      ${config.dataDir}`);
  return `\n  ${lines.join('\n  ')}\n`;
}

function explain(error: unknown, config: Config): unknown {
  if (!(error instanceof Error)) return error;
  if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') {
    return `Port ${config.port} is in use. Stop what uses it, or start with another: PORT=3001 npm start`;
  }
  return config.logLevel === 'debug' ? error : `Padlink cannot start. ${error.message}`;
}
