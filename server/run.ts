import { setTimeout as sleep } from 'node:timers/promises';
import closeWithGrace from 'close-with-grace';
import type { App, Overrides } from './app.ts';
import {
  type Config,
  ConfigError,
  type Environment,
  readConfig,
} from './ground/config/read-config.ts';

/** Runs the product in this process until a signal ends it. */
export async function run(environment: Environment, overrides: Overrides = {}): Promise<void> {
  // Accounts, sold files and the mailbox are nobody else's on this machine.
  process.umask(0o077);
  const config = readOrExit(environment);
  // Loaded only now, as it takes a second: what is wrong in a configuration is said at once.
  const { createApp } = await import('./app.ts');
  const app = createApp(config, overrides);
  let stopping = false;
  closeWithGrace({ delay: false }, async ({ err }) => {
    stopping = true;
    if (err) console.error(err);
    else if (app.leave()) await sleep(config.shutdownDelayMs);
    await app.stop();
  });
  try {
    console.log(greeting(config, await app.start()));
  } catch (error) {
    // A start that a signal interrupts fails by what the stop closed.
    if (stopping) return;
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

type Started = Awaited<ReturnType<App['start']>>;

function greeting(config: Config, { sandboxUrl, firstOperatorUrl }: Started): string {
  const lines = [`Padlink is ready at ${config.publicUrl}`];
  if (config.mail.kind === 'mailbox') lines.push(`Mail:      ${config.publicUrl}/mailbox`);
  lines.push(
    sandboxUrl
      ? `Payments:  sandbox, no real money moves (card 4242 4242 4242 4242; API ${sandboxUrl})`
      : 'Payments:  Stripe',
  );
  lines.push(`Data:      ${config.dataDir}`);
  if (firstOperatorUrl) {
    lines.push(
      'Operator:  nobody yet; whoever opens this address within a day, confirms it and signs in is one:',
    );
    lines.push(`           ${firstOperatorUrl}`);
  }
  return `\n  ${lines.join('\n  ')}\n`;
}

function explain(error: unknown, config: Config): unknown {
  if (!(error instanceof Error)) return error;
  const listening = explainListening(error, config);
  if (config.logLevel === 'debug' && !listening) return error;
  return `Padlink cannot start. ${listening ?? error.message}`;
}

/** What keeps a server from listening, by the setting that it follows from. */
function explainListening(error: Error, { host, port, payments, metrics }: Config): string | null {
  const { code, syscall, ...at } = error as NodeJS.ErrnoException & { port?: number };
  if (syscall === 'getaddrinfo' || code === 'EADDRNOTAVAIL') {
    return `HOST: this machine has no address ${host} to listen on (${code}). Set it to one that it has, such as HOST=127.0.0.1, or to HOST=0.0.0.0 for all of them.`;
  }
  if (syscall !== 'listen') return null;
  const sandboxPort = payments.kind === 'sandbox' ? payments.port : undefined;
  const names = { [`${sandboxPort}`]: 'SANDBOX_PORT', [`${metrics.port}`]: 'METRICS_PORT' };
  const name = at.port === port ? 'PORT' : (names[`${at.port}`] ?? 'PORT');
  const busy = at.port ?? port;
  if (code === 'EADDRINUSE') {
    return `${name}: ${busy} is already in use. Stop whatever is using it, or choose another: ${name}=3001 npm start`;
  }
  return `${name}: this user may not listen on ${busy} (${code}). Use a port from 1024 up, such as ${name}=3000, behind a proxy if needed: docs/operating.md.`;
}
